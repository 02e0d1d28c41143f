//! The engines, each an entry of [`ENGINES`]: the command line, the portfolio and the reports know no others.
//!
//! An engine is asked a [`Question`] about a program and gives an [`Answer`]. No answer is trusted before its evidence
//! is checked. To add an engine: a file with its [`Engine`], and a line in the table.

mod answer;
mod bmc;
mod ctigar;
mod engine;
pub(crate) mod eventgraph;
pub(crate) mod explicit;
mod kind;
mod modular;
mod settings;
mod symbolic;

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;

pub use answer::{Answer, LimitReached};
pub use engine::{Engine, EngineInput, MemoryShare, Question};
pub use settings::{PredicateChoice, SchedulingChoice, ScopeChoice, Settings, SolverChoice};

/// All engines, in the order in which they are started where they are.
pub const ENGINES: [&Engine; 8] = [
    &ctigar::IC3,
    &ctigar::IC3_EXACT,
    &bmc::BMC,
    &kind::KIND,
    &explicit::EXPLICIT,
    &explicit::EXPLICIT_REDUCED,
    &eventgraph::EVENTGRAPH,
    &modular::MODULAR,
];

/// The engines that are asked.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// All, side by side.
    Portfolio,
    /// This one.
    One(&'static Engine),
}

impl Choice {
    /// The engines in the order in which they are started.
    pub(crate) fn engines(self) -> Vec<&'static Engine> {
        self.only()
            .map_or_else(|| ENGINES.to_vec(), |engine| vec![engine])
    }

    /// The one of them whose proofs are about several threads of any number at a time.
    pub(crate) fn about_several(self) -> Option<Self> {
        let mut engines = self.engines().into_iter();
        let name = ctigar::IC3.name;
        engines.find(|engine| engine.name == name).map(Self::One)
    }

    /// Whether one of them works on the transition system.
    pub(crate) fn needs_encoding(self) -> bool {
        let mut engines = self.engines().into_iter();
        engines.any(|engine| engine.input == EngineInput::System)
    }

    /// The only engine, if there is one.
    pub(crate) fn only(self) -> Option<&'static Engine> {
        match self {
            Self::Portfolio => None,
            Self::One(engine) => Some(engine),
        }
    }
}

impl ValueEnum for Choice {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Choice>> = LazyLock::new(|| {
            let one = ENGINES.into_iter().map(Choice::One);
            one.chain([Choice::Portfolio]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Portfolio => PossibleValue::new("portfolio")
                .help("All engines side by side; the first conclusive answer counts"),
            Self::One(engine) => PossibleValue::new(engine.name).help(engine.about),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(engine: &Engine) -> String {
        let input = match engine.input {
            EngineInput::Program => "the program",
            EngineInput::System => "the transition system that encodes the program",
        };
        let [violation, proof] = engine.evidence;
        format!(
            "## `{}`\n\n{}.\n\n- works on {input}\n- evidence of a violation: {violation}\n- evidence of a proof: {proof}\n",
            engine.name, engine.about
        )
    }

    #[test]
    fn the_page_lists_the_table() {
        let page = include_str!("../../../docs/engines.md");
        let expected: Vec<String> = ENGINES.into_iter().map(entry).collect();
        let expected = expected.join("\n");
        assert!(
            page.ends_with(&expected),
            "docs/engines.md ends otherwise than by\n{expected}"
        );
    }
}
