//! The types of C that debug information gives to variables. They name what is inside of an object; the meaning of a program does not depend
//! on them.

use cranelift_entity::{PrimaryMap, entity_impl};

/// A type of the C program, within [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

/// A type of the C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CType {
    /// The name without `struct`, `union` or `enum`; empty if it has none.
    pub name: String,
    /// Its size in bytes; 0 if that is not known.
    pub size: u32,
    /// What it is made of.
    pub kind: CTypeKind,
}

/// What a type is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CTypeKind {
    /// A number or anything else without parts.
    Scalar {
        /// Whether its numbers are never negative.
        unsigned: bool,
    },
    /// An enumeration: names of its values.
    Enumeration(Vec<(String, i128)>),
    /// A pointer, and what it points to unless that is `void` or a function.
    Pointer(Option<TypeId>),
    /// Another name for a type, or the type with qualifiers.
    Alias(TypeId),
    /// A structure or union; bit-fields are not among its members.
    Members(Vec<Member>),
    /// An array; without number of elements its size is that of the object.
    Array {
        /// The type of an element.
        element: TypeId,
        /// How many there are, if that is known.
        count: Option<u32>,
    },
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Empty for an anonymous structure or union.
    pub name: String,
    /// Where it starts, in bytes.
    pub offset: u32,
    /// Its type.
    pub c_type: TypeId,
}

/// What lies at a place in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `.jobs.length` or `[2].state`; empty for the object itself.
    pub path: String,
    /// How many bytes the place is behind the start of what the path names.
    pub rest: u32,
    /// The type of what the path names.
    pub c_type: TypeId,
}

/// Types whose members no program may name: the C library's objects for threads.
const OPAQUE: [&str; 5] = ["pthread_", "sem_t", "mtx_t", "cnd_t", "once_flag"];

/// Types deeper inside of each other than this are not looked into. Types contain no cycle but through pointers; those of damaged debug
/// information may.
const DEEPEST: usize = 32;

/// The types of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// All of them.
    pub all: PrimaryMap<TypeId, CType>,
}

impl Types {
    /// The type behind other names and qualifiers.
    pub fn resolved(&self, id: TypeId) -> &CType {
        &self.all[self.resolved_id(id)]
    }

    fn resolved_id(&self, mut id: TypeId) -> TypeId {
        for _ in 0..DEEPEST {
            let CTypeKind::Alias(of) = self.all[id].kind else {
                break;
            };
            id = of;
        }
        id
    }

    /// The first name of a type, that of a typedef before that of its structure; empty if it has none.
    pub fn name(&self, mut id: TypeId) -> &str {
        for _ in 0..DEEPEST {
            let c_type = &self.all[id];
            let CTypeKind::Alias(of) = c_type.kind else {
                return &c_type.name;
            };
            if !c_type.name.is_empty() {
                return &c_type.name;
            }
            id = of;
        }
        ""
    }

    /// What a pointer type points to, if it is one and that is known.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.resolved(id).kind {
            CTypeKind::Pointer(to) => to,
            CTypeKind::Scalar { .. }
            | CTypeKind::Enumeration(_)
            | CTypeKind::Alias(_)
            | CTypeKind::Members(_)
            | CTypeKind::Array { .. } => None,
        }
    }

    /// Whether the type is one of the C library whose members no program may name.
    pub fn is_opaque(&self, mut id: TypeId) -> bool {
        for _ in 0..DEEPEST {
            let c_type = &self.all[id];
            if OPAQUE.iter().any(|prefix| c_type.name.starts_with(prefix)) {
                return true;
            }
            let CTypeKind::Alias(of) = c_type.kind else {
                return false;
            };
            id = of;
        }
        false
    }

    /// Whether the type has parts that have names or numbers.
    pub fn is_compound(&self, id: TypeId) -> bool {
        matches!(
            self.resolved(id).kind,
            CTypeKind::Members(_) | CTypeKind::Array { .. }
        )
    }

    /// The size of a type in bytes; 0 if it is not known.
    pub fn size(&self, id: TypeId) -> u32 {
        self.size_within(id, DEEPEST)
    }

    fn size_within(&self, id: TypeId, depth: usize) -> u32 {
        let c_type = self.resolved(id);
        match c_type.kind {
            CTypeKind::Array {
                element,
                count: Some(count),
            } if c_type.size == 0 && depth > 0 => {
                let element = self.size_within(element, depth - 1);
                element.checked_mul(count).unwrap_or(0)
            }
            CTypeKind::Scalar { .. }
            | CTypeKind::Enumeration(_)
            | CTypeKind::Pointer(_)
            | CTypeKind::Alias(_)
            | CTypeKind::Members(_)
            | CTypeKind::Array { .. } => c_type.size,
        }
    }

    /// What lies at `offset` in memory of this type, as deep as an access of `width` bytes needs: the first of the members that fit.
    /// Memory that is larger than the type is an array of it.
    pub fn part(&self, id: TypeId, size: u32, offset: u32, width: u32) -> Part {
        self.part_until(id, (size, offset), width, |_| false)
    }

    fn part_until(
        &self,
        id: TypeId,
        (size, offset): (u32, u32),
        width: u32,
        is_found: impl Fn(&Part) -> bool,
    ) -> Part {
        let whole = self.size(id);
        let mut part = Part {
            path: String::new(),
            rest: offset,
            c_type: id,
        };
        let is_array = whole > 0 && size >= 2 * whole && size % whole == 0;
        if is_array && !is_found(&part) && !self.has_open_end(id) {
            part.path = format!("[{}]", offset / whole);
            part.rest = offset % whole;
        }
        for _ in 0..DEEPEST {
            let is_end = is_found(&part) || self.is_opaque(part.c_type);
            if is_end || !self.descend(&mut part, width) {
                break;
            }
        }
        part
    }

    /// The outermost part that starts at `offset` and has the type `wanted`, if that is known and there is one, and else the outermost one; or else
    /// the part that [`Self::part`] gives.
    pub fn outermost_part(
        &self,
        id: TypeId,
        size: u32,
        offset: u32,
        wanted: Option<TypeId>,
    ) -> Part {
        if let Some(wanted) = wanted.map(|wanted| self.resolved_id(wanted)) {
            let is_wanted = |part: &Part| part.rest == 0 && self.resolved_id(part.c_type) == wanted;
            let part = self.part_until(id, (size, offset), 0, is_wanted);
            if is_wanted(&part) {
                return part;
            }
        }
        self.part_until(id, (size, offset), 0, |part| part.rest == 0)
    }

    /// Whether a structure ends with an array whose size is that of the object.
    pub fn has_open_end(&self, id: TypeId) -> bool {
        let CTypeKind::Members(members) = &self.resolved(id).kind else {
            return false;
        };
        let last = members.last().map(|member| self.resolved(member.c_type));
        last.is_some_and(|last| matches!(last.kind, CTypeKind::Array { count: None, .. }))
    }

    /// Goes one level deeper; says whether there is one.
    fn descend(&self, part: &mut Part, width: u32) -> bool {
        match &self.resolved(part.c_type).kind {
            CTypeKind::Members(members) => {
                let contains = |member: &&Member| {
                    let size = self.size(member.c_type);
                    let end = match size {
                        0 => u32::MAX,
                        size => member.offset.saturating_add(size),
                    };
                    member.offset <= part.rest && part.rest < end
                };
                let fits = |member: &&Member| {
                    member.offset == part.rest && self.size(member.c_type) == width
                };
                let mut inside = members.iter().filter(contains);
                let exact = members.iter().find(fits);
                let Some(member) = exact.or_else(|| inside.next()) else {
                    return false;
                };
                if !member.name.is_empty() {
                    part.path = format!("{}.{}", part.path, member.name);
                }
                part.rest -= member.offset;
                part.c_type = member.c_type;
                true
            }
            &CTypeKind::Array { element, count } => {
                let size = self.size(element);
                let index = part.rest.checked_div(size);
                let Some(index) = index.filter(|index| count.is_none_or(|count| *index < count))
                else {
                    return false;
                };
                part.path = format!("{}[{index}]", part.path);
                part.rest %= size;
                part.c_type = element;
                true
            }
            CTypeKind::Scalar { .. }
            | CTypeKind::Enumeration(_)
            | CTypeKind::Pointer(_)
            | CTypeKind::Alias(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `struct { int first; struct { char kind; int cells[3]; } inner; int open[]; }`.
    fn structure() -> (Types, TypeId) {
        let mut types = Types::default();
        let mut add = |name: &str, size, kind| {
            types.all.push(CType {
                name: name.to_owned(),
                size,
                kind,
            })
        };
        let member = |name: &str, offset, c_type| Member {
            name: name.to_owned(),
            offset,
            c_type,
        };
        let number = CTypeKind::Scalar { unsigned: false };
        let int = add("int", 4, number.clone());
        let char = add("char", 1, number);
        let array = |count| CTypeKind::Array {
            element: int,
            count,
        };
        let cells = add("", 12, array(Some(3)));
        let open = add("", 0, array(None));
        let inner = vec![member("kind", 0, char), member("cells", 4, cells)];
        let inner = add("inner", 16, CTypeKind::Members(inner));
        let members = vec![
            member("first", 0, int),
            member("inner", 4, inner),
            member("open", 20, open),
        ];
        let whole = add("whole", 20, CTypeKind::Members(members));
        let alias = add("whole_t", 0, CTypeKind::Alias(whole));
        (types, alias)
    }

    #[test]
    fn places_are_members_and_elements() {
        let (types, whole) = structure();
        let place = |size, offset| {
            let part = types.part(whole, size, offset, 4);
            (part.path, part.rest)
        };
        assert_eq!(place(20, 0), (".first".into(), 0));
        assert_eq!(place(20, 4), (".inner.kind".into(), 0));
        assert_eq!(place(20, 12), (".inner.cells[1]".into(), 0));
        assert_eq!(place(20, 14), (".inner.cells[1]".into(), 2));
        // Between two members.
        assert_eq!(place(20, 6), (".inner".into(), 2));
        assert_eq!(place(40, 28), (".open[2]".into(), 0));
        assert_eq!(types.name(whole), "whole_t");
        let target = |offset| types.outermost_part(whole, 20, offset, None).path;
        assert_eq!([0, 4, 8].map(target), ["", ".inner", ".inner.cells"]);
        let int = types.all.keys().next();
        let numbers = |offset| types.outermost_part(whole, 20, offset, int).path;
        assert_eq!(
            [0, 4, 8].map(numbers),
            [".first", ".inner", ".inner.cells[0]"]
        );
    }

    #[test]
    fn larger_memory_is_an_array() {
        let (mut types, _) = structure();
        let int = types.all.keys().next().expect("the first type");
        assert_eq!(types.part(int, 12, 8, 4).path, "[2]");
        assert_eq!(types.part(int, 4, 0, 4).path, "");
        let loops = types.all.next_key();
        types.all.push(CType {
            name: String::new(),
            size: 0,
            kind: CTypeKind::Alias(loops),
        });
        assert_eq!(types.part(loops, 4, 0, 4).path, "");
        assert_eq!(types.name(loops), "");
    }
}
