//! The error of parsing a proof from a file: a line and a cause.

use std::path::Path;

use crate::error::CertifyError;

/// Where a text stops to be a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong there.
    pub cause: String,
}

impl Malformed {
    /// The same as an error of reading a file.
    pub fn in_file(self, path: &Path) -> CertifyError {
        let Self { line, cause } = self;
        let path = path.to_owned();
        CertifyError::Certificate { path, line, cause }
    }
}

/// What is wrong at a line, by its index.
pub(crate) fn malformed(index: usize, cause: impl Into<String>) -> Malformed {
    Malformed {
        line: index + 1,
        cause: cause.into(),
    }
}
