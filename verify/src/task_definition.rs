//! Task definitions of SV-COMP (`.yml`): a program, its data model, what is verified of it, and what is known of the verdict.

use std::fs;
use std::path::{Path, PathBuf};

use abi::text::{self, printable};
use program::model::DataModel;
use serde::Deserialize;
use serde_saphyr::{Location, RenderOptions, SnippetMode, Spanned, UserMessageFormatter};

use crate::expected_verdict::ExpectedVerdict;
use crate::program_options::ProgramOptions;
use crate::property_file::{Check, PropertyFile};
use crate::property_option::PropertyOption;
use crate::verdict::Failure;

/// The versions of the format that are understood.
const VERSIONS: [&str; 3] = ["1.0", "2.0", "2.1"];

/// A task definition, with paths that are not relative to it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskDefinition {
    path: PathBuf,
    /// The files of the program: at least one.
    pub input_files: Vec<PathBuf>,
    data_model: Option<DataModel>,
    properties: Vec<TaskProperty>,
}

/// What is to be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TaskProperty {
    file: PathBuf,
    /// The line that names the file.
    line: u64,
    /// Whether the program is known to satisfy it.
    expected: Option<bool>,
    /// Which property of several in the file is known to be violated.
    subproperty: Option<String>,
}

/// The file as it is written. Other keys may be there, too.
#[derive(Deserialize)]
struct Document {
    format_version: Spanned<String>,
    input_files: Spanned<Names>,
    #[serde(default)]
    properties: Option<Vec<Entry>>,
    #[serde(default)]
    options: Option<Language>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a file, or a list of such names"
)]
enum Names {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct Entry {
    property_file: Spanned<String>,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize)]
struct Language {
    language: Option<Spanned<String>>,
    data_model: Option<Spanned<String>>,
}

impl TaskDefinition {
    /// The task definition among the files of a command line, if there is one.
    ///
    /// # Errors
    /// There are other files beside it, or a compilation database; or it is unusable.
    pub fn named(files: &[PathBuf], database: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(task) = files.iter().find(|file| is_task_definition(file)) else {
            return Ok(None);
        };
        let alone = |others: &str| {
            let task = text::path(task);
            Failure::Usage(format!(
                "`{task}` is a task definition, which names all files of the program: leave out {others}"
            ))
        };
        if files.len() > 1 {
            return Err(alone("the other files, or name the files instead of it"));
        }
        if database.is_some() {
            return Err(alone("--compile-commands, or name the files instead of it"));
        }
        Self::read(task).map(Some)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// There is none, it is not understood, or a file of the program cannot be read.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let content = fs::read(path).map_err(|error| {
            let remedy = "name a file that exists and may be read";
            unusable(path, format!("{error}; {remedy}"))
        })?;
        Self::parse(path, &content)
    }

    fn parse(path: &Path, content: &[u8]) -> Result<Self, Failure> {
        let Document {
            format_version,
            input_files,
            properties,
            options,
        } = serde_saphyr::from_slice(content).map_err(|error| unusable(path, words(&error)))?;
        known(path, "format_version", &format_version, &VERSIONS)?;
        let options = options.map(|options| (options.language, options.data_model));
        let (language, data_model) = options.unwrap_or_default();
        if let Some(language) = &language {
            known(path, "language", language, &["C"])?;
        }
        let data_model = data_model.map(|name| model(path, &name)).transpose()?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let properties = properties.into_iter().flatten().map(|entry| TaskProperty {
            file: folder.join(&entry.property_file.value),
            line: entry.property_file.referenced.line(),
            expected: entry.expected_verdict,
            subproperty: entry.subproperty,
        });
        Ok(Self {
            path: path.to_owned(),
            input_files: inputs(path, input_files)?,
            data_model,
            properties: properties.collect(),
        })
    }

    /// Completes the options by what the task says: files, data model and, if the options name none, properties. The verdicts that the
    /// task expects.
    ///
    /// # Errors
    /// The options contradict the task; a property file is unusable, or nothing that is to be verified is supported.
    pub fn complete(self, options: &mut ProgramOptions) -> Result<Vec<ExpectedVerdict>, Failure> {
        if let (Some(asked), Some(said)) = (options.data_model, self.data_model)
            && asked != said
        {
            return Err(Failure::Usage(format!(
                "the data model is {asked} by --data-model, and {said} by `{}`: leave out the option, or correct the task",
                text::path(&self.path)
            )));
        }
        let are_needed = options.properties.is_empty();
        let files = self.property_files(are_needed)?;
        if are_needed {
            options.properties = properties(files.iter().map(|(_, file)| file))?;
        }
        let expected = files.iter().filter_map(|(property, file)| {
            Some(ExpectedVerdict {
                task: self.path.clone(),
                file: file.path.clone(),
                names: file.checks.iter().flat_map(Check::names).collect(),
                holds: property.expected?,
                subproperty: property.subproperty.clone(),
            })
        });
        let expected = expected.collect();
        let properties = self.properties.into_iter().map(|property| property.file);
        options
            .descriptions
            .extend([self.path].into_iter().chain(properties));
        options.data_model = options.data_model.or(self.data_model);
        options.files = self.input_files;
        Ok(expected)
    }

    /// Reads the property files. If they are only needed for what is expected of them, some may be missing.
    fn property_files(
        &self,
        are_needed: bool,
    ) -> Result<Vec<(&TaskProperty, PropertyFile)>, Failure> {
        let mut files = Vec::new();
        for property in &self.properties {
            match PropertyFile::read(&property.file) {
                Ok(file) => files.push((property, file)),
                Err(failure) if are_needed => {
                    return Err(Failure::Input(format!(
                        "{failure}; `{}`, line {}, names it, and with --property it is not needed",
                        text::path(&self.path),
                        property.line
                    )));
                }
                Err(_) => {}
            }
        }
        Ok(files)
    }
}

/// Whether the name of a file is that of a task definition.
fn is_task_definition(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "yml" || ending == "yaml")
}

/// What files ask for together, coverage apart: that is for generators of tests.
///
/// # Errors
/// Nothing of it is supported.
fn properties<'a>(
    files: impl Iterator<Item = &'a PropertyFile>,
) -> Result<Vec<PropertyOption>, Failure> {
    let files: Vec<&PropertyFile> = files.filter(|file| !file.is_coverage()).collect();
    let mut checked = files.iter().map(|file| file.check_supported());
    if let Some(Err(first)) = checked.next()
        && checked.all(|other| other.is_err())
    {
        return Err(first);
    }
    let options = files.into_iter().flat_map(PropertyOption::of_file);
    Ok(options.collect())
}

fn inputs(path: &Path, names: Spanned<Names>) -> Result<Vec<PathBuf>, Failure> {
    let at = names.referenced;
    let names = match names.value {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    };
    if names.is_empty() {
        return Err(unusable(
            path,
            format!("`input_files` names no file{}", place(at)),
        ));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    for file in &files {
        if is_task_definition(file) {
            let name = text::path(file);
            let cause = format!(
                "`input_files` names a task definition, `{name}`{}",
                place(at)
            );
            return Err(unusable(path, cause));
        }
        if let Err(error) = fs::metadata(file) {
            let name = text::path(file);
            let cause = format!(
                "`input_files` names `{name}`, which cannot be read: {error}{}; names are relative to the folder of the task, and have \
                 no wildcards",
                place(at)
            );
            return Err(unusable(path, cause));
        }
    }
    Ok(files)
}

fn model(path: &Path, name: &Spanned<String>) -> Result<DataModel, Failure> {
    let models = DataModel::ALL.map(|model| model.to_string());
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    known(path, "data_model", name, &models)?;
    name.value
        .parse()
        .map_err(|error| unusable(path, format!("{error}{}", place(name.referenced))))
}

/// Refuses other values of a key than those that are known.
fn known(path: &Path, key: &str, given: &Spanned<String>, known: &[&str]) -> Result<(), Failure> {
    if known.contains(&given.value.as_str()) {
        return Ok(());
    }
    let cause = format!(
        "`{key}` is `{}`, expected {}{}",
        printable(&given.value),
        known.join(", "),
        place(given.referenced)
    );
    Err(unusable(path, cause))
}

fn unusable(path: &Path, cause: impl std::fmt::Display) -> Failure {
    Failure::Input(format!(
        "cannot read the task definition `{}`: {cause}",
        text::path(path)
    ))
}

/// An error of the reader of YAML with its place, and without the text there.
fn words(error: &serde_saphyr::Error) -> String {
    let mut options = RenderOptions::new(&UserMessageFormatter);
    options.snippets = SnippetMode::Off;
    error.render_with_options(options)
}

fn place(at: Location) -> String {
    format!(" at line {}, column {}", at.line(), at.column())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refused(content: &str) -> String {
        let task = TaskDefinition::parse(Path::new("t/a.yml"), content.as_bytes());
        task.expect_err("the task is malformed").to_string()
    }

    #[test]
    fn the_file_of_a_task_has_a_known_ending() {
        let named = |name: &str| is_task_definition(Path::new(name));
        assert!(named("a.yml") && named("../b.c.yaml"));
        assert!(!named("a.c") && !named("yml") && !named("-") && !named("a.yml.c"));
    }

    #[test]
    fn what_is_not_understood_has_a_place() {
        for (content, message) in [
            ("", "unexpected end of file at line 1, column 1"),
            ("- a\n", "at line 1, column 1"),
            ("input_files: a.c\n", "missing field `format_version`"),
            ("format_version: '2.0'\n", "missing field `input_files`"),
            (
                "format_version: '3.0'\ninput_files: a.c\n",
                "`format_version` is `3.0`, expected 1.0, 2.0, 2.1 at line 1, column 17",
            ),
            (
                "format_version: 2.0\r\ninput_files: {a: b}\r\n",
                "expected the name of a file, or a list of such names at line 2, column 14",
            ),
            (
                "format_version: '2.0'\ninput_files: []\n",
                "`input_files` names no file at line 2, column 14",
            ),
            (
                "format_version: '2.0'\ninput_files: b.yml\n",
                "`input_files` names a task definition, `t/b.yml` at line 2, column 14",
            ),
            (
                "format_version: '2.0'\ninput_files:\n  - lost.c\n",
                "`input_files` names `t/lost.c`, which cannot be read: No such file",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\noptions:\n  language: Java\n",
                "`language` is `Java`, expected C at line 4, column 13",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\noptions: {language: C, data_model: LP}\n",
                "`data_model` is `LP`, expected ILP32, LP64 at line 3",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - expected_verdict: true\n",
                "missing field `property_file` at line 4, column 5",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: x.prp\n    expected_verdict: maybe\n",
                "at line 5, column 23",
            ),
            ("a: &a [*a, *a]\n", "at line 1"),
        ] {
            let found = refused(content);
            let start = "cannot read the task definition `t/a.yml`: ";
            assert!(found.starts_with(start), "{found}");
            assert!(found.contains(message), "{content}: {found}");
        }
    }

    #[test]
    fn aliases_do_not_expand_without_end() {
        let mut content = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let alias = format!("*a{}", level - 1);
            let aliases = [alias.as_str(); 10].join(", ");
            content += &format!("a{level}: &a{level} [{aliases}]\n");
        }
        content += "format_version: '2.0'\ninput_files: *a11\n";
        assert!(refused(&content).contains("cannot read the task definition"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(content in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = TaskDefinition::parse(Path::new("a.yml"), &content);
        }

        #[test]
        fn any_words_are_read_or_refused(words in prop::collection::vec(
            prop::sample::select(vec![
                "format_version: '2.0'\n", "input_files:", " a.c\n", "properties:\n", "  - property_file: x\n", "    expected_verdict: ",
                "true\n", "options:\n", "  language: C\n", "  data_model: ", "LP64\n", "[", "]", "{", "}", "*a", "&a ", "? ", "\t", "---\n",
            ]),
            0..20
        )) {
            let _ = TaskDefinition::parse(Path::new("a.yml"), words.concat().as_bytes());
        }
    }
}
