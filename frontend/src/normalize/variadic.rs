//! Variadic functions get two more parameters instead: the places of the arguments that registers pass, and of those that the stack
//! passes. Which argument is where, and what a `va_list` knows of it, is that of the ABIs of x86 and x86-64 (System V), since what
//! compilers make of `va_arg` looks there.

use program::model::DataModel;
use rustc_hash::FxHashMap;

use super::lifetime_marks::insert_mark;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Type, TypeParts, Value};

/// So many arguments are passed in registers of each kind, and so many bytes of each are stored: first those of integers.
const INTEGER_REGISTERS: u64 = 6;
const FLOAT_REGISTERS: u64 = 8;
const INTEGER: u64 = 8;
const FLOAT: u64 = 16;
const FLOATS: u64 = INTEGER * INTEGER_REGISTERS;

/// Arguments on the stack start at a multiple of the size of an address. On x86-64 they do at one of twice that if they need it.
const SLOT: u64 = 8;
const LONG: u64 = 16;

/// What a `va_list` of x86-64 holds from which byte on: how far both parts of the registers are read, and addresses of the rest of the
/// stack's arguments and of the registers.
const INTEGERS_READ: u64 = 0;
const FLOATS_READ: u64 = 4;
const STACK: u64 = 8;
const REGISTERS: u64 = 16;
/// How many bytes it has. That of x86 is the address of the next argument.
const LIST: u64 = 24;

/// Gives the variadic functions of the module another type, with two more parameters, and passes these in their calls. Others keep
/// their type, and are not read: `main`, those with addresses of labels, and those of other machines.
pub(super) fn pass_in_memory(module: &Module) {
    let triple = module.triple();
    let is_known = match module.data_model() {
        DataModel::Ilp32 => true,
        DataModel::Lp64 => triple.starts_with("x86_64") && !triple.contains("windows"),
    };
    if !is_known {
        return;
    }
    let is_variadic = |function: &Value| {
        !function.is_declaration()
            && function.value_type().is_variadic()
            && function.name() != "main"
    };
    let functions = module.functions().into_iter().filter(is_variadic);
    let mut retyped = FxHashMap::default();
    for function in Vec::from_iter(functions) {
        let Some(named) = named(module, function) else {
            continue;
        };
        let old = function.value_type();
        let mut parameters = old.parameter_types();
        parameters.extend([module.pointer_type(); 2]);
        let new = function.retyped(module, Type::function(old.result(), &parameters));
        retyped.insert(new, (old, named));
    }
    let bodies = module.functions().into_iter().flat_map(Value::body);
    for call in Vec::from_iter(bodies.filter(|value| value.is_call())) {
        let callee = call.callee();
        match retyped.get(&callee) {
            Some(&(called, named)) if call.call_type() == called => {
                pass(module, call, callee, named);
            }
            Some(_) => refuse(
                module,
                call,
                "call of a variadic function as one that is not",
            ),
            None if callee.is_intrinsic() => {
                let function = call.block().function();
                let named = retyped.get(&function).map(|&(_, named)| named);
                expand_intrinsic(module, call, (function, named));
            }
            None => {}
        }
    }
}

/// How many registers of each kind and bytes of the stack are taken.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    data_model: DataModel,
    integers: u64,
    floats: u64,
    stack: u64,
}

/// What passes an argument, and from which byte on.
#[derive(Clone, Copy, Debug)]
enum Place {
    Registers(u64),
    Stack(u64),
}

/// What an argument needs.
#[derive(Clone, Copy, Debug)]
enum Class {
    Integers(u64),
    Float,
    Stack,
}

impl Taken {
    fn integers_read(self) -> u64 {
        INTEGER * self.integers
    }

    fn floats_read(self) -> u64 {
        FLOATS + FLOAT * self.floats
    }

    /// Bytes that hold what registers pass.
    fn registers(self) -> u64 {
        match self.floats {
            0 => self.integers_read(),
            _ => self.floats_read(),
        }
    }

    /// Where the next argument goes; `size` and `alignment` count on the stack.
    fn take(&mut self, class: Class, size: u64, alignment: u64) -> Place {
        if self.data_model == DataModel::Ilp32 {
            let start = self.stack;
            self.stack = start + size.next_multiple_of(self.data_model.address_bytes().into());
            return Place::Stack(start);
        }
        match class {
            Class::Integers(count) if self.integers + count <= INTEGER_REGISTERS => {
                let start = self.integers_read();
                self.integers += count;
                Place::Registers(start)
            }
            Class::Float if self.floats < FLOAT_REGISTERS => {
                let start = self.floats_read();
                self.floats += 1;
                Place::Registers(start)
            }
            Class::Integers(_) | Class::Float | Class::Stack => {
                let start = match alignment > SLOT {
                    true => self.stack.next_multiple_of(LONG),
                    false => self.stack,
                };
                self.stack = start + size.next_multiple_of(SLOT);
                Place::Stack(start)
            }
        }
    }

    /// The place of an argument that is a value; `None` for those that compilers of C do not pass.
    fn take_value(&mut self, module: &Module, value_type: Type) -> Option<Place> {
        let size = value_type.size(module)?;
        let class = match (value_type.parts(), value_type.int_width()) {
            (_, Some(1..=64)) => Class::Integers(1),
            (_, Some(128)) => Class::Integers(2),
            (TypeParts::Vector(..), _) if size == SLOT || size == LONG => Class::Float,
            (TypeParts::None, None) if value_type.is_pointer() => Class::Integers(1),
            (TypeParts::None, None) => match value_type.precision()? {
                f32::MANTISSA_DIGITS | f64::MANTISSA_DIGITS => Class::Float,
                _ => Class::Stack,
            },
            _ => return None,
        };
        Some(self.take(class, size, size))
    }

    /// The place of an object, which is copied.
    fn take_object(&mut self, module: &Module, object: Type, alignment: u32) -> Option<Place> {
        let size = object.size(module)?;
        let alignment = Some(u64::from(alignment)).filter(|alignment| *alignment <= LONG)?;
        Some(self.take(Class::Stack, size, alignment))
    }
}

/// What the parameters of a function take.
fn named(module: &Module, function: Value) -> Option<Taken> {
    let mut taken = Taken {
        data_model: module.data_model(),
        ..Taken::default()
    };
    for (index, parameter) in (0..).zip(function.parameters()) {
        match function.by_value_type(index) {
            Some(object) => {
                let alignment = function.parameter_alignment(index);
                taken.take_object(module, object, alignment)?;
            }
            None => {
                taken.take_value(module, parameter.value_type_of())?;
            }
        }
    }
    // The list starts behind them.
    taken.stack = 0;
    Some(taken)
}

/// Replaces a call by one that stores the further arguments first.
fn pass(module: &Module, call: Value, function: Value, named: Taken) {
    let arguments = call.arguments();
    let (own, further) = arguments.split_at(call.call_type().parameter_types().len());
    let mut taken = named;
    let mut placed = Vec::new();
    for (index, &argument) in (own.len() as u32..).zip(further) {
        let object = call.passed_object(index);
        let place = match object {
            Some(object) => taken.take_object(module, object, call.argument_alignment(index)),
            None => taken.take_value(module, argument.value_type_of()),
        };
        let Some(place) = place else {
            refuse(module, call, "variadic call with an argument of this type");
            return;
        };
        placed.push((argument, object, place));
    }
    let first = call.block().function().body()[0];
    let variable = |length| {
        let bytes = module.int_type(8).array(length);
        let variable = Builder::before(module, first).variable(bytes);
        variable.set_name("arguments");
        variable.with_alignment(LONG as u32)
    };
    let (registers, stack) = (variable(taken.registers()), variable(taken.stack));
    let builder = Builder::before(module, call).copy_position(call);
    for variable in [registers, stack] {
        insert_mark(module, &builder, "start", variable);
    }
    for (argument, object, place) in placed {
        let address = match place {
            Place::Registers(start) => builder.byte_offset(module, registers, start),
            Place::Stack(start) => builder.byte_offset(module, stack, start),
        };
        let size = object.and_then(|object| object.size(module));
        let is_int = argument.value_type_of().int_width() == Some(32);
        if let Some(size) = size {
            let length = module.size_type().constant(size);
            builder.copy_memory(address, argument, length);
        } else if let Place::Registers(_) = place
            && is_int
            && argument.is_zero()
        {
            // Some write 0 for a null pointer, and the whole register is 0.
            builder.store(module.int_type(64).constant(0), address);
        } else {
            builder.store(argument, address);
        }
    }
    let passed = [own, &[registers, stack]].concat();
    let result = builder.call(function, &passed);
    for variable in [registers, stack] {
        insert_mark(module, &builder, "end", variable);
    }
    call.replace_all_uses(result);
    call.erase();
}

/// Lets the path of a call end there.
fn refuse(module: &Module, call: Value, what: &str) {
    let builder = Builder::before(module, call).copy_position(call);
    insert_unsupported(module, &builder, what);
    let result = call.value_type_of();
    if !result.is_void() {
        call.replace_all_uses(result.undefined());
    }
    call.erase();
}

/// Replaces what starts, copies and ends a `va_list`. In variadic functions that keep their type, it starts as it did.
fn expand_intrinsic(module: &Module, call: Value, (function, named): (Value, Option<Taken>)) {
    let name = call.callee().name();
    let operation = name.split(".p").next().unwrap_or_default();
    let builder = Builder::before(module, call).copy_position(call);
    match (operation, &call.arguments()[..], named) {
        ("llvm.va_start", [list], Some(named)) => {
            let [.., registers, stack] = function.parameters()[..] else {
                return;
            };
            set_list(module, &builder, *list, named, [stack, registers]);
        }
        ("llvm.va_copy", [to, from], _) => {
            let length = match module.data_model() {
                DataModel::Ilp32 => module.data_model().address_bytes().into(),
                DataModel::Lp64 => LIST,
            };
            builder.copy_memory(*to, *from, module.size_type().constant(length));
        }
        ("llvm.va_end", [list], _) => {
            // Whoever goes on with the list looks behind a null pointer.
            let nothing = module.pointer_type().null();
            set_list(module, &builder, *list, Taken::default(), [nothing; 2]);
        }
        _ => return,
    }
    call.erase();
}

/// Stores what a `va_list` holds of which so much is read, with the addresses of what the stack and registers pass.
fn set_list(module: &Module, builder: &Builder, list: Value, read: Taken, places: [Value; 2]) {
    let [stack, registers] = places;
    if module.data_model() == DataModel::Ilp32 {
        builder.store(stack, list);
        return;
    }
    let int = module.int_type(32);
    for (value, start) in [
        (int.constant(read.integers_read()), INTEGERS_READ),
        (int.constant(read.floats_read()), FLOATS_READ),
        (stack, STACK),
        (registers, REGISTERS),
    ] {
        builder.store(value, builder.byte_offset(module, list, start));
    }
}
