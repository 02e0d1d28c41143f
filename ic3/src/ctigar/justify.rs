//! Lifting without a solver, for the exact precision: a traversal of the terms finds the bits by which a step reaches
//! its target.
//!
//! The step is evaluated once. Then the traversal goes back from the target condition to the bits that determine the
//! values on the way: for a conjunction that is false, one false conjunct is enough; for an if-then-else, the condition
//! and the branch taken. It ends at inputs, which lifting keeps unchanged, and at predicates of the precision that
//! relate several variables.

mod operands;
#[cfg(test)]
mod tests;

use std::collections::BinaryHeap;

use system::term::{Node, Term, Terms, Value, apply};

use self::operands::{Needs, branch_taken, needs, settling};
use super::cube::Cube;
use super::predicates::Predicates;
use super::queries::ConcreteStep;
use super::step_relation::StepRelation;

/// Evaluates steps, and justifies what is true of them.
#[derive(Debug, Default)]
pub struct Justifier {
    /// By position of the term in the arena.
    facts: Vec<Fact>,
    /// The number of the step; facts of other steps do not count.
    run: u32,
}

#[derive(Clone, Copy, Debug)]
struct Fact {
    run: u32,
    value: Value,
    /// About how many literals it takes to determine the value.
    cost: u32,
    /// The bits of the value that must be determined.
    needed: u128,
    /// Those of them for which the operands are needed already.
    passed_on: u128,
}

/// What is needed and not looked at yet.
#[derive(Default)]
struct Open {
    /// The latest terms first: most of what needs a term comes before it.
    terms: BinaryHeap<Term>,
    /// Terms that one of two operands determines. They come last, since one of the two may be needed anyway.
    choices: BinaryHeap<Term>,
}

impl Fact {
    const NONE: Self = Self::new(0, Value::Bool(false), 0);

    const fn new(run: u32, value: Value, cost: u32) -> Self {
        Self {
            run,
            value,
            cost,
            needed: 0,
            passed_on: 0,
        }
    }
}

impl Justifier {
    /// Literals that hold in the state of `point` and that alone make all roots true under the same inputs; none if a root
    /// is false there.
    pub fn justify(
        &mut self,
        terms: &Terms,
        step: &StepRelation,
        predicates: &Predicates,
        point: &ConcreteStep,
        roots: &[Term],
    ) -> Option<Cube> {
        self.run += 1;
        self.facts.resize(terms.len(), Fact::NONE);
        for (&variable, &value) in step.state.iter().zip(&point.state) {
            self.learn(variable, value, terms.width(variable));
        }
        for (&input, &value) in step.inputs.iter().zip(&point.inputs) {
            self.learn(input, value, 0);
        }
        let mut open = Open::default();
        for &root in roots {
            self.evaluate(terms, predicates, root);
            if !self.value(root).is_true() {
                return None;
            }
            self.need(&mut open, (root, 1));
        }
        let related = self.walk(terms, predicates, open);
        let bits = predicates.exact(&point.state);
        let needed = step.state.iter().flat_map(|&variable| {
            let needed = self.fact(variable).needed;
            (0..terms.width(variable)).map(move |bit| needed >> bit & 1 == 1)
        });
        let bits = bits.zip(needed).filter(|&(_, needed)| needed);
        let bits = bits.map(|(literal, _)| literal);
        let related = related.into_iter().filter_map(|term| {
            let predicate = predicates.relation(term)?;
            Some(predicate.literal(self.fact(term).value.is_true()))
        });
        Some(bits.chain(related).collect())
    }

    fn fact(&self, term: Term) -> &Fact {
        &self.facts[term.index()]
    }

    fn value(&self, term: Term) -> Value {
        self.fact(term).value
    }

    fn is_known(&self, term: Term) -> bool {
        self.fact(term).run == self.run
    }

    fn learn(&mut self, term: Term, value: Value, cost: u32) {
        self.facts[term.index()] = Fact::new(self.run, value, cost);
    }

    /// Finds values and costs of a term and of what it depends on; of an if-then-else only of the branch taken.
    fn evaluate(&mut self, terms: &Terms, predicates: &Predicates, root: Term) {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.is_known(term) {
                open.pop();
                continue;
            }
            let before = open.len();
            let node = terms.node(term);
            if let Node::Ite(condition, a, b) = node
                && self.is_known(condition)
            {
                let branch = branch_taken(self.value(condition), a, b);
                open.extend((!self.is_known(branch)).then_some(branch));
            } else if let Node::Ite(condition, _, _) = node {
                open.push(condition);
            } else {
                open.extend(node.operands().filter(|&operand| !self.is_known(operand)));
            }
            if open.len() == before {
                let value = apply(node, |operand| self.value(operand));
                let value = value.unwrap_or_else(|| Value::zero(terms.sort(term)));
                let cost = match predicates.relation(term) {
                    Some(_) => 1,
                    None => self.cost(node, value),
                };
                self.learn(term, value, cost);
            }
        }
    }

    /// What it costs to determine the value of a node by its operands.
    fn cost(&self, node: Node, value: Value) -> u32 {
        let cost = |term: Term| self.fact(term).cost;
        if let Node::Ite(condition, a, b) = node {
            let branch = branch_taken(self.value(condition), a, b);
            return cost(condition).saturating_add(cost(branch));
        }
        let cheapest = settling(node, value, |operand| self.value(operand))
            .map(cost)
            .min();
        cheapest.unwrap_or_else(|| node.operands().map(cost).fold(0, u32::saturating_add))
    }

    fn need(&mut self, open: &mut Open, (term, bits): (Term, u128)) {
        let fact = &mut self.facts[term.index()];
        if bits & !fact.needed != 0 {
            fact.needed |= bits;
            open.terms.push(term);
        }
    }

    /// Passes needs on to operands, down to variables and relations. The relations are returned.
    fn walk(&mut self, terms: &Terms, predicates: &Predicates, mut open: Open) -> Vec<Term> {
        let mut relations = Vec::new();
        loop {
            if let Some(term) = open.terms.pop() {
                if predicates.relation(term).is_some() {
                    relations.push(term);
                } else {
                    self.pass_on(terms, &mut open, term);
                }
            } else if let Some(term) = open.choices.pop() {
                self.choose(terms, &mut open, term);
            } else {
                return relations;
            }
        }
    }

    fn pass_on(&mut self, terms: &Terms, open: &mut Open, term: Term) {
        let fact = &mut self.facts[term.index()];
        let bits = fact.needed & !fact.passed_on;
        fact.passed_on = fact.needed;
        if bits == 0 {
            return;
        }
        let value = |term: Term| self.value(term);
        match needs(terms, term, bits, value, |term| self.fact(term).needed) {
            Needs::Each(needs) => needs.into_iter().for_each(|need| self.need(open, need)),
            Needs::Either => open.choices.push(term),
        }
    }

    /// Needs the cheapest of the operands that settle a Boolean term, or none if one of them is needed anyway.
    fn choose(&mut self, terms: &Terms, open: &mut Open, term: Term) {
        let value = |term: Term| self.value(term);
        let settling = settling(terms.node(term), value(term), value);
        let best = settling.min_by_key(|&operand| {
            let fact = self.fact(operand);
            (fact.needed == 0, fact.cost)
        });
        if let Some(best) = best {
            self.need(open, (best, 1));
        }
    }
}
