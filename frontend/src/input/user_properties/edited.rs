//! Files with what is demanded in front of their statements.

use std::collections::{BTreeMap, BTreeSet};

use super::statement::{Before, Place};

/// A file that user properties are about.
#[derive(Debug)]
pub(super) struct EditedFile {
    /// What tells it from all other files, whatever it is called.
    pub identity: Identity,
    /// Its bytes.
    pub source: Vec<u8>,
    /// What is put into it: in front of which statement, by the numbers of the properties.
    pub places: BTreeMap<usize, (Before, Vec<usize>)>,
}

/// Device and number of a file: one for all of its names.
pub(super) type Identity = (u64, u64);

/// A property as code.
#[derive(Debug)]
pub(super) struct Marker {
    /// Begins the names of its functions.
    pub name: String,
    /// The expression, if it demands one.
    pub expression: Option<String>,
}

impl Marker {
    /// What is called before the expression is evaluated.
    pub fn begin(&self) -> String {
        format!("{}_begin", self.name)
    }

    /// What is called with the result of the expression.
    pub fn check(&self) -> String {
        format!("{}_check", self.name)
    }

    /// What is called where control is not to arrive.
    pub fn reached(&self) -> String {
        format!("{}_reached", self.name)
    }

    /// The declarations of its functions.
    pub fn declarations(&self) -> String {
        let functions = [
            (self.begin(), "void"),
            (self.check(), "int"),
            (self.reached(), "void"),
        ];
        // With -fexceptions, what may throw is not always called by an instruction `call`.
        functions
            .map(|(name, parameters)| {
                format!("void {name}({parameters}) __attribute__((__nothrow__)); ")
            })
            .concat()
    }

    /// Its calls, as an expression without side effects but these. `types` are names that must be types.
    fn calls(&self, types: Option<&BTreeSet<String>>) -> String {
        let Some(expression) = &self.expression else {
            return format!("{}()", self.reached());
        };
        let types = types.into_iter().flatten();
        let types: String = types
            .map(|name| format!("(void)sizeof(struct {{ {name} x; }}), "))
            .collect();
        let (begin, check) = (self.begin(), self.check());
        format!("{types}{begin}(), {check}(({expression}) ? 1 : 0)")
    }
}

impl EditedFile {
    /// Notes a property.
    pub fn add(&mut self, place: Place, property: usize) {
        let (_, properties) = self
            .places
            .entry(place.offset)
            .or_insert_with(|| (place.before, Vec::new()));
        properties.push(property);
    }

    /// The file with its properties. No line becomes another.
    ///
    /// In front of a statement, that is `if (<calls>, 0) {} else`, so that the statement stays what it is a part of, whatever that
    /// is: the body of a loop, also of one that a macro begins, or the branch of an `if` before an `else`. In front of anything else
    /// it begins with a declaration, which the compiler refuses where there is no block.
    pub fn text(&self, markers: &[Marker], types: &BTreeMap<usize, BTreeSet<String>>) -> Vec<u8> {
        let mut text = Vec::new();
        let mut copied = 0;
        for (&offset, (before, properties)) in &self.places {
            text.extend(&self.source[copied..offset]);
            copied = offset;
            for property in properties {
                let marker = &markers[*property];
                let calls = marker.calls(types.get(property));
                let code = match before {
                    Before::Statement => format!("if ({calls}, 0) {{}} else "),
                    Before::BlockItem => {
                        format!(" extern int {}_here; {calls}; ", marker.name)
                    }
                };
                text.extend(code.into_bytes());
            }
        }
        text.extend(&self.source[copied..]);
        text
    }
}
