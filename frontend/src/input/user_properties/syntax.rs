//! The grammar of C, as a parser for editors has it: it knows neither types nor macros, and parses around what it does not know. So
//! what is made of its answers is such that the compiler refuses it where they are wrong.

use tree_sitter::{Language, Node, Parser, Tree};

/// The syntax tree of a text; there is one even if the text is no C.
pub(super) fn parse(text: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser
        .set_language(&Language::from(tree_sitter_c::LANGUAGE))
        .ok()?;
    parser.parse(text, None)
}

/// The children of a node, in their order.
pub(super) fn children<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    node.children(&mut node.walk()).collect()
}

/// A node and all below it, each before those below it.
pub(super) fn all(root: Node<'_>) -> Vec<Node<'_>> {
    let mut pending = vec![root];
    let mut found = Vec::new();
    while let Some(node) = pending.pop() {
        found.push(node);
        pending.extend(children(node).into_iter().rev());
    }
    found
}
