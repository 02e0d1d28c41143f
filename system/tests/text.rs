//! Terms as text for people and solvers.

use system::export::smt_lib::{Writer, text};
use system::term::{Sort, Terms};

#[test]
fn shared_subterms_are_named_by_let() {
    let mut terms = Terms::new();
    let (x, y) = (
        terms.symbol("x", Sort::BitVec(8)),
        terms.symbol("a b", Sort::BitVec(8)),
    );
    let sum = terms.add(x, y);
    let square = terms.multiply(sum, sum);
    let below = terms.unsigned_less_equal(square, x);
    assert_eq!(
        text(&terms, below),
        "(let ((t2 (bvadd x |a b|))) (bvule (bvmul t2 t2) x))"
    );
}

#[test]
fn names_are_unique_and_no_builtins() {
    let mut terms = Terms::new();
    let names = ["x", "x", "store", "bvadd", "", "a|b", "3", "@y", "x!1"];
    let symbols = names.map(|name| terms.symbol(name, Sort::Bool));
    let mut writer = Writer::new(&terms);
    let written = symbols.map(|symbol| writer.name(symbol));
    assert_eq!(
        written,
        [
            "x", "x!1", "store!1", "_bvadd", "_!1", "a_b", "|3|", "_@y", "x!1!1"
        ]
    );
}

#[test]
fn what_comes_before_a_suffix_is_unique() {
    let mut terms = Terms::new();
    let names = [
        "x", "x", "x@0", "not", "", "a|b", "a\\b", "a\nb", "é", ".y", "a b;\"",
    ];
    let symbols = names.map(|name| terms.symbol(name, Sort::Bool));
    let mut writer = Writer::with_suffix(&terms, "@0");
    let written = symbols.map(|symbol| writer.name(symbol));
    assert_eq!(
        written,
        [
            "x@0",
            "x!1@0",
            "x@0@0",
            "not@0",
            "_@0",
            "a_b@0",
            "a_b!1@0",
            "a_b!2@0",
            "_!1@0",
            "_.y@0",
            "|a b;\"@0|"
        ]
    );
}
