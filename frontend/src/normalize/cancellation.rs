//! Cancellation of threads (`pthread_cancel`), which is deferred: a request is acted upon where the thread calls certain functions.
//!
//! Each call of a cancellation point asks the library before whether there is a request, and ends the thread then. A thread that waits in
//! the call has no effect that another one sees before it goes on, so a request that comes meanwhile is as good as one that came
//! before. Only waits for condition variables give up a mutex first, and ask behind the call, too.

use abi::cancellation::{CancellationPoint, cancellation_point};

use super::library_calls::ends_of_threads;
use super::undefined_functions::is_undefined;
use crate::llvm::{Builder, Module, Value};
use crate::options::UndefinedFunctions;

/// What makes a request.
const CANCEL: &str = "pthread_cancel";

/// What the library is asked for: whether the thread ends before a call that must act, before one that may, and behind a wait with such
/// a result.
const IS_CANCELLED: &str = "__mazurka_is_cancelled";
const MAY_BE_CANCELLED: &str = "__mazurka_may_be_cancelled";
const IS_CANCELLED_IN_WAIT: &str = "__mazurka_is_cancelled_in_wait";

/// Says that the thread ends, which refuses later requests.
const BEGIN_END: &str = "__mazurka_begin_end";

/// Ends the thread if its argument is 1.
const END_IF: &str = "mazurka.end_if";

/// Lets cancellation points act upon requests, in programs that make some.
pub(super) fn act_upon_requests(module: &Module, undefined: UndefinedFunctions) {
    let cancel = module.function(CANCEL);
    if !cancel.is_some_and(|cancel| cancel.is_declaration() && !cancel.users().is_empty()) {
        return;
    }
    let calls = module.functions().into_iter().flat_map(Value::body);
    let points: Vec<(Value, CancellationPoint)> = calls
        .filter_map(|call| Some((call, point(call, undefined)?)))
        .collect();
    let end_if = define_end(module);
    let truth = module.int_type(1);
    let before = |call| Builder::before(module, call).copy_position(call);
    for (call, point) in points {
        let question = match point {
            CancellationPoint::Required | CancellationPoint::Wait => IS_CANCELLED,
            CancellationPoint::Optional => MAY_BE_CANCELLED,
        };
        let builder = before(call);
        let ends = builder.call_named(module, question, truth, &[]);
        builder.call(end_if, &[ends]);
        if point == CancellationPoint::Wait
            && let Some(next) = call.next()
        {
            let builder = Builder::before(module, next).copy_position(call);
            let ends = builder.call_named(module, IS_CANCELLED_IN_WAIT, truth, &[call]);
            builder.call(end_if, &[ends]);
        }
    }
    for end in ends_of_threads(module) {
        before(end).call_named(module, BEGIN_END, module.void_type(), &[]);
    }
}

/// What a call is. A function that no file defines, and that is taken to do anything, may be a cancellation point.
fn point(call: Value, undefined: UndefinedFunctions) -> Option<CancellationPoint> {
    let callee = call.is_call().then(|| call.callee())?;
    if !callee.is_function() || !callee.is_declaration() {
        return None;
    }
    let is_arbitrary = undefined == UndefinedFunctions::Arbitrary && is_undefined(call);
    cancellation_point(&callee.name())
        .or_else(|| is_arbitrary.then_some(CancellationPoint::Optional))
}

/// Defines what ends a thread that is cancelled.
fn define_end(module: &Module) -> Value {
    let function = module.declare(END_IF, module.void_type(), &[module.int_type(1)]);
    let block = |name| Builder::at_end(module, function.append_block(module, name));
    let [entry, ends, goes_on] = ["entry", "ends", "goes_on"].map(block);
    entry.branch_if(function.parameters()[0], ends.block(), goes_on.block());
    // PTHREAD_CANCELED has all bits.
    let all = module.int_type(1).constant(1);
    let number = ends.resize_signed(all, module.int_type(module.data_model().address_bits()));
    let result = ends.int_to_pointer(number, module.pointer_type());
    ends.call_named(module, "pthread_exit", module.void_type(), &[result]);
    ends.unreachable();
    goes_on.return_value(None);
    function
}
