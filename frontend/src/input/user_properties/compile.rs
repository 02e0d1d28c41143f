//! Compiling a file with the user properties in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use process::Directory;

use super::dependencies::files;
use super::error::UserPropertyError;
use super::expression::{Calls, check};
use super::insertions::{Insertions, expression_error};
use super::overlay::Overlay;
use crate::input::compiler::{SourceFile, command, run};
use crate::input::error::InputError;

/// Compiles a C file with what is demanded in it and in the files that it includes; gives the bitcode, and the numbers of the
/// properties that are about these files.
///
/// The file is compiled as it is first. That says which files are read, by which names, and whether what the compiler refuses
/// is the program or what is demanded of it.
///
/// # Errors
/// The compiler refuses the file, as it is or with what is demanded; an expression may do more than to read.
pub(in crate::input) fn compile(
    file: &SourceFile,
    insertions: &Insertions,
) -> Result<(Vec<u8>, BTreeSet<usize>), InputError> {
    let prepare = |error| InputError::from(UserPropertyError::Prepare(error));
    let directory = Directory::new().map_err(prepare)?;
    let folder = directory.path();
    let rule = folder.join("dependencies");
    let mut plain = command(file);
    plain.arg("-MD").arg("-MF").arg(&rule);
    let bitcode = run(&plain, &file.path)?;
    let read = match fs::read(&rule) {
        Ok(rule) => files(&rule),
        // There is no such rule for what is preprocessed.
        Err(_) => Vec::new(),
    };
    let read = [read, vec![crate::operand(&file.path)]].concat();
    let overlay = Overlay::of(insertions, folder, &file.path, &read).map_err(prepare)?;
    let Some(overlay) = overlay else {
        return Ok((bitcode, BTreeSet::new()));
    };
    let compile = |arguments: Vec<String>, more: &[&str]| {
        let mut edited = command(file);
        // What only warns of the program must not refuse what is inserted.
        edited.args(arguments).arg("-w").args(more);
        edited.args(["-fno-caret-diagnostics", "-fno-show-column"]);
        run(&edited, &file.path).map_err(|error| rejected(error, &overlay, insertions))
    };
    let mut types = BTreeMap::new();
    if overlay.has_macros() {
        let none = BTreeMap::new();
        let expanded = compile(overlay.write(&none).map_err(prepare)?, &["-E", "-P"])?;
        for number in overlay.properties() {
            types.insert(number, types_in(&expanded, insertions, number)?);
        }
    } else {
        for number in overlay.properties() {
            types.insert(number, types_of_plain(insertions, number)?);
        }
    }
    let bitcode = compile(overlay.write(&types).map_err(prepare)?, &[])?;
    Ok((bitcode, overlay.properties()))
}

/// The names that must be types in the expression of a property, wherever a preprocessed text has it.
fn types_in(
    expanded: &[u8],
    insertions: &Insertions,
    number: usize,
) -> Result<BTreeSet<String>, UserPropertyError> {
    let refused = |what| expression_error(&insertions.properties[number], what);
    let call = format!("{}(", insertions.markers[number].check());
    let mut types = BTreeSet::new();
    let calls = expanded.windows(call.len()).enumerate();
    for (position, _) in calls.filter(|&(_, window)| window == call.as_bytes()) {
        let argument = argument(&expanded[position + call.len()..]);
        let argument = std::str::from_utf8(argument)
            .map_err(|_| refused("it becomes no text in UTF-8: leave macros out".into()))?;
        // The declaration has a type there.
        if argument != "int" {
            types.extend(check(argument, Calls::AreCalls).map_err(refused)?);
        }
    }
    Ok(types)
}

/// The same where there are no macros.
fn types_of_plain(
    insertions: &Insertions,
    number: usize,
) -> Result<BTreeSet<String>, UserPropertyError> {
    let Some(expression) = &insertions.markers[number].expression else {
        return Ok(BTreeSet::new());
    };
    let found = check(expression, Calls::AreCalls);
    found.map_err(|what| expression_error(&insertions.properties[number], what))
}

/// A text up to the parenthesis that ends it.
fn argument(text: &[u8]) -> &[u8] {
    let mut depth = 0;
    let mut quote = None;
    let mut bytes = text.iter().copied().enumerate();
    while let Some((position, byte)) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => drop(bytes.next()),
            (Some(end), _) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth == 0 => return &text[..position],
            (None, b')') => depth -= 1,
            (None, _) => {}
        }
    }
    text
}

/// The compiler's complaint about what was inserted, with the properties that it may be about: those of the lines that it names, or
/// else all.
fn rejected(error: InputError, overlay: &Overlay<'_>, insertions: &Insertions) -> InputError {
    let InputError::Compile { path, diagnostics } = error else {
        return error;
    };
    let of_file = overlay.properties();
    let all = of_file.iter().map(|number| &insertions.properties[*number]);
    let is_named = |line: u32| {
        let errors = diagnostics.lines().filter(|line| line.contains("error:"));
        errors
            .into_iter()
            .any(|error| error.contains(&format!(":{line}: ")))
    };
    let named: Vec<_> = all
        .clone()
        .filter(|property| is_named(property.place.line))
        .collect();
    let meant = match named.is_empty() {
        true => all.collect(),
        false => named,
    };
    let meant: Vec<String> = meant.iter().map(ToString::to_string).collect();
    UserPropertyError::Rejected {
        path,
        properties: meant.join("`, `"),
        diagnostics,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_ends_at_its_parenthesis() {
        for (text, expected) in [
            ("int); x", "int"),
            ("(a) ? 1 : 0)) x", "(a) ? 1 : 0"),
            (
                r#"(a == ')' || b == "\")") ? 1 : 0), 0)"#,
                r#"(a == ')' || b == "\")") ? 1 : 0"#,
            ),
            ("(", "("),
        ] {
            assert_eq!(argument(text.as_bytes()), expected.as_bytes());
        }
    }
}
