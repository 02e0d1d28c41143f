//! Cancellation of threads (`pthread_cancel`), which is deferred: a request is acted upon where the thread calls certain functions.
//!
//! Each call of a cancellation point asks the library before whether there is a request, and ends the thread then. A thread that waits in
//! the call has no effect that another one sees before it goes on, so a request that comes meanwhile is as good as one that came
//! before. Where the call gives up a mutex first, or does its work bit by bit, the thread asks behind it, too.

use abi::cancellation::{self, CancellationPoint};
use inkwell::module::Linkage;
use inkwell::values::InstructionOpcode;

use super::library_calls::ends_of_threads;
use super::undefined_functions::is_undefined;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Value};
use crate::options::UndefinedFunctions;

/// What makes a request, and what turns requests off.
const CANCEL: &str = "pthread_cancel";
const SET_STATE: &str = "pthread_setcancelstate";

/// What the library is asked for: whether the thread ends before a call that must act, before or behind one that may, before a sleep that
/// tells there what is left of it, and behind a wait with such a result.
const IS_CANCELLED: &str = "__mazurka_is_cancelled";
const MAY_BE_CANCELLED: &str = "__mazurka_may_be_cancelled";
const IS_CANCELLED_IN_SLEEP: &str = "__mazurka_is_cancelled_in_sleep";
const IS_CANCELLED_IN_WAIT: &str = "__mazurka_is_cancelled_in_wait";

/// Says that the thread ends, which refuses later requests.
const BEGIN_END: &str = "__mazurka_begin_end";

/// Ends the thread if its argument is 1.
const END_IF: &str = "mazurka.end_if";

/// Lets cancellation points act upon requests, in programs that make some.
pub(super) fn act_upon_requests(module: &Module, undefined: UndefinedFunctions) {
    let uses = |name| {
        let function = module.function(name);
        function.is_some_and(|known| known.is_declaration() && !known.users().is_empty())
    };
    if uses(CANCEL) {
        give_bodies(module);
        let calls = module.functions().into_iter().flat_map(Value::body);
        let points: Vec<(Value, CancellationPoint)> = calls
            .filter_map(|call| Some((call, point(call, undefined)?)))
            .collect();
        let end_if = define_end(module);
        for (call, point) in points {
            act(module, call, point, end_if);
        }
    }
    if uses(CANCEL) || uses(SET_STATE) {
        for end in ends_of_threads(module) {
            let builder = Builder::before(module, end).copy_position(end);
            builder.call_named(module, BEGIN_END, module.void_type(), &[]);
        }
    }
}

/// Lets a call act upon requests.
fn act(module: &Module, call: Value, point: CancellationPoint, end_if: Value) {
    let truth = module.int_type(1);
    let builder = Builder::before(module, call).copy_position(call);
    if !call.is_call() {
        let what = "cancellation point in code that is compiled for exceptions";
        insert_unsupported(module, &builder, what);
        return;
    }
    let ask = |builder: &Builder, question, arguments: &[Value]| {
        let ends = builder.call_named(module, question, truth, arguments);
        builder.call(end_if, &[ends]);
    };
    match point {
        CancellationPoint::Required => ask(&builder, IS_CANCELLED, &[]),
        CancellationPoint::Sleep { rest } => {
            let rest = call.operand(rest).filter(|_| rest < call.argument_count());
            let rest = rest.unwrap_or(module.pointer_type().null());
            ask(&builder, IS_CANCELLED_IN_SLEEP, &[rest]);
        }
        CancellationPoint::Optional | CancellationPoint::Wait | CancellationPoint::Stream => {
            ask(&builder, MAY_BE_CANCELLED, &[]);
        }
    }
    let Some(next) = call.next() else { return };
    let builder = Builder::before(module, next).copy_position(call);
    match point {
        CancellationPoint::Wait if call.value_type_of().int_width() == Some(32) => {
            ask(&builder, IS_CANCELLED_IN_WAIT, &[call]);
        }
        CancellationPoint::Wait | CancellationPoint::Stream => {
            ask(&builder, MAY_BE_CANCELLED, &[]);
        }
        CancellationPoint::Required
        | CancellationPoint::Sleep { .. }
        | CancellationPoint::Optional => {}
    }
}

/// Lets the library call a function of the program where it is given the address of a cancellation point.
fn give_bodies(module: &Module) {
    for name in cancellation::names() {
        let Some(function) = module.function(name).filter(|known| known.is_declaration()) else {
            continue;
        };
        let is_called = |user: &Value| {
            user.is_call() && user.callee() == function && !user.arguments().contains(&function)
        };
        if function.users().iter().all(is_called) || function.value_type().is_variadic() {
            continue;
        }
        let body = module.declare_as(&format!("mazurka.point.{name}"), function.value_type());
        function.replace_all_uses(body);
        body.set_linkage(Linkage::Internal);
        let builder = Builder::at_end(module, body.append_block(module, "entry"));
        let result = builder.call(function, &body.parameters());
        builder.return_value(Some(result).filter(|result| !result.value_type_of().is_void()));
    }
}

/// What a call is. A function that no file defines, and that is taken to do anything, may be a cancellation point.
fn point(call: Value, undefined: UndefinedFunctions) -> Option<CancellationPoint> {
    let is_call = call.is_call() || call.opcode() == Some(InstructionOpcode::Invoke);
    let callee = is_call.then(|| call.callee())?;
    if !callee.is_function() || !callee.is_declaration() {
        return None;
    }
    let is_arbitrary = undefined == UndefinedFunctions::Arbitrary && is_undefined(call);
    cancellation::cancellation_point(&callee.name())
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
