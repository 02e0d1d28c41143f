//! The words of an SMT-LIB command on one line, and which of them are symbols of a position.

/// The other words that a definition may be made of, besides literals and numbers.
const OPERATORS: [&str; 31] = [
    "_",
    "true",
    "false",
    "not",
    "and",
    "or",
    "=",
    "ite",
    "bvnot",
    "bvneg",
    "bvult",
    "bvule",
    "bvslt",
    "bvsle",
    "bvand",
    "bvor",
    "bvxor",
    "bvadd",
    "bvsub",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvshl",
    "bvlshr",
    "bvashr",
    "concat",
    "extract",
    "zero_extend",
    "sign_extend",
];

/// The words of a line: parentheses, and what stands between them. `None` if it has characters that no command of a
/// certificate has, such as strings, comments and what a solver may read otherwise.
pub fn words(line: &str) -> Option<Vec<&str>> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' | ' ' => 1,
            '|' => rest[1..].find('|')? + 2,
            _ => rest.find(['(', ')', ' ', '|']).unwrap_or(rest.len()),
        };
        let (word, behind) = rest.split_at(length);
        let is_plain = |c: char| (c.is_ascii_graphic() || c == ' ') && !"\";\\".contains(c);
        if !word.chars().all(is_plain) {
            return None;
        }
        if word != " " {
            words.push(word);
        }
        rest = behind;
    }
    Some(words)
}

/// The end of a name at position 0: what comes before it, and a number that keeps equal names apart.
fn split(word: &str) -> Option<(&str, &str)> {
    let plain = word.strip_suffix('|').unwrap_or(word);
    let unnumbered = plain.trim_end_matches(|c: char| c.is_ascii_digit());
    let unnumbered = match unnumbered.strip_suffix('!') {
        Some(name) if unnumbered.len() < plain.len() => name,
        Some(_) | None => plain,
    };
    Some((unnumbered.strip_suffix("@0")?, &word[unnumbered.len()..]))
}

/// Whether a word is a symbol of position 0.
pub fn is_positioned(word: &str) -> bool {
    let bars = word.matches('|').count();
    let quoted = bars == 2 && word.starts_with('|') && word.ends_with('|') && word.len() > 2;
    (bars == 0 || quoted) && split(word).is_some()
}

/// Whether a word means the same in every certificate.
pub fn is_operator(word: &str) -> bool {
    let numeral =
        |digits: &str| !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_hexdigit());
    OPERATORS.contains(&word)
        || word.chars().all(|digit| digit.is_ascii_digit())
        || word.strip_prefix("#x").is_some_and(numeral)
        || word.strip_prefix("#b").is_some_and(numeral)
}

/// A command or name of position 0 as one of another position.
pub fn moved(line: &str, position: usize) -> String {
    let mut moved = String::with_capacity(line.len() + 8);
    let mut rest = line;
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('|').and_then(|inner| inner.find('|'));
        let length = match quoted {
            Some(end) => end + 2,
            None => rest
                .find(['(', ')', ' '])
                .map_or(rest.len(), |end| end.max(1)),
        };
        let (word, behind) = rest.split_at(length);
        match split(word) {
            Some((name, end)) => moved.push_str(&format!("{name}@{position}{end}")),
            None => moved.push_str(word),
        }
        rest = behind;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_symbols_of_position_0_move() {
        let line = "(define-fun |a b@0| () Bool (= x@0!12 ((_ extract 0 0) |y@0!1|) z@01 w@0! @0))";
        let expected =
            "(define-fun |a b@7| () Bool (= x@7!12 ((_ extract 0 0) |y@7!1|) z@01 w@0! @7))";
        assert_eq!(moved(line, 7), expected);
        assert_eq!(moved(line, 0), line);
        assert_eq!(moved("x@0@0", 1), "x@0@1");
    }

    #[test]
    fn lines_are_split_or_refused() {
        assert_eq!(words("(a |b c|)"), Some(vec!["(", "a", "|b c|", ")"]));
        for strange in ["(a; b)", "(a \"b\")", "(|a)", "(a\\)", "(a\tb)", "(ä)"] {
            assert_eq!(words(strange), None, "{strange}");
        }
    }
}
