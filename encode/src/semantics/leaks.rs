//! Memory that is lost.

use std::collections::BTreeMap;

use program::leaks::AddressWord;
use program::model::{LeakSearch, ObjectId, ObjectKind};
use system::term::Term;

use crate::semantics::executor::Executor;
use crate::semantics::operation;
use crate::semantics::path::{Path, Variable};
use crate::semantics::sink::NotEncoded;

impl Executor<'_> {
    /// The path on which memory is lost. Inputs choose a set of live objects that no variable leads into, nor any object outside of it.
    pub(crate) fn find_leak(&mut self, path: Path, search: LeakSearch) -> Option<Path> {
        let found = self.context.address_words.as_ref()?;
        let chosen = found.objects.iter().map(|&object| (object, self.input(1)));
        let chosen: Vec<(ObjectId, Term)> = chosen.collect();
        if !found.allow(search) {
            return None;
        }
        let alone = self.alone(&path);
        let may_end = match search {
            LeakSearch::Certain | LeakSearch::Hidden => alone,
            LeakSearch::Beside => self.terms.not(alone),
            LeakSearch::Any => self.terms.bool(true),
        };
        let mut path = path.assume(self.terms, may_end)?;
        let mut lost = BTreeMap::new();
        for (object, chosen) in chosen {
            let alive = self.value(&path, Variable::Alive(object));
            let chosen = self.terms.bit_to_bool(chosen);
            lost.insert(object, self.terms.and(chosen, alive));
        }
        let any = self.terms.or_all(lost.values().copied());
        path = path.assume(self.terms, any)?;
        for word in &found.words {
            if self.context.layout.is_too_large(word.holder) {
                let always = self.terms.bool(true);
                self.not_encoded(&path, always, NotEncoded::LargeObject);
                return None;
            }
            let leads_out = self.leads_out(&path, word, &lost);
            path = path.assume(self.terms, leads_out)?;
        }
        Some(path)
    }

    /// Whether all other threads that were created have ended.
    fn alone(&mut self, path: &Path) -> Term {
        let instances = self.context.instances.threads.keys();
        let (own, mut ended) = (self.instance, Vec::new());
        for other in instances.filter(|&other| other != own) {
            let started = self.value(path, Variable::Started(other));
            let unused = self.terms.not(started);
            let exited = self.value(path, Variable::Exited(other));
            ended.push(self.terms.or(unused, exited));
        }
        self.terms.and_all(ended)
    }

    /// Whether a word is in one of the lost objects, leads to none of them, or is no longer there.
    fn leads_out(
        &mut self,
        path: &Path,
        word: &AddressWord,
        lost: &BTreeMap<ObjectId, Term>,
    ) -> Term {
        let instances = self.context.instances;
        let no = self.terms.bool(false);
        let counts_not = match instances.objects[word.holder].kind {
            ObjectKind::Heap { .. } => {
                let alive = self.value(path, Variable::Alive(word.holder));
                let gone = self.terms.not(alive);
                let own = lost.get(&word.holder).copied().unwrap_or(no);
                self.terms.or(gone, own)
            }
            ObjectKind::ThreadLocal(_, owner) => self.terms.bool(owner != self.instance),
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::Local(..)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => no,
        };
        let data_model = self.data_model();
        let value = self.read_bytes(path, word.holder, word.offset, data_model.address_bytes());
        let object = operation::object(self.terms, data_model, value);
        let mut outside = Vec::new();
        for target in &word.targets {
            let base = self.address_bits(instances.base(*target));
            let number = operation::object(self.terms, data_model, base);
            let leads = self.terms.equal(object, number);
            let into = self.terms.and(leads, lost[target]);
            outside.push(self.terms.not(into));
        }
        let outside = self.terms.and_all(outside);
        self.terms.or(counts_not, outside)
    }
}
