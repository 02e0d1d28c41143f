//! Writes programs as C.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::statement::{LoopKind, POINTERS, ROUNDS, Statement};

/// The C text, without the accesses that are left out.
pub fn program(statements: &[Statement], left_out: &BTreeSet<usize>) -> String {
    let mut printer = Printer {
        text: String::new(),
        counters: BTreeSet::new(),
        left_out,
    };
    printer.list(statements);
    let pointers = (0..POINTERS).map(|pointer| format!("int *p{pointer};\n"));
    let counters = printer.counters.iter();
    let counters = counters.map(|counter| format!("int c{counter};\n"));
    format!(
        "#include <assert.h>\n\
         struct made {{\n    int of[5];\n}};\n\
         {}{}int turn;\n\
         static struct made make(void) {{\n    return (struct made){{{{7, 7, 7, 7, 7}}}};\n}}\n\
         static int *same(int *pointer) {{\n    return pointer;\n}}\n\
         int main(void) {{\n{}    return 0;\n}}\n",
        pointers.collect::<String>(),
        counters.collect::<String>(),
        printer.text
    )
}

struct Printer<'a> {
    text: String,
    counters: BTreeSet<usize>,
    left_out: &'a BTreeSet<usize>,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    fn list(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Block(statements) => {
                self.line("{");
                self.list(statements);
                self.line("}");
            }
            Statement::Declare {
                variable,
                initialised,
            } => self.line(&format!(
                "int v{variable}{};",
                if *initialised { " = 7" } else { "" }
            )),
            Statement::Take { pointer, variable } => {
                self.line(&format!("p{pointer} = (v{variable} = 7, &v{variable});"));
            }
            Statement::Literal { pointer, .. } => self.line(&format!("p{pointer} = &(int){{7}};")),
            Statement::Temporary { pointer } => self.line(&format!("p{pointer} = make().of + 1;")),
            Statement::UseTemporary => self.line("assert(*same(make().of) == 7);"),
            Statement::Access { site, .. } if self.left_out.contains(site) => self.line(";"),
            Statement::Access { pointer, .. } => {
                self.line(&format!("assert(!p{pointer} || *p{pointer} == 7);"));
            }
            Statement::Loop {
                kind,
                number,
                condition,
                body,
            } => self.repeat(*kind, *number, *condition, body),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.line(&format!("if ({}turn++ & 1)", evaluates(*condition)));
                self.statement(then);
                self.line("else");
                self.statement(otherwise);
            }
            Statement::Switch { before, cases } => {
                self.line("switch (turn++ & 1) {");
                self.list(before);
                for (number, case) in cases.iter().enumerate() {
                    self.line(&format!("case {number}:;"));
                    self.list(case);
                }
                self.line("}");
            }
            Statement::Break => self.line("if (turn++ & 1)\nbreak;"),
            Statement::Continue => self.line("if (turn++ & 1)\ncontinue;"),
            Statement::Skip { over, label } => {
                self.line(&format!("if (turn++ & 1)\ngoto l{label};"));
                self.list(over);
                self.line(&format!("l{label}:;"));
            }
            Statement::Repeat { body, label } => {
                self.counters.insert(*label);
                self.line(&format!("c{label} = 0;\nl{label}:;"));
                self.list(body);
                self.line(&format!("if (++c{label} < {ROUNDS})\ngoto l{label};"));
            }
        }
    }

    fn repeat(
        &mut self,
        kind: LoopKind,
        number: usize,
        condition: Option<(usize, usize)>,
        body: &Statement,
    ) {
        self.counters.insert(number);
        let literal = evaluates(condition);
        match kind {
            LoopKind::For => {
                let head = format!("c{number} = 0; {literal}c{number} < {ROUNDS}; c{number}++");
                self.line(&format!("for ({head})"));
                self.statement(body);
            }
            // The last round leaves the counter as it was before the first one.
            LoopKind::While => {
                let next = format!("c{number} = (c{number} + 1) % {}", ROUNDS + 1);
                self.line(&format!("while ({literal}{next})"));
                self.statement(body);
            }
            LoopKind::Do => {
                self.line("do");
                self.statement(body);
                let next = format!("c{number} = (c{number} + 1) % {ROUNDS}");
                self.line(&format!("while ({literal}{next});"));
            }
            LoopKind::Endless => {
                let next = format!("c{number} = (c{number} + 1) % {}", ROUNDS + 1);
                self.line(&format!("for (;;) {{\nif (!({next}))\nbreak;"));
                if let Statement::Block(statements) = body {
                    self.list(statements);
                }
                self.line("}");
            }
        }
    }
}

fn evaluates(condition: Option<(usize, usize)>) -> String {
    condition
        .map(|(pointer, _)| format!("p{pointer} = &(int){{7}}, "))
        .unwrap_or_default()
}
