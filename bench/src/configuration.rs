//! What is compared: engines, each under its default reduction or under a certain one.

use std::fmt;

use instrument::Reduction;

/// The engines that are compared, as `verify --engine` calls them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// IC3 over predicates.
    Ic3,
    /// Bounded model checking.
    Bmc,
    /// Bounded model checking over event order graphs.
    EventGraph,
    /// All engines side by side.
    Portfolio,
}

impl Engine {
    /// As on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Ic3 => "ic3",
            Self::Bmc => "bmc",
            Self::EventGraph => "eventgraph",
            Self::Portfolio => "portfolio",
        }
    }
}

/// How `verify` is to decide programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The engine.
    pub engine: Engine,
    /// The reduction; absent for that which `verify` takes by itself.
    pub reduction: Option<Reduction>,
}

impl Configuration {
    /// The engines as they are, in the order of the tables.
    pub const ENGINES: [Self; 4] = [
        Self::plain(Engine::Ic3),
        Self::plain(Engine::Bmc),
        Self::plain(Engine::EventGraph),
        Self::plain(Engine::Portfolio),
    ];

    /// An engine as it is.
    pub const fn plain(engine: Engine) -> Self {
        Self {
            engine,
            reduction: None,
        }
    }

    /// An engine under each of several reductions.
    pub fn reduced(engine: Engine, reductions: &[Reduction]) -> Vec<Self> {
        let with = |&reduction: &Reduction| Self {
            engine,
            reduction: Some(reduction),
        };
        reductions.iter().map(with).collect()
    }

    /// The options of `verify` that choose it.
    pub fn arguments(self) -> Vec<String> {
        let engine = format!("--engine={}", self.engine.name());
        let reduction = self
            .reduction
            .map(|reduction| format!("--reduction={reduction}"));
        [Some(engine), reduction].into_iter().flatten().collect()
    }
}

/// `ic3`, `ic3-dynamic`.
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.engine.name())?;
        self.reduction
            .map_or(Ok(()), |reduction| write!(f, "-{reduction}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_options_tell_engine_and_reduction() {
        let [plain, reduced] = [
            Configuration::plain(Engine::Bmc),
            Configuration::reduced(Engine::Ic3, &Reduction::ALL)[3],
        ];
        assert_eq!(plain.to_string(), "bmc");
        assert_eq!(plain.arguments(), ["--engine=bmc"]);
        assert_eq!(reduced.to_string(), "ic3-dynamic");
        assert_eq!(reduced.arguments(), ["--engine=ic3", "--reduction=dynamic"]);
    }
}
