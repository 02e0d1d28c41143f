//! The threads and memory objects of all runs within the bounds.
//!
//! A creating statement outside of cycles gives one instance per run of the thread that executes it. A statement in a
//! cycle, or one through which templates create each other, gives as many as [`Bounds::threads`] says. A run that
//! creates more threads ends at a limit; it is never omitted. Heap objects are enumerated in the same way; see
//! [`Allocation`].

mod count;
mod families;
mod frequency;
mod lookup;
mod objects;
mod places;

use cranelift_entity::PrimaryMap;

use self::count::count_instances;
use self::objects::Enumeration;

pub use self::families::{NotRepresented, represent};
pub use self::lookup::{Allocation, start_templates};
pub use self::places::{Placement, Sharing};
pub use crate::model::Bounds;
use crate::model::{Instance, Instances, Program};

/// Enumerates threads and objects.
pub fn instantiate(program: &Program, bounds: &Bounds) -> Instances {
    let counts = count_instances(program, bounds);
    let mut threads = PrimaryMap::new();
    threads.push(Instance {
        template: program.main,
        ordinal: 0,
    });
    for (template, &count) in counts.iter() {
        let first = u32::from(template == program.main);
        for ordinal in first..count {
            threads.push(Instance { template, ordinal });
        }
    }
    let mut enumeration = Enumeration {
        program,
        threads: &threads,
        objects: PrimaryMap::new(),
    };
    let mut table = enumeration.places();
    table.pools = enumeration.heap(&counts, bounds);
    table.threads = enumeration.threads();
    table.nowhere = enumeration.nowhere();
    table.bases = enumeration.bases();
    let objects = enumeration.objects;
    Instances {
        data_model: program.data_model,
        bounds: *bounds,
        threads,
        objects,
        table,
    }
}
