//! Where the statements of a file begin, and how code is put in front of each.

use tree_sitter::Node;

use super::syntax::{children, parse};

/// A place in front of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its byte in the file.
    pub offset: usize,
    /// What stands there.
    pub before: Before,
}

/// What code is put in front of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// A statement, which may be all that a loop or an `if` executes.
    Statement,
    /// A declaration or what else may be in a block only.
    BlockItem,
}

/// Statements, by the grammar's names.
const STATEMENTS: [&str; 14] = [
    "break_statement",
    "compound_statement",
    "continue_statement",
    "do_statement",
    "expression_statement",
    "for_statement",
    "goto_statement",
    "if_statement",
    "return_statement",
    "switch_statement",
    "while_statement",
    ATTRIBUTED,
    CASE,
    LABELED,
];

const ATTRIBUTED: &str = "attributed_statement";
const CASE: &str = "case_statement";
const LABELED: &str = "labeled_statement";

/// What else a block may have.
const DECLARATIONS: [&str; 2] = ["declaration", "type_definition"];

/// The place in front of the statement that begins on a line: the outermost, if several do. A label stands for the statement behind
/// it.
///
/// # Errors
/// None does; the nearest lines before and behind on which one does, if there are any.
pub(super) fn find(source: &[u8], line: u32) -> Result<Place, [Option<u32>; 2]> {
    let tree = parse(source).ok_or([None, None])?;
    let (mut before, mut behind) = (None, None);
    let mut pending = vec![(tree.root_node(), false)];
    while let Some((node, is_inside)) = pending.pop() {
        let begin = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
        if is_inside && is_item(node) {
            match begin.cmp(&line) {
                std::cmp::Ordering::Equal => return Ok(place(node)),
                std::cmp::Ordering::Less => before = before.max(Some(begin)),
                std::cmp::Ordering::Greater => {
                    behind = Some(behind.map_or(begin, |known: u32| known.min(begin)));
                }
            }
        }
        let is_inside = is_inside || node.kind() == "compound_statement";
        pending.extend(
            children(node)
                .into_iter()
                .rev()
                .map(|child| (child, is_inside)),
        );
    }
    Err([before, behind])
}

/// Whether a node in a function is something that control executes, and not a part of a statement.
fn is_item(node: Node<'_>) -> bool {
    let kind = node.kind();
    if node.byte_range().is_empty() {
        return false;
    }
    let parent = node.parent().map_or("", |parent| parent.kind());
    STATEMENTS.contains(&kind) && parent != "function_definition"
        || DECLARATIONS.contains(&kind) && parent != "for_statement"
}

/// The place in front of an item; of one with a label, behind the label.
fn place(mut node: Node<'_>) -> Place {
    while [CASE, LABELED].contains(&node.kind()) {
        let mut behind = children(node)
            .into_iter()
            .skip_while(|child| child.kind() != ":");
        let Some(colon) = behind.next() else {
            break;
        };
        match behind.find(|child| child.is_named() && !child.is_extra()) {
            Some(child) if is_item(child) => node = child,
            Some(_) | None => {
                return Place {
                    offset: colon.end_byte(),
                    before: Before::BlockItem,
                };
            }
        }
    }
    let is_statement = STATEMENTS.contains(&node.kind()) && node.kind() != ATTRIBUTED;
    Place {
        offset: node.start_byte(),
        before: match is_statement {
            true => Before::Statement,
            false => Before::BlockItem,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#include <a.h>
#define MAX(a, b) \\
  (a)
int x = 3;
/* int y; */
int f(int a)
{
  int b = 1;

  if (a)
    b++;
  else if (b)
    a = 1;
  else { a = 2; }
  for (int i = 0; i < 3;
       i++)
    g(i);
  do
    b--;
  while (b);
  switch (a) {
  case 1:
  case 2: b = 3; break;
  case 3:
    int c;
  default:
  again:
    a = 4;
  }
  {
    typedef int t;
  }
  end: return b;
}
struct s {
  int m;
};
";

    fn place_of(line: u32) -> Result<(&'static str, Before), [Option<u32>; 2]> {
        let place = find(SOURCE.as_bytes(), line)?;
        let rest = &SOURCE[place.offset..];
        let word = rest.find(['\n', ';', '(']).unwrap_or(rest.len());
        Ok((rest[..word].trim(), place.before))
    }

    #[test]
    fn the_outermost_statement_that_begins_on_a_line_is_found() {
        let (statement, item) = (Before::Statement, Before::BlockItem);
        for (line, text, before) in [
            (8, "int b = 1", item),
            (10, "if", statement),
            (11, "b++", statement),
            (12, "if", statement),
            (13, "a = 1", statement),
            (14, "{ a = 2", statement),
            (15, "for", statement),
            (17, "g", statement),
            (18, "do", statement),
            (19, "b--", statement),
            (21, "switch", statement),
            (22, "", item),
            (23, "b = 3", statement),
            (24, "int c", item),
            (25, "int c", item),
            (26, "a = 4", statement),
            (27, "a = 4", statement),
            (28, "a = 4", statement),
            (30, "{", statement),
            (31, "typedef int t", item),
            (33, "return b", statement),
        ] {
            assert_eq!(place_of(line), Ok((text, before)), "line {line}");
        }
    }

    #[test]
    fn other_lines_have_none() {
        for (line, nearest) in [
            (1, [None, Some(8)]),
            (2, [None, Some(8)]),
            (3, [None, Some(8)]),
            (4, [None, Some(8)]),
            (5, [None, Some(8)]),
            (6, [None, Some(8)]),
            (7, [None, Some(8)]),
            (9, [Some(8), Some(10)]),
            (16, [Some(15), Some(17)]),
            (20, [Some(19), Some(21)]),
            (29, [Some(28), Some(30)]),
            (32, [Some(31), Some(33)]),
            (34, [Some(33), None]),
            (36, [Some(33), None]),
            (99, [Some(33), None]),
        ] {
            assert_eq!(place_of(line), Err(nearest), "line {line}");
        }
    }
}
