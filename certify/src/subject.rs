//! The subject of a certificate in a form that programs read: two lines before the line of the proof rule.
//!
//! ```text
//! ; digest: sha256:<64 hexadecimal digits>
//! ; options: ["--reduction","dynamic"]
//! ```

use std::fmt::Write;

/// What the first line starts with.
pub const DIGEST: &str = "; digest: sha256:";
const OPTIONS: &str = "; options: ";
/// What lines that programs read start with.
const KEYS: [&str; 3] = ["digest:", "options:", "argument:"];

/// The program that was proved safe, and how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// SHA-256 of the program's bitcode.
    pub digest: [u8; 32],
    /// The options that decide what system the program becomes, one argument each.
    pub options: Vec<String>,
}

impl Subject {
    /// The two lines.
    pub fn lines(&self) -> [String; 2] {
        let digits = self.digest.iter().fold(String::new(), |mut digits, byte| {
            // Writing to a string does not fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        });
        let options = serde_json::Value::from(self.options.clone()).to_string();
        [
            format!("{DIGEST}{digits}"),
            format!("{OPTIONS}{}", ascii(&options)),
        ]
    }

    /// Reads what [`Subject::lines`] writes, and nothing else.
    ///
    /// # Errors
    /// Which of the lines is wrong, by its index, and what is expected there.
    pub fn parse(lines: [&str; 2]) -> Result<Self, (usize, String)> {
        let digest = digest(lines[0]);
        let digest = digest.ok_or((0, format!("`{DIGEST}` and 64 digits are expected")))?;
        let options = lines[1].strip_prefix(OPTIONS);
        let options = options.and_then(|text| serde_json::from_str(text).ok());
        let subject = options.map(|options| Self { digest, options });
        subject.filter(|subject| subject.lines() == lines).ok_or((
            1,
            format!("`{OPTIONS}` and a JSON array of strings is expected"),
        ))
    }
}

/// The bytes, if the line is written as it has to be.
fn digest(line: &str) -> Option<[u8; 32]> {
    let digits = line.strip_prefix(DIGEST)?;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() != 64 || !digits.bytes().all(is_digit) {
        return None;
    }
    let mut digest = [0; 32];
    for (number, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * number..2 * number + 2], 16).ok()?;
    }
    Some(digest)
}

/// JSON without characters that a terminal or an editor may show otherwise.
fn ascii(json: &str) -> String {
    let mut text = String::new();
    for c in json.chars() {
        if c == ' ' || c.is_ascii_graphic() {
            text.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

/// Whether a comment looks like a line that programs read.
pub fn is_key(comment: &str) -> bool {
    let comment: String = comment.trim_start_matches([';', ' ']).to_ascii_lowercase();
    KEYS.iter().any(|key| comment.starts_with(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(options: &[&str]) -> Subject {
        let mut digest = [0; 32];
        digest[0] = 0xab;
        digest[31] = 7;
        Subject {
            digest,
            options: options.iter().map(|&option| option.to_owned()).collect(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for options in [
            &[][..],
            &["--reduction", "dynamic"],
            &[
                "",
                " ",
                "\"\\\n\t\u{7f}\u{85}\u{2028}\u{202e}ä😀",
                "; argument: x",
            ],
        ] {
            let subject = subject(options);
            let lines = subject.lines();
            assert!(
                lines
                    .iter()
                    .all(|line| line.bytes().all(|byte| (b' '..=b'~').contains(&byte)))
            );
            assert_eq!(Subject::parse([&lines[0], &lines[1]]), Ok(subject));
        }
    }

    #[test]
    fn each_subject_has_one_spelling() {
        let [digest, options] = subject(&["--threads", "3"]).lines();
        let refused = |digest: &str, options: &str| {
            Subject::parse([digest, options]).map_err(|(line, _)| line)
        };
        for changed in [
            digest.replace("ab", "AB"),
            digest.replace("ab", "+b"),
            format!("{digest}0"),
            digest[..digest.len() - 1].to_owned(),
            digest.replace("sha256", "sha512"),
        ] {
            assert_eq!(refused(&changed, &options), Err(0), "{changed}");
        }
        for changed in [
            options.replace(',', ", "),
            options.replace("\"3\"", "3"),
            options.replace('3', "\\u0033"),
            options.replace(']', ""),
            format!("{options} "),
        ] {
            assert_eq!(refused(&digest, &changed), Err(1), "{changed}");
        }
    }
}
