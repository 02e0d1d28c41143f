//! Operations on integers that C gives no value: clang's own checks of operands end in traps.

use super::added;
use super::requirement::require_of_integers;
use crate::llvm::{Builder, Module, Value};

/// What checks are about, by the numbers of their traps.
const TRAPS: [(u64, &str); 6] = [
    (0, SIGNED),
    (3, "division by zero or signed overflow"),
    (12, SIGNED),
    (13, SIGNED),
    (20, "shift out of the range of the type"),
    (21, SIGNED),
];

const SIGNED: &str = "signed overflow";

/// Turns the traps of these checks into requirements that do not hold.
pub(super) fn require_no_traps(module: &Module) {
    for call in added::functions(module).flat_map(Value::body) {
        let is_trap = call.is_call()
            && call.callee().is_function()
            && call.callee().name() == "llvm.ubsantrap";
        let number = call.operand(0).filter(|_| is_trap).and_then(Value::integer);
        let known = TRAPS
            .iter()
            .find(|(trap, _)| number == Some((*trap).into()));
        if let Some((_, what)) = known {
            let never = module.int_type(1).constant(0);
            let builder = Builder::before(module, call).copy_position(call);
            require_of_integers(module, &builder, never, what);
        }
    }
}
