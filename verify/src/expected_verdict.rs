//! Verdicts that a task definition expects, and those that differ from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use abi::text::{self, printable};

use crate::options::Options;
use crate::report::PropertyVerdict;
use crate::verdict::Verdict;

/// What is known of the properties of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedVerdict {
    /// The task definition that says it.
    pub task: PathBuf,
    /// The property file.
    pub file: PathBuf,
    /// The properties that it asks for.
    pub names: Vec<String>,
    /// Whether the program satisfies all of them.
    pub holds: bool,
    /// The only one that it violates, if that is known.
    pub subproperty: Option<String>,
}

/// Where a verdict is another than expected, in words. The verdicts on the properties are given if there are several.
pub fn differences(
    options: &Options,
    verdict: &Verdict,
    properties: &[PropertyVerdict],
) -> Vec<String> {
    let verdicts = each(options, verdict, properties);
    let expected = options.expected.iter();
    expected
        .filter(|expected| expected.differs(&verdicts))
        .map(|expected| format!("{expected}, but {}", expected.found(&verdicts)))
        .collect()
}

/// The verdict on each property of which one is known.
fn each(
    options: &Options,
    verdict: &Verdict,
    properties: &[PropertyVerdict],
) -> BTreeMap<String, Verdict> {
    if !properties.is_empty() {
        let verdicts = properties.iter();
        return verdicts
            .map(|property| (property.name.clone(), property.verdict.clone()))
            .collect();
    }
    let verified = options.program.verified();
    // Of several that are verified together, it is not told which one is violated.
    match verified.len() == 1 || *verdict == Verdict::Safe {
        true => verified
            .iter()
            .map(|property| (property.to_string(), verdict.clone()))
            .collect(),
        false => BTreeMap::new(),
    }
}

impl ExpectedVerdict {
    fn differs(&self, verdicts: &BTreeMap<String, Verdict>) -> bool {
        let is_violated = |name: &str| matches!(verdicts.get(name), Some(Verdict::Unsafe { .. }));
        let is_satisfied = |name: &str| verdicts.get(name) == Some(&Verdict::Safe);
        let mut names = self.names.iter();
        match &self.subproperty {
            _ if self.holds => names.any(|name| is_violated(name)),
            Some(violated) => {
                let mut others = names.filter(|name| *name != violated);
                is_satisfied(violated)
                    || !is_violated(violated) && others.any(|name| is_violated(name))
            }
            None => names.all(|name| is_satisfied(name)),
        }
    }

    /// What was found out of its properties.
    fn found(&self, verdicts: &BTreeMap<String, Verdict>) -> String {
        let names: BTreeSet<&str> = self.names.iter().map(String::as_str).collect();
        let known = names
            .into_iter()
            .filter_map(|name| Some((name, verdicts.get(name)?)));
        let conclusive = known.filter(|(_, verdict)| verdict.is_conclusive());
        let words = conclusive.map(|(name, verdict)| format!("{name} is {}", verdict.words()));
        words.collect::<Vec<_>>().join(", ")
    }
}

impl std::fmt::Display for ExpectedVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (task, file) = (text::path(&self.task), text::path(&self.file));
        let expected = match &self.subproperty {
            _ if self.holds => "true".to_owned(),
            Some(violated) => format!("false ({})", printable(violated)),
            None => "false".to_owned(),
        };
        write!(
            f,
            "the expected verdict of `{task}` for `{file}` is {expected}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violated() -> Verdict {
        Verdict::Unsafe {
            property: "use after free".into(),
            file: "a.c".into(),
            line: 3,
            related: None,
        }
    }

    fn expected(holds: bool, subproperty: Option<&str>) -> ExpectedVerdict {
        ExpectedVerdict {
            task: "a.yml".into(),
            file: "memory.prp".into(),
            names: ["valid-deref", "valid-free", "valid-memtrack"]
                .map(str::to_owned)
                .to_vec(),
            holds,
            subproperty: subproperty.map(str::to_owned),
        }
    }

    /// Whether verdicts on access, free and leak differ from what is expected: to hold, to be violated, and these each.
    fn differ(verdicts: [Verdict; 3]) -> [bool; 4] {
        let names = expected(true, None).names;
        let verdicts = names.into_iter().zip(verdicts).collect();
        [
            (true, None),
            (false, None),
            (false, Some("valid-deref")),
            (false, Some("valid-memtrack")),
        ]
        .map(|(holds, subproperty)| expected(holds, subproperty).differs(&verdicts))
    }

    #[test]
    fn only_what_is_shown_differs() {
        let unknown = || Verdict::unknown("time");
        let (safe, unknown_all) = (
            [Verdict::Safe, Verdict::Safe, Verdict::Safe],
            [unknown(), unknown(), unknown()],
        );
        assert_eq!(differ(safe), [false, true, true, true]);
        assert_eq!(differ(unknown_all), [false; 4]);
        let leak_is_open = [Verdict::Safe, Verdict::Safe, unknown()];
        assert_eq!(differ(leak_is_open), [false, false, true, false]);
        let access = [violated(), Verdict::Safe, unknown()];
        assert_eq!(differ(access), [true, false, false, true]);
        let free = [unknown(), violated(), unknown()];
        assert_eq!(differ(free), [true, false, true, true]);
    }

    #[test]
    fn a_difference_names_the_files_and_the_verdicts() {
        let expected = expected(false, Some("valid-free"));
        let verdicts = [("valid-deref", violated()), ("valid-free", Verdict::Safe)];
        let verdicts = verdicts.map(|(name, verdict)| (name.to_owned(), verdict));
        let found = expected.found(&verdicts.into());
        assert_eq!(
            format!("{expected}, but {found}"),
            "the expected verdict of `a.yml` for `memory.prp` is false (valid-free), \
             but valid-deref is UNSAFE (use after free) at a.c:3, valid-free is SAFE"
        );
    }
}
