//! The types of variables, from debug information.

use rustc_hash::FxHashMap;

use crate::llvm::{DebugType, DebugTypeShape, Module};
use program::model::{CType, CTypeKind, Member, TypeId, Types};

/// The types that were read so far.
#[derive(Default)]
pub(super) struct TypeReader {
    types: Types,
    known: FxHashMap<DebugType, TypeId>,
    /// Types that were met, but not read yet.
    pending: Vec<(DebugType, TypeId)>,
}

impl TypeReader {
    /// The type with everything that it is made of.
    pub fn read(&mut self, module: &Module, debug_type: DebugType) -> TypeId {
        let id = self.met(debug_type);
        while let Some((debug_type, id)) = self.pending.pop() {
            let node = debug_type.node(module);
            let kind = self.kind(node.shape);
            self.types.all[id] = CType {
                name: node.name,
                size: node.size,
                kind,
            };
        }
        id
    }

    /// Whether a type points to something of a known type.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        self.types.pointee(id).is_some()
    }

    /// All types.
    pub fn finish(self) -> Types {
        self.types
    }

    fn met(&mut self, debug_type: DebugType) -> TypeId {
        if let Some(&id) = self.known.get(&debug_type) {
            return id;
        }
        let id = self.types.all.push(unknown());
        self.known.insert(debug_type, id);
        self.pending.push((debug_type, id));
        id
    }

    fn kind(&mut self, shape: DebugTypeShape) -> CTypeKind {
        match shape {
            DebugTypeShape::Scalar { unsigned } => CTypeKind::Scalar { unsigned },
            DebugTypeShape::Enumeration(values) => CTypeKind::Enumeration(values),
            DebugTypeShape::Pointer(to) => CTypeKind::Pointer(to.map(|to| self.met(to))),
            DebugTypeShape::Alias(Some(of)) => CTypeKind::Alias(self.met(of)),
            DebugTypeShape::Alias(None) => CTypeKind::Scalar { unsigned: false },
            DebugTypeShape::Members(members) => {
                let members = members.into_iter().map(|(name, offset, c_type)| Member {
                    name,
                    offset,
                    c_type: self.met(c_type),
                });
                CTypeKind::Members(members.collect())
            }
            DebugTypeShape::Array(element, counts) => self.array(element, &counts),
        }
    }

    /// An array of arrays for each dimension but the first.
    fn array(&mut self, element: DebugType, counts: &[Option<u32>]) -> CTypeKind {
        let mut element = self.met(element);
        let (first, others) = counts.split_first().unwrap_or((&None, &[]));
        for &count in others.iter().rev() {
            element = self.types.all.push(CType {
                kind: CTypeKind::Array { element, count },
                ..unknown()
            });
        }
        CTypeKind::Array {
            element,
            count: *first,
        }
    }
}

/// A type of which nothing is known.
fn unknown() -> CType {
    CType {
        name: String::new(),
        size: 0,
        kind: CTypeKind::Scalar { unsigned: false },
    }
}
