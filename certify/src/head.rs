//! The head of every proof that is stored as a file: a title, comments for people, and the program of the proof, in
//! lines that programs read.

use std::path::Path;

use crate::error::CertifyError;
use crate::malformed::{Malformed, malformed};
use crate::subject::{DIGEST, Subject, is_key};

/// The lines. Line ends in comments are taken for spaces, and a comment that looks like a line that programs read is marked.
pub fn lines(title: &str, comments: &[String], subject: Option<&Subject>) -> Vec<String> {
    let comment = |line: &String| {
        let line = line.replace(char::is_control, " ");
        let mark = if is_key(&line) { "> " } else { "" };
        format!("; {mark}{line}")
    };
    let mut lines = vec![title.to_owned()];
    lines.extend(comments.iter().map(comment));
    lines.extend(subject.into_iter().flat_map(Subject::lines));
    lines
}

/// The subject, and the index of the line behind it.
///
/// # Errors
/// The lines do not start as [`lines`] has them.
pub fn read(title: &str, lines: &[&str]) -> Result<(Option<Subject>, usize), Malformed> {
    if lines.first() != Some(&title) {
        let cause = format!("comments are expected, the first of them `{title}`");
        return Err(malformed(0, cause));
    }
    let is_comment = |line: &&&str| {
        let comment = line.strip_prefix("; ").filter(|comment| !is_key(comment));
        comment.is_some_and(|comment| !comment.contains(char::is_control))
    };
    let index = 1 + lines[1..].iter().take_while(is_comment).count();
    match lines[index..] {
        [digest, options, ..] if digest.starts_with(DIGEST) => {
            let subject = Subject::parse([digest, options]);
            let subject = subject.map_err(|(line, cause)| malformed(index + line, cause))?;
            Ok((Some(subject), index + 2))
        }
        _ => Ok((None, index)),
    }
}

/// The text of a file.
///
/// # Errors
/// [`CertifyError::File`] if it cannot be read, [`CertifyError::Certificate`] if it is no text.
pub fn text_of(path: &Path) -> Result<String, CertifyError> {
    let file = |source| CertifyError::File {
        path: path.to_owned(),
        source,
    };
    let bytes = std::fs::read(path).map_err(file)?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count();
        malformed(line, "this is no text").in_file(path)
    })
}
