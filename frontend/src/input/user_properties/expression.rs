//! The expressions of assertions: one complete expression each, that does nothing but read.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::syntax::{all, children, parse};

/// What an expression may consist of. It may neither write nor call anything.
const ALLOWED: [&str; 38] = [
    "abstract_array_declarator",
    "abstract_function_declarator",
    "abstract_parenthesized_declarator",
    "abstract_pointer_declarator",
    "alignof_expression",
    "argument_list",
    "binary_expression",
    "cast_expression",
    "char_literal",
    "character",
    "concatenated_string",
    "conditional_expression",
    "enum_specifier",
    "escape_sequence",
    "false",
    "field_expression",
    "field_identifier",
    "identifier",
    "null",
    "number_literal",
    "offsetof_expression",
    "parameter_declaration",
    "parameter_list",
    "parenthesized_expression",
    "pointer_expression",
    "primitive_type",
    "sized_type_specifier",
    "sizeof_expression",
    "string_content",
    "string_literal",
    "struct_specifier",
    "subscript_expression",
    "true",
    "type_descriptor",
    "type_identifier",
    "type_qualifier",
    "unary_expression",
    "union_specifier",
];

/// How calls in an expression are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// What looks like a call may be a macro.
    MayBeMacros,
    /// Macros are expanded, or there are none.
    AreCalls,
}

/// Checks an expression, and gives the names in it that must be types for it to call nothing: of `(name)(x)` only the compiler
/// knows whether it is a conversion or a call.
///
/// # Errors
/// It is not one complete expression, or may do more than to read; in words, with what to do.
pub(super) fn check(expression: &str, calls: Calls) -> Result<BTreeSet<String>, String> {
    let incomplete = || "this is not one complete expression of C: correct it".to_owned();
    if calls == Calls::MayBeMacros && expression.contains(['\n', '\r', '\0']) {
        return Err("the expression has several lines: write it on one".into());
    }
    // The parser takes `/` and `*` for operators if no comment ends there, and has no trigraphs.
    if calls == Calls::MayBeMacros
        && let Some(token) = ["//", "/*", "??"]
            .iter()
            .find(|token| expression.contains(**token))
    {
        return Err(format!(
            "`{token}` may begin a comment or a trigraph: leave it out"
        ));
    }
    let (before, behind) = ("void f(void) { (", "); }");
    let text = format!("{before}{expression}{behind}");
    let range = before.len() - 1..before.len() + expression.len() + 1;
    let tree = parse(text.as_bytes()).ok_or_else(incomplete)?;
    let root = tree.root_node();
    let nodes = all(root);
    let whole = nodes.into_iter().find(|node| {
        node.kind() == "parenthesized_expression"
            && node.byte_range() == range
            && node
                .parent()
                .is_some_and(|parent| parent.kind() == "expression_statement")
    });
    let whole = whole.filter(|_| !root.has_error()).ok_or_else(incomplete)?;
    let mut types = BTreeSet::new();
    for node in all(whole).into_iter().filter(Node::is_named) {
        let text = &text[node.byte_range()];
        match node.kind() {
            "call_expression" => match called(node) {
                Called::InParentheses(name) => {
                    let name = name.byte_range();
                    types.insert(
                        expression[name.start - before.len()..name.end - before.len()].to_owned(),
                    );
                }
                Called::Named if calls == Calls::MayBeMacros => {}
                Called::Named | Called::Other => {
                    return Err(format!(
                        "`{text}` is a call, which may do more than to read: leave it out"
                    ));
                }
            },
            "assignment_expression" | "update_expression" => {
                return Err(format!(
                    "`{text}` changes the program: compare with ==, or leave it out"
                ));
            }
            "comma_expression" => {
                return Err(format!(
                    "only the last of `{text}` would count: join the parts with &&"
                ));
            }
            kind if ALLOWED.contains(&kind) => {}
            _ => return Err(format!("`{text}` may do more than to read: leave it out")),
        }
    }
    Ok(types)
}

/// What a call in the eyes of the parser calls.
enum Called<'tree> {
    /// A name.
    Named,
    /// A name in parentheses, with one argument.
    InParentheses(Node<'tree>),
    /// Anything else.
    Other,
}

fn called(call: Node<'_>) -> Called<'_> {
    let function = call.child_by_field_name("function");
    let arguments = call.child_by_field_name("arguments");
    let Some(function) = function else {
        return Called::Other;
    };
    if function.kind() == "identifier" {
        return Called::Named;
    }
    let inner = children(function)
        .into_iter()
        .find(|child| child.kind() == "identifier");
    match (
        function.kind(),
        inner,
        arguments.map(|arguments| arguments.named_child_count()),
    ) {
        ("parenthesized_expression", Some(name), Some(1)) => Called::InParentheses(name),
        _ => Called::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_reads_is_accepted() {
        for expression in [
            "x",
            "x == 1 && (y[2] != *p || !q->next.z)",
            "c != '\\n'",
            "(unsigned char)x < sizeof(struct s) + sizeof x",
            "~a % 3 >> 1 ? -b : +c",
            "&x == p",
            "*(volatile int *)p == 3",
            "LIMIT(x) > 3",
            "s[0] == \"a\" \"b\"[0]",
        ] {
            assert_eq!(
                check(expression, Calls::MayBeMacros),
                Ok(BTreeSet::new()),
                "{expression}"
            );
        }
    }

    #[test]
    fn names_that_must_be_types_are_told() {
        let types = check("(word)(n - 1) == (byte)(x) && (int)(x)", Calls::AreCalls);
        let expected = ["byte", "word"].map(str::to_owned);
        assert_eq!(types, Ok(expected.into()));
    }

    #[test]
    fn what_may_do_more_is_refused() {
        for (expression, reason) in [
            ("x = 1", "changes the program"),
            ("x += 1", "changes the program"),
            ("(y && x++)", "changes the program"),
            ("a[--x]", "changes the program"),
            ("f(x) == 1", "is a call"),
            ("(*f)(x)", "is a call"),
            ("p->f(x)", "is a call"),
            ("(f)(x, y)", "is a call"),
            ("(f)()", "is a call"),
            ("x, y", "&&"),
            ("({ evil; 1; })", "more than to read"),
            ("(struct s){1}.x", "more than to read"),
            ("sizeof(int[n++])", "changes the program"),
            ("1) ; evil(); (1", "complete"),
            ("1); } void g(void) { (1", "complete"),
            ("1) == (1", "complete"),
            ("x ==", "complete"),
            ("", "complete"),
            ("x // all", "complete"),
            ("x /* all */", "more than to read"),
            ("if (x) 1", "complete"),
            ("int", "complete"),
        ] {
            let refused = check(expression, Calls::AreCalls).expect_err(expression);
            assert!(refused.contains(reason), "{expression}: {refused}");
        }
        for (expression, reason) in [
            ("x\n== 1", "on one"),
            ("x // all", "`//` may begin a comment"),
            ("x /* all", "`/*` may begin a comment"),
            ("x == \"??/\"[0]", "`??` may begin a comment or a trigraph"),
        ] {
            let refused = check(expression, Calls::MayBeMacros).expect_err(expression);
            assert!(refused.contains(reason), "{expression}: {refused}");
        }
    }
}
