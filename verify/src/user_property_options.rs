//! The options that demand something of statements of the program.

use clap::{ArgAction, Args};
use frontend::input::{Demand, SourceLine, UserProperty};

use crate::verdict::Failure;

/// What is demanded of statements. It belongs to the property `unreach-call`, which is verified then in any case.
#[derive(Clone, Debug, Default, Args)]
pub struct UserPropertyOptions {
    /// This expression of C must hold whenever control is about to execute the statement that begins on that line, such as
    /// `--assert-at ring.c:12 'head <= 3'`; may be repeated. A violation is one of unreach-call, which is verified in any case.
    #[arg(
        long,
        num_args = 2,
        value_names = ["FILE:LINE", "EXPRESSION"],
        allow_hyphen_values = true,
        action = ArgAction::Append
    )]
    assert_at: Vec<String>,

    /// Control must never arrive at the statement that begins on that line; may be repeated. A violation is one of unreach-call, which
    /// is verified in any case.
    #[arg(long, value_name = "FILE:LINE")]
    unreachable: Vec<SourceLine>,
}

impl UserPropertyOptions {
    /// Whether nothing is demanded.
    pub(crate) fn is_empty(&self) -> bool {
        self.assert_at.is_empty() && self.unreachable.is_empty()
    }

    /// What is demanded.
    ///
    /// # Errors
    /// It is not said of a line.
    pub(crate) fn properties(&self) -> Result<Vec<UserProperty>, Failure> {
        let asserted = self.asserted().map(|(place, expression)| {
            let place = place.parse::<SourceLine>();
            let place = place.map_err(|error| Failure::Usage(format!("`--assert-at`: {error}")))?;
            Ok(UserProperty {
                place,
                demand: Demand::Holds(expression.to_owned()),
            })
        });
        let unreached = self.unreachable.iter().map(|place| {
            Ok(UserProperty {
                place: place.clone(),
                demand: Demand::Unreached,
            })
        });
        asserted.chain(unreached).collect()
    }

    /// The options as words of a command line.
    pub(crate) fn words(&self) -> impl Iterator<Item = String> {
        let asserted = self
            .asserted()
            .flat_map(|(place, expression)| ["--assert-at", place, expression].map(str::to_owned));
        let unreached = self.unreachable.iter();
        let unreached = unreached.map(|place| format!("--unreachable={place}"));
        asserted.chain(unreached)
    }

    fn asserted(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.assert_at.chunks_exact(2);
        pairs.map(|pair| (pair[0].as_str(), pair[1].as_str()))
    }
}
