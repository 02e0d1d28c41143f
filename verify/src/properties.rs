//! What `--property` names.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use program::model::Property;

/// The properties of memory together, by SV-COMP's name.
const MEMORY: (&str, &[Property]) = (
    "valid-memsafety",
    &[
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
    ],
);

/// What SV-COMP calls the end of all runs: they do not go on for ever, and no thread waits for good.
const TERMINATION: (&str, &[Property]) = (
    "termination",
    &[Property::NoDeadlock, Property::NoInfiniteRun],
);

/// All that no run may do. A run that goes on for ever may be what the program is for.
const ALL: (&str, &[Property]) = (
    "all",
    &[
        Property::UnreachCall,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::NoOverflow,
        Property::NoLockMisuse,
        Property::NoDataRace,
        Property::NoDeadlock,
    ],
);

/// What has a name together.
const GROUPS: [(&str, &[Property]); 3] = [MEMORY, TERMINATION, ALL];

/// One property, or several that have a name together.
///
/// ```
/// use program::model::Property;
/// use verify::properties::Properties;
///
/// let memory: Properties = "valid-memsafety".parse()?;
/// let all = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
/// assert_eq!(memory, all.into_iter().collect());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties(BTreeSet<Property>);

impl Properties {
    /// Each of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Property> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Property> for Properties {
    fn from_iter<I: IntoIterator<Item = Property>>(properties: I) -> Self {
        Self(properties.into_iter().collect())
    }
}

impl FromStr for Properties {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let group = GROUPS.into_iter().find(|&(known, _)| known == name);
        match group {
            Some((_, properties)) => Ok(properties.iter().copied().collect()),
            None => {
                let property = name.parse::<Property>();
                let [memory, termination, all] = GROUPS.map(|(name, _)| name);
                let property = property
                    .map_err(|error| format!("{error}, `{memory}`, `{termination}` or `{all}`"))?;
                Ok([property].into_iter().collect())
            }
        }
    }
}

impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|property| property.to_string()).collect();
        f.write_str(&names.join(","))
    }
}
