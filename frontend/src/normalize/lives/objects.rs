//! Objects for the lives of a variable: one for each life, or two for all if the lives are many or repeat.

use inkwell::module::Linkage;
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses::{is_computed_again, place_of_use, positions, users};
use crate::llvm::{Builder, Module, Value};
use crate::normalize::arbitrary_values::first_value_function;
use crate::normalize::flow::Flow;
use crate::normalize::lifetime_marks::{lifetime_mark, starts_of_life};

/// A function that starts the life of one of two variables.
const START_ONE: &str = "mazurka.start_one";

/// A variable with more lives than this gets two objects, as if there were no limit.
const MOST_OBJECTS: usize = 16;

/// A variable whose lives are to be told apart.
pub(super) struct Lives<'a> {
    module: &'a Module,
    variable: Value,
    /// The address of the object of this life.
    current: Value,
    /// For each start of a life, the objects that may live from there; the first, or the second once that one was chosen.
    objects: Vec<(Value, Vec<Value>)>,
    /// For each end of a life, the starts that may have been the last.
    ends: Vec<(Value, FxHashSet<Value>)>,
}

impl<'a> Lives<'a> {
    pub fn of(module: &'a Module, variable: Value, flow: &Flow) -> Self {
        let starts = starts_of_life(variable);
        let first = variable.block().function().body()[0];
        let builder = Builder::before(module, first);
        let another = || {
            let count = variable.operand(0).and_then(Value::integer);
            let count = count.and_then(|count| u64::try_from(count).ok());
            let object = builder
                .variable(variable.allocated_type().array(count.unwrap_or(1)))
                .with_alignment(variable.alignment());
            object.set_name(variable.name());
            object
        };
        let repeats = |&start: &Value| flow.comes_again(&[start]);
        let objects = if starts.len() > MOST_OBJECTS || starts.iter().any(repeats) {
            let both = vec![variable, another()];
            starts.iter().map(|&start| (start, both.clone())).collect()
        } else {
            let own = |&start: &Value| (start, vec![another()]);
            starts.iter().map(own).collect()
        };
        let all: FxHashSet<Value> = starts.iter().copied().collect();
        let is_end = |mark: &Value| lifetime_mark(*mark).is_some_and(|(_, starts)| !starts);
        let ends = users(variable).into_iter().filter(is_end);
        let ends = ends
            .map(|end| (end, flow.last_before(end, &all).0))
            .collect();
        Self {
            module,
            variable,
            current: builder.variable(module.pointer_type()),
            objects,
            ends,
        }
    }

    pub fn separate(&self) {
        self.use_current(self.variable, &mut Vec::new());
        let behind = self.variable.next().unwrap_or(self.variable);
        Builder::before(self.module, behind).store(self.variable, self.current);
        let mut chosen = None;
        for (start, objects) in &self.objects {
            let builder = Builder::before(self.module, *start).copy_position(*start);
            if let [only] = objects[..] {
                start.set_operand(1, only);
                builder.store(only, self.current);
            } else {
                let chosen = *chosen.get_or_insert_with(|| self.never_chosen());
                self.start_one(&builder, *start, objects, chosen);
                start.erase();
            }
        }
        for (end, starts) in &self.ends {
            let mut ended = FxHashSet::default();
            let objects = self
                .objects
                .iter()
                .filter(|(start, _)| starts.contains(start));
            for &object in objects.flat_map(|(_, objects)| objects) {
                if ended.insert(object) {
                    end.copy_before(*end).set_operand(1, object);
                }
            }
            end.erase();
        }
    }

    /// Computes an address in the variable anew from its object wherever it is used. The path leads from the variable to the address.
    fn use_current(&self, address: Value, path: &mut Vec<Value>) {
        for user in users(address) {
            if is_computed_again(user) {
                path.push(user);
                self.use_current(user, path);
                path.pop();
                user.erase();
            } else if lifetime_mark(user).is_none() {
                let mut values: FxHashMap<Value, Value> = FxHashMap::default();
                for index in positions(user, address) {
                    let place = place_of_use(user, index);
                    let value = || self.current_address(path, place, user);
                    let value = *values.entry(place).or_insert_with(value);
                    user.set_operand(index, value);
                }
            }
        }
    }

    /// The address at the end of a path in the object of this life.
    fn current_address(&self, path: &[Value], place: Value, user: Value) -> Value {
        let builder = Builder::before(self.module, place).copy_position(user);
        let mut address = builder.load(self.module.pointer_type(), self.current);
        for step in path {
            let step = step.copy_before(place);
            step.set_operand(0, address);
            address = step;
        }
        address
    }

    /// Lets all objects have the name of the variable.
    pub fn describe(&self) {
        for call in self.variable.block().function().body() {
            let described = call.is_debug_intrinsic().then(|| call.described_variable());
            let described = described.flatten();
            if !described.is_some_and(|(values, _)| values.contains(&self.variable)) {
                continue;
            }
            let objects = self.objects.iter().flat_map(|(_, objects)| objects);
            for &object in objects.filter(|&&object| object != self.variable) {
                let copy = call.copy_before(call);
                // Else it has that of the next instruction, which may be of another function that was inlined.
                copy.copy_position(call);
                copy.describe(self.module, object);
            }
        }
    }

    /// A variable that tells whether the second object was chosen.
    fn never_chosen(&self) -> Value {
        let bit = self.module.int_type(1);
        let builder = Builder::before(self.module, self.current);
        let chosen = builder.variable(bit);
        builder.store(bit.constant(0), chosen);
        chosen
    }

    /// Starts the life of the first of two objects, or from some time on always that of the second; when that is, is arbitrary. So an
    /// address of one life is a dead one in all later lives, whichever these are, if it was the last before that time.
    fn start_one(&self, builder: &Builder, start: Value, objects: &[Value], chosen: Value) {
        let bit = self.module.int_type(1);
        let arbitrary = builder.call(first_value_function(self.module, bit), &[]);
        let second = builder.or(builder.load(bit, chosen), arbitrary);
        builder.store(second, chosen);
        builder.call(
            self.start_one_function(start),
            &[second, objects[0], objects[1]],
        );
        builder.store(builder.select(second, objects[1], objects[0]), self.current);
    }

    /// A function of a condition and two variables: which to start if it does not hold, and if it does.
    fn start_one_function(&self, start: Value) -> Value {
        if let Some(function) = self.module.function(START_ONE) {
            return function;
        }
        let (bit, pointer) = (self.module.int_type(1), self.module.pointer_type());
        let nothing = self.module.void_type();
        let function = self
            .module
            .declare(START_ONE, nothing, &[bit, pointer, pointer]);
        function.set_linkage(Linkage::Internal);
        let parameters = function.parameters();
        let [entry, first, second] =
            ["entry", "first", "second"].map(|name| function.append_block(self.module, name));
        Builder::at_end(self.module, entry).branch_if(parameters[0], second, first);
        for (block, object) in [(first, parameters[1]), (second, parameters[2])] {
            let builder = Builder::at_end(self.module, block);
            builder.call(start.callee(), &[start.operands()[0], object]);
            builder.return_value(None);
        }
        function
    }
}
