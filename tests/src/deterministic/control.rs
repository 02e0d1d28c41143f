//! Statements that choose what is executed next.

use super::body::Body;
use super::integer::Integer;
use super::scope::{Type, Variable};

impl Body<'_> {
    pub(super) fn branch(&mut self) {
        let condition = self.condition();
        let open = format!("if ({condition}) {{");
        if self.numbers.chance(50) {
            self.block(&open, "} else {");
            self.block_inside("}");
        } else {
            self.block(&open, "}");
        }
    }

    /// A loop body; some rounds are left early.
    fn rounds(&mut self, open: &str, counter: Variable, close: &str) {
        self.line(open);
        let visible = self.scope.len();
        self.scope.push(counter);
        self.loops += 1;
        for leave in ["continue", "break"] {
            self.depth += 1;
            self.statement();
            if self.numbers.chance(25) {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {leave};"));
            }
            self.depth -= 1;
        }
        self.loops -= 1;
        self.scope.truncate(visible);
        self.line(close);
    }

    pub(super) fn for_loop(&mut self) {
        let name = self.name("i");
        let kind = self.numbers.pick(&Integer::ALL[1..]);
        let rounds = 1 + self.numbers.below(4) as i128;
        let (header, range) = if self.numbers.chance(60) {
            (
                format!("{name} = 0; {name} < {rounds}; {name}++"),
                (0, rounds - 1),
            )
        } else {
            (
                format!("{name} = {rounds}; {name} > 0; --{name}"),
                (1, rounds),
            )
        };
        let counter = Variable::fixed(&name, Type::Integer(kind), Some(range));
        self.rounds(&format!("for ({} {header}) {{", kind.name()), counter, "}");
    }

    pub(super) fn while_loop(&mut self) {
        let name = self.name("n");
        let kind = self.numbers.pick(&Integer::ALL[1..]);
        let rounds = 1 + self.numbers.below(4) as i128;
        self.line(&format!("{} {name} = {rounds};", kind.name()));
        let counter = |range| Variable::fixed(&name, Type::Integer(kind), Some(range));
        if self.numbers.chance(50) {
            let open = format!("while ({name}-- > 0) {{");
            self.rounds(&open, counter((0, rounds - 1)), "}");
        } else {
            let close = format!("}} while (--{name} > 0);");
            self.rounds("do {", counter((1, rounds)), &close);
        }
    }

    pub(super) fn switch(&mut self) {
        let value = self.expression(2);
        let cases = 2 + self.numbers.below(4);
        let text = match self.numbers.below(3) {
            0 => format!("({} & 15)", value.text),
            1 => format!(
                "({} % {})",
                value.cast(Integer::UNSIGNED_LONG).text,
                3 * cases
            ),
            _ => value.text,
        };
        self.line(&format!("switch ({text}) {{"));
        let default = self.numbers.below(2 * cases);
        for case in 0..cases {
            // The numbers of one case end before those of the next begin.
            let first = 3 * case;
            let label = match self.numbers.below(3) {
                _ if case == default => "default:".to_owned(),
                0 => format!("case {first} ... {}:", first + 2),
                1 => format!("case {first}: case {}:", first + 1),
                _ => format!("case {first}:"),
            };
            let falls = self.numbers.chance(30);
            self.block(&format!("{label} {{"), if falls { "}" } else { "} break;" });
        }
        self.line("}");
    }

    /// A jump out of a block.
    pub(super) fn goto_forward(&mut self) {
        let label = self.name("out");
        self.line("{");
        let visible = self.scope.len();
        self.depth += 1;
        self.statement();
        let condition = self.condition();
        self.block(
            &format!("if ({condition}) {{"),
            &format!("    goto {label}; }}"),
        );
        self.statement();
        self.line(&format!("{label}:;"));
        self.depth -= 1;
        self.scope.truncate(visible);
        self.line("}");
    }

    /// A loop made of jumps; it may be entered in the middle.
    pub(super) fn goto_backward(&mut self) {
        let (count, again, middle) = (self.name("n"), self.name("again"), self.name("middle"));
        let rounds = 1 + self.numbers.below(3);
        self.line(&format!("int {count} = {rounds};"));
        let enter = self.numbers.chance(40);
        if enter {
            let condition = self.condition();
            self.line(&format!("if ({condition}) goto {middle};"));
        }
        self.loops += 1;
        self.block(&format!("{again}: {{"), "}");
        if enter {
            self.line(&format!("{middle}:;"));
        }
        self.block("{", "}");
        self.loops -= 1;
        let condition = self.condition();
        self.line(&format!("if ({count}-- > 0 && {condition}) goto {again};"));
    }

    /// Jumps by a table of labels; some leave a block.
    pub(super) fn goto_computed(&mut self) {
        let cases = 2 + self.numbers.below(2);
        let (table, count) = (self.name("labels"), self.name("n"));
        let labels: Vec<String> = (0..cases).map(|_| self.name("label")).collect();
        let storage = self.numbers.pick(&["static void *const", "void *"]);
        let addresses: Vec<String> = labels.iter().map(|label| format!("&&{label}")).collect();
        self.line(&format!(
            "{storage} {table}[] = {{{}}};",
            addresses.join(", ")
        ));
        let rounds = 1 + self.numbers.below(3);
        self.line(&format!("int {count} = {rounds};"));
        self.loops += 1;
        self.goto_entry("", &table, cases);
        for label in &labels {
            let visible = self.scope.len();
            self.line(&format!("{label}: {{"));
            self.depth += 1;
            self.statement();
            if self.numbers.chance(50) {
                self.goto_entry(&format!("if ({count}-- > 0) "), &table, cases);
            }
            self.statement();
            self.depth -= 1;
            self.scope.truncate(visible);
            self.line("}");
        }
        self.loops -= 1;
        self.goto_entry(&format!("if ({count}-- > 0) "), &table, cases);
    }

    fn goto_entry(&mut self, condition: &str, table: &str, entries: usize) {
        let entry = self.expression(1).cast(Integer::UNSIGNED_LONG).text;
        self.line(&format!("{condition}goto *{table}[{entry} % {entries}];"));
    }

    /// Jumps back by `longjmp`. What was local before is named no more: it may be written through pointers in between.
    pub(super) fn jump_back(&mut self) {
        let (buffer, count) = (self.name("place"), self.name("n"));
        let storage = self.numbers.pick(&["", "", "static "]);
        self.line(&format!("{storage}jmp_buf {buffer};"));
        self.line(&format!("volatile int {count} = 0;"));
        self.scope
            .retain(|variable| variable.is_global || variable.fixed);
        let rounds = 1 + self.numbers.below(2);
        self.line(&format!("if (setjmp({buffer}) < {rounds}) {{"));
        self.loops += 1;
        self.block_inside("");
        self.loops -= 1;
        self.line(&format!("    {count}++;"));
        let jump = self.numbers.pick(&["longjmp", "leap"]);
        self.line(&format!("    {jump}({buffer}, {count});"));
        self.line("}");
        self.line(&format!("mix({count});"));
    }
}
