//! Memory as bytes, pointers that walk, and the heap.

use super::body::Body;
use super::data::is_wide;
use super::integer::Integer;
use super::scope::{Lvalue, Type, Variable, declaration};

impl Body<'_> {
    /// Part of an array is copied or filled by a library function, or two arrays are compared.
    pub(super) fn move_memory(&mut self) -> Option<()> {
        let place = self.place(|place| has_target(place) && place.integers().is_some())?;
        let (kind, length) = place.integers()?;
        let text = &place.text;
        let count = 1 + self.numbers.below(length);
        let (to, from) = (
            self.index(length - count + 1),
            self.index(length - count + 1),
        );
        let size = format!("{count} * sizeof *{text}");
        match self.numbers.below(5) {
            0 | 1 => self.line(&format!("memmove({text} + {to}, {text} + {from}, {size});")),
            2 => {
                let mask = if kind == Integer::BOOL { 1 } else { 255 };
                let byte = self.expression(1).text;
                self.line(&format!("memset({text} + {to}, {byte} & {mask}, {size});"));
            }
            3 => {
                let copy = self.name("v");
                let copied = Type::Array(Type::Integer(kind).into(), count);
                let declared = declaration(&copied, &copy, &self.world.records);
                self.line(&format!("{declared};"));
                self.line(&format!("memcpy({copy}, {text} + {from}, sizeof {copy});"));
                self.scope.push(Variable::new(copy, copied, false));
            }
            _ => {
                let name = self.name("v");
                self.line(&format!(
                    "int {name} = memcmp({text} + {to}, {text} + {from}, {size});"
                ));
                // Only the sign of the result is certain.
                self.declare_integer(Integer::INT, &format!("({name} > 0) - ({name} < 0)"));
            }
        }
        Some(())
    }

    /// An integer as the integers that it consists of.
    pub(super) fn bytes(&mut self) -> Option<()> {
        let place = self.place(|place| place.addressable && is_wide(place))?;
        let kind = place.integer()?;
        let narrow: Vec<Integer> = Integer::ALL[1..]
            .iter()
            .copied()
            .filter(|part| part.bits <= kind.bits)
            .collect();
        let part = self.numbers.pick(&narrow);
        let count = (kind.bits / part.bits) as usize;
        if part.bits == 8 && self.numbers.chance(60) {
            let address = format!("({} *)&{}", part.name(), place.text);
            self.pointer(Type::Integer(part), count, &address);
            return Some(());
        }
        let name = self.name("v");
        self.line(&format!("{} {name}[{count}];", part.name()));
        self.line(&format!("memcpy({name}, &{}, sizeof {name});", place.text));
        if self.numbers.chance(50) {
            let (element, value) = (self.index(count), self.expression(1).text);
            self.line(&format!("{name}[{element}] ^= {value};"));
            self.line(&format!("memcpy(&{}, {name}, sizeof {name});", place.text));
        }
        let array = Type::Array(Type::Integer(part).into(), count);
        self.scope.push(Variable::new(name, array, false));
        Some(())
    }

    /// A pointer to a record, computed from the address of a member.
    pub(super) fn container(&mut self) -> Option<()> {
        let records = &self.world.records;
        let place = self.place(|place| match place.kind {
            Type::Record(record) => place.addressable && !records[record].packed,
            Type::Integer(_) | Type::Array(..) | Type::Pointer(..) => false,
        })?;
        let Type::Record(record) = place.kind else {
            return None;
        };
        let record = &records[record];
        let field = record.fields.iter().find(|field| field.bits.is_none())?;
        let (specifier, field) = (record.specifier(), &field.name);
        let address = format!(
            "({specifier} *)((char *)&{}.{field} - __builtin_offsetof({specifier}, {field}))",
            place.text
        );
        self.pointer(place.kind.clone(), 1, &address);
        Some(())
    }

    /// A pointer goes from one end of an array to the other.
    pub(super) fn walk(&mut self) -> Option<()> {
        let place = self.place(|place| has_target(place) && place.integers().is_some())?;
        let (kind, length) = place.integers()?;
        let (end, walker) = (self.name("end"), self.name("q"));
        let element = kind.name();
        self.line(&format!("{element} *{end} = {} + {length};", place.text));
        let forward = self.numbers.chance(50);
        self.line(&if forward {
            format!(
                "for ({element} *{walker} = {end} - {length}; {walker} != {end}; {walker}++) {{"
            )
        } else {
            format!("for ({element} *{walker} = {end}; {walker} > {end} - {length};) {{")
        });
        if !forward {
            self.line(&format!("    {walker} -= 1;"));
        }
        let visible = self.scope.len();
        let pointer = Type::Pointer(Type::Integer(kind).into(), 1);
        self.scope.push(Variable::fixed(&walker, pointer, None));
        let (value, operator) = (self.expression(2), self.numbers.pick(&["^", "|", "&"]));
        self.line(&format!("    *{walker} {operator}= {};", value.text));
        self.loops += 1;
        self.block_inside("}");
        self.loops -= 1;
        self.scope.truncate(visible);
        Some(())
    }

    /// An object on the heap and statements that use it.
    pub(super) fn heap(&mut self) {
        let (name, kind) = (self.name("h"), self.random_type());
        let (element, room) = kind.objects();
        let pointer = Type::Pointer(element.clone().into(), room);
        let declared = declaration(&pointer, &name, &self.world.records);
        let zeroed = self.numbers.chance(40);
        self.heaps -= 1;
        self.line("{");
        self.depth += 1;
        self.line(&if zeroed {
            format!("{declared} = calloc({room}, sizeof *{name});")
        } else {
            format!("{declared} = malloc({room} * sizeof *{name});")
        });
        let visible = self.scope.len();
        for index in 0..if zeroed { 0 } else { room } {
            let value = self.declare_constant(&element);
            self.line(&format!("{name}[{index}] = {value};"));
        }
        self.scope.push(Variable::fixed(&name, pointer, None));
        self.depth -= 1;
        let end = if self.world.frees {
            format!("    free({name});")
        } else {
            String::new()
        };
        self.block_inside(&end);
        self.scope.truncate(visible);
        self.line("}");
    }

    /// A linked list is built and taken apart.
    pub(super) fn list(&mut self) {
        let (list, node, sum) = (self.name("list"), self.name("node"), self.name("v"));
        let (counter, length) = (self.name("i"), 1 + self.numbers.below(3));
        self.line(&format!("struct node *{list} = 0;"));
        self.line(&format!(
            "for (int {counter} = 0; {counter} < {length}; {counter}++) {{"
        ));
        let visible = self.scope.len();
        let range = Some((0, length as i128 - 1));
        self.scope.push(Variable::fixed(
            &counter,
            Type::Integer(Integer::INT),
            range,
        ));
        let value = self.expression(2).text;
        self.scope.truncate(visible);
        self.heaps -= 1;
        let free = if self.world.frees {
            format!("    free({list});")
        } else {
            String::new()
        };
        for line in [
            format!("    struct node *{node} = malloc(sizeof *{node});"),
            format!("    {node}->next = {list};"),
            format!("    {node}->value = {value};"),
            format!("    {list} = {node};"),
            "}".to_owned(),
            format!("unsigned {sum} = 0;"),
            format!("while ({list}) {{"),
            format!("    struct node *{node} = {list}->next;"),
            format!("    {sum} = {sum} * 3 + (unsigned){list}->value;"),
            free,
            format!("    {list} = {node};"),
            "}".to_owned(),
        ] {
            self.line(&line);
        }
        let kind = Type::Integer(Integer::of(32, false));
        self.scope.push(Variable::new(sum, kind, false));
    }
}

/// Whether a pointer to the objects there may be made.
fn has_target(place: &Lvalue) -> bool {
    match &place.kind {
        Type::Array(..) => place.addressable,
        Type::Pointer(..) => true,
        Type::Integer(_) | Type::Record(_) => false,
    }
}
