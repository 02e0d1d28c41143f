//! Functions, calls and tables of functions.

use std::fmt::Write as _;

use super::body::Body;
use super::integer::Integer;
use super::scope::{Lvalue, Qualifier, Type, Variable, declaration};
use super::world::{Function, Table, World};
use crate::numbers::Numbers;

/// How deep recursion goes at most.
const DEPTH: usize = 3;

/// The functions of a table and the table.
pub fn define_table(numbers: &mut Numbers, world: &mut World, text: &mut String) {
    let integer = |numbers: &mut Numbers| Type::Integer(numbers.pick(&Integer::ALL));
    let (result, parameters) = (integer(numbers), vec![integer(numbers), integer(numbers)]);
    let functions: Vec<Function> = (0..2 + numbers.below(2))
        .map(|index| Function {
            name: format!("choice{index}"),
            result: result.clone(),
            parameters: parameters.clone(),
            recursive: false,
        })
        .collect();
    for function in &functions {
        define(numbers, world, function, 1, text);
    }
    let writable = numbers.chance(40);
    let names: Vec<&str> = functions
        .iter()
        .map(|function| function.name.as_str())
        .collect();
    let types: Vec<String> = parameters
        .iter()
        .map(|kind| declaration(kind, "", &[]))
        .collect();
    let pointer = format!(
        "(*{}table[{}])({})",
        if writable { "" } else { "const " },
        names.len(),
        types.join(", ")
    );
    let declared = declaration(&result, &pointer, &[]);
    let _ = writeln!(text, "\n{declared} = {{{}}};", names.join(", "));
    world.table = Some(Table {
        functions,
        writable,
    });
}

/// A function that statements may call from now on.
pub fn define_callable(
    numbers: &mut Numbers,
    world: &mut World,
    recursive: bool,
    text: &mut String,
) {
    let integer = |numbers: &mut Numbers| Type::Integer(numbers.pick(&Integer::ALL));
    let record = |numbers: &mut Numbers| Type::Record(numbers.below(world.records.len()));
    let mut parameters = vec![];
    if recursive {
        parameters.push(Type::Integer(numbers.pick(&Integer::ALL[1..])));
    }
    for _ in 0..=numbers.below(3) {
        parameters.push(match numbers.below(8) {
            0 => record(numbers),
            1 | 2 => Type::Pointer(integer(numbers).into(), 1 + numbers.below(2)),
            3 => Type::Pointer(record(numbers).into(), 1),
            _ => integer(numbers),
        });
    }
    let result = if numbers.chance(25) {
        record(numbers)
    } else {
        integer(numbers)
    };
    let name = format!("f{}", world.functions.len());
    let function = Function {
        name,
        result,
        parameters,
        recursive,
    };
    define(
        numbers,
        world,
        &function,
        if recursive { 2 } else { 6 },
        text,
    );
    world.functions.push(function);
}

/// The definition of a function with about so many statements.
fn define(
    numbers: &mut Numbers,
    world: &World,
    function: &Function,
    statements: usize,
    text: &mut String,
) {
    let named = |(index, kind): (usize, &Type)| match (index, function.recursive) {
        (0, true) => Variable::fixed("a0", kind.clone(), Some((0, DEPTH as i128))),
        _ => Variable::new(format!("a{index}"), kind.clone(), false),
    };
    let parameters: Vec<Variable> = function.parameters.iter().enumerate().map(named).collect();
    let declared: Vec<String> = parameters
        .iter()
        .map(|parameter| declaration(&parameter.kind, &parameter.name, &world.records))
        .collect();
    let header = format!("{}({})", function.name, declared.join(", "));
    let header = declaration(&function.result, &header, &world.records);
    let storage = numbers.pick(&["", "static ", "static inline "]);
    let scope = [world.globals.clone(), parameters].concat();
    let mut body = Body::new(numbers, world, scope);
    body.locals(1);
    body.statements(statements);
    body.recursion(function);
    body.statements(statements / 2);
    body.give_back(function);
    let body = body.finish();
    let _ = writeln!(text, "\n{storage}{header} {{\n{body}}}");
}

impl Body<'_> {
    /// The function calls itself unless it is called deep enough.
    fn recursion(&mut self, function: &Function) {
        if !function.recursive {
            return;
        }
        let value = self.value_of(&function.result);
        self.line(&format!("if (a0 == 0) return {value};"));
        if let Some(arguments) = self.arguments(&function.parameters[1..]) {
            let call = format!(
                "{}({})",
                function.name,
                [vec!["a0 - 1".to_owned()], arguments].concat().join(", ")
            );
            self.keep(&function.result, &call);
        }
    }

    /// Tells the checksum something about the variables here, and returns.
    fn give_back(&mut self, function: &Function) {
        self.mix_some();
        let value = self.value_of(&function.result);
        self.line(&format!("return {value};"));
    }

    /// Tells the checksum the values of some variables.
    pub(super) fn mix_some(&mut self) {
        for _ in 0..2 {
            if let Some(value) = self
                .place(|place| place.integer().is_some() && !place.is_global)
                .and_then(|place| place.read())
            {
                self.line(&format!("mix({});", value.text));
            }
        }
    }

    /// A value of an integer or record type.
    fn value_of(&mut self, kind: &Type) -> String {
        if matches!(kind, Type::Integer(_)) {
            return self.expression(2).text;
        }
        let same = |place: &Lvalue| place.kind == *kind && place.qualifier == Qualifier::Plain;
        match self.place(same) {
            Some(place) => place.text,
            None => self.declare_constant(kind),
        }
    }

    /// Arguments for these parameters, if there is something that the pointers can point to.
    fn arguments(&mut self, parameters: &[Type]) -> Option<Vec<String>> {
        let argument = |kind: &Type| match kind {
            Type::Pointer(to, room) => self.address(to, *room, self.scope.len(), false),
            Type::Integer(_) | Type::Array(..) | Type::Record(_) => Some(self.value_of(kind)),
        };
        parameters.iter().map(argument).collect()
    }

    pub(super) fn call(&mut self) -> Option<()> {
        let world = self.world;
        if world.functions.is_empty() {
            return None;
        }
        let function = &world.functions[self.numbers.below(world.functions.len())];
        let mut arguments = self.arguments(&function.parameters)?;
        if function.recursive {
            arguments[0] = format!("{} & {DEPTH}", arguments[0]);
        }
        let call = format!("{}({})", function.name, arguments.join(", "));
        self.keep(&function.result, &call);
        Some(())
    }

    pub(super) fn call_through_table(&mut self) -> Option<()> {
        let table = self.world.table.as_ref()?;
        let length = table.functions.len();
        if table.writable && self.numbers.chance(30) {
            let (entry, function) = (self.index(length), self.numbers.below(length));
            self.line(&format!(
                "table[{entry}] = {};",
                table.functions[function].name
            ));
        }
        let arguments = self.arguments(&table.functions[0].parameters)?.join(", ");
        let callee = format!("table[{}]", self.index(length));
        self.keep(
            &table.functions[0].result,
            &format!("{callee}({arguments})"),
        );
        Some(())
    }
}
