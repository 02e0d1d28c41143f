//! Questions of the library about the program that it is linked with. The library asks by calls of functions such as
//! [`IS_USED`]; each call is replaced by the answer.

use rustc_hash::FxHashMap;

use super::addresses::{base, constant_offset};
use super::flow::Flow;
use super::lifetime_marks::starts_of_life;
use super::memory_objects::{allocates, comes_to_life, is_defined_variable, may_overlap};
use crate::llvm::{Builder, Module, Value};

/// `__mazurka_is_used(name)`: whether the program uses the library function of that name.
const IS_USED: &str = "__mazurka_is_used";

/// `__mazurka_is_written(address)`: whether what the memory holds is known to be no leftover.
const IS_WRITTEN: &str = "__mazurka_is_written";

/// `__mazurka_lasts(address)`: whether the address is in a variable whose life never ends.
const LASTS: &str = "__mazurka_lasts";

/// `__mazurka_may_overlap(address, address)`: whether both may point into one object.
const MAY_OVERLAP: &str = "__mazurka_may_overlap";

/// `__mazurka_waits_agree(condition, mutex)`: whether it is known that no condition variable is waited for with two mutexes. Every wait
/// asks with its own; who asks with null pointers only wants to know.
const WAITS_AGREE: &str = "__mazurka_waits_agree";

/// Answers which functions are used. The models that the program needs have just been linked in, and no others; a model must not use
/// the function whose name it asks for.
pub(super) fn of_functions(module: &Module) {
    answer(module, IS_USED, |call| {
        let name = call.operand(0).and_then(Value::global_string);
        let name = name.unwrap_or_default();
        let name = name.strip_suffix(&[0]).unwrap_or(&name);
        let function = module.function(name);
        let used = function.is_some_and(|function| !function.is_declaration());
        module.int_type(1).constant(used.into())
    });
}

/// Answers a question about the program as a whole.
pub(super) fn tell(module: &Module, question: &str, holds: bool) {
    let truth = module.int_type(1).constant(holds.into());
    answer(module, question, |_| truth);
}

/// Answers what is seen of addresses that are the values of registers, so variables must have become registers before.
/// Returns whether anything was asked.
pub(super) fn of_addresses(module: &Module) -> bool {
    [of_memory, of_lives, of_blocks, of_waits]
        .map(|answer| answer(module))
        .contains(&true)
}

/// Answers which memory was written. Static storage is from the start. Of a local or a heap object it is known where the thread has asked
/// before, since the object came to life: who asks is about to write. The answers that are not constant will become registers.
fn of_memory(module: &Module) -> bool {
    let mut asked = FxHashMap::default();
    answer(module, IS_WRITTEN, |call| {
        let address = call.operand(0);
        let is_static = |address| is_defined_variable(base(address));
        let truth = |holds: bool| module.int_type(1).constant(holds.into());
        if address.is_some_and(is_static) {
            return truth(true);
        }
        let place = address.and_then(|address| constant_offset(module, address));
        let Some((object, offset)) = place.filter(|&(object, _)| comes_to_life(object)) else {
            return truth(false);
        };
        let asked = *asked
            .entry((object, offset))
            .or_insert_with(|| note(module, object));
        let builder = Builder::before(module, call);
        let answer = builder.load(module.int_type(1), asked);
        builder.store(truth(true), asked);
        answer
    })
}

/// Answers which memory is there until the program ends.
fn of_lives(module: &Module) -> bool {
    answer(module, LASTS, |call| {
        let variable = call.operand(0).map(base);
        let lasts = |variable| is_defined_variable(variable) && !variable.is_thread_local();
        module
            .int_type(1)
            .constant(variable.is_some_and(lasts).into())
    })
}

/// A variable of the thread that is false wherever the object comes to life.
fn note(module: &Module, object: Value) -> Value {
    let never = module.int_type(1).constant(0);
    let first = object.block().function().body()[0];
    let builder = Builder::before(module, first);
    let note = builder.variable(module.int_type(1));
    builder.store(never, note);
    let starts = match object.is_call() {
        true => vec![object],
        false => starts_of_life(object),
    };
    for next in starts.into_iter().filter_map(Value::next) {
        Builder::before(module, next).store(never, note);
    }
    note
}

/// Answers which blocks may overlap.
fn of_blocks(module: &Module) -> bool {
    answer(module, MAY_OVERLAP, |call| {
        let may = match call.arguments()[..] {
            [one, other] => {
                may_overlap(one, other)
                    && !is_newer(one, other, call)
                    && !is_newer(other, one, call)
            }
            _ => true,
        };
        module.int_type(1).constant(may.into())
    })
}

/// Whether the first address is in an object that was allocated when the other address was known: where the two are compared, the other
/// one is in an older object, or in none.
fn is_newer(one: Value, other: Value, place: Value) -> bool {
    let (one, other) = (base(one), base(other));
    let stops = [one, other].into_iter().collect();
    let (last, _) = Flow::of(place.block().function()).last_before(place, &stops);
    allocates(one) && other.is_instruction() && !last.contains(&other)
}

/// Answers whether all waits for one condition variable are seen to release the same mutex.
fn of_waits(module: &Module) -> bool {
    let Some(question) = module.function(WAITS_AGREE) else {
        return false;
    };
    let waits: Vec<Wait> = question
        .users()
        .into_iter()
        .filter(|call| !call.operand(0).is_some_and(Value::is_zero))
        .map(|call| Wait::of(module, call))
        .collect();
    let all = waits
        .iter()
        .enumerate()
        .all(|(number, wait)| waits[number..].iter().all(|other| wait.agrees(other)));
    answer(module, WAITS_AGREE, |_| {
        module.int_type(1).constant(all.into())
    })
}

/// What is seen of the addresses of a wait: where each begins and a constant distance from there, if it is constant.
struct Wait {
    condition: Option<(Value, u64)>,
    mutex: Option<(Value, u64)>,
}

impl Wait {
    fn of(module: &Module, call: Value) -> Self {
        let place = |number| constant_offset(module, call.operand(number)?);
        Self {
            condition: place(0),
            mutex: place(1),
        }
    }

    /// How far the mutex is behind the condition variable, if that is always the same.
    fn distance(&self) -> Option<u64> {
        let ((object, condition), (other, mutex)) = self.condition.zip(self.mutex)?;
        (object == other).then(|| mutex.wrapping_sub(condition))
    }

    /// Whether two waits, which may be one, are for different condition variables or with the same mutex.
    fn agrees(&self, other: &Self) -> bool {
        let fixed = |place: Option<(Value, u64)>| {
            place.filter(|(object, _)| object.is_global_variable() && !object.is_thread_local())
        };
        let conditions = fixed(self.condition).zip(fixed(other.condition));
        let apart = conditions.is_some_and(|(own, other)| own != other);
        let same = fixed(self.mutex).is_some() && self.mutex == other.mutex;
        let beside = self.distance().is_some() && self.distance() == other.distance();
        apart || same || beside
    }
}

/// Puts an answer in the place of each call that asks; returns whether there is one.
fn answer(module: &Module, question: &str, mut answer: impl FnMut(Value) -> Value) -> bool {
    let calls = module.function(question).map(Value::users);
    let calls = calls.unwrap_or_default();
    for &call in &calls {
        let answer = answer(call);
        call.replace_all_uses(answer);
        call.erase();
    }
    !calls.is_empty()
}
