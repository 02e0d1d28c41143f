//! The memory objects of all runs, in a fixed order: functions, globals, thread-locals, locals, heap, threads, nowhere,
//! bases.

use std::collections::BTreeMap;
use std::ops::Range;

use abi::ids::{InstanceId, SiteId};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::count::MAXIMUM;
use super::frequency::{Frequency, site_frequencies};
use crate::model::{
    Bounds, Edge, HeapSiteId, Instance, Object, ObjectId, ObjectKind, ObjectTable, Operand, Pool,
    PoolKind, Program, Statement, Template, TemplateId,
};

/// The objects made so far, in the order of [`ObjectTable`].
pub(super) struct Enumeration<'a> {
    pub(super) program: &'a Program,
    pub(super) threads: &'a PrimaryMap<InstanceId, Instance>,
    pub(super) objects: PrimaryMap<ObjectId, Object>,
}

impl Enumeration<'_> {
    fn push(&mut self, kind: ObjectKind, size: u32, alignment: u32) {
        self.objects.push(Object {
            kind,
            size,
            alignment,
        });
    }

    fn next(&self) -> u32 {
        self.objects.next_key().as_u32()
    }

    /// Functions, globals, thread-locals and locals.
    pub(super) fn places(&mut self) -> ObjectTable {
        let program = self.program;
        let mut table = ObjectTable {
            globals: vec![(0, false); program.globals.len()],
            ..ObjectTable::default()
        };
        for function in program.functions.keys() {
            self.push(ObjectKind::Function(function), 0, 1);
        }
        for (id, global) in program
            .globals
            .iter()
            .filter(|(_, global)| !global.thread_local)
        {
            table.globals[id.index()] = (self.next(), false);
            let size = global.bytes.len() as u32;
            self.push(ObjectKind::Global(id), size, global.alignment);
        }
        for (id, global) in program
            .globals
            .iter()
            .filter(|(_, global)| global.thread_local)
        {
            table.globals[id.index()] = (self.next(), true);
            for instance in self.threads.keys() {
                self.push(
                    ObjectKind::ThreadLocal(id, instance),
                    global.bytes.len() as u32,
                    global.alignment,
                );
            }
        }
        for (instance, thread) in self.threads {
            table.locals.push(self.next());
            for (id, local) in &program.templates[thread.template].locals {
                let kind = ObjectKind::Local(id, instance);
                self.push(kind, local.size, local.alignment);
            }
        }
        table
    }

    /// The slots of the heap: a pool per allocation statement, or one for those that may take each other's memory if the program
    /// frees anything.
    pub(super) fn heap(
        &mut self,
        counts: &SecondaryMap<TemplateId, u32>,
        bounds: &Bounds,
    ) -> Vec<Pool> {
        let mut demands: Vec<(u32, Frequency)> =
            vec![(0, Frequency::Once); self.program.heap_sites.len()];
        for (id, template) in &self.program.templates {
            for (site, frequency) in allocation_frequencies(template) {
                let (slots, all) = &mut demands[site.index()];
                *slots = slots.saturating_add(match frequency {
                    Frequency::Once => counts[id],
                    Frequency::Repeated if counts[id] == 0 => 0,
                    Frequency::Repeated => counts[id].max(bounds.heap),
                });
                if frequency == Frequency::Repeated || id != self.program.heap_sites[site].template
                {
                    *all = Frequency::Repeated;
                }
            }
        }
        let frees = frees(self.program, counts);
        let sizes = sizes(self.program, frees);
        let mut shared: BTreeMap<HeapSiteId, Pool> = BTreeMap::new();
        let mut pools = Vec::new();
        let program = self.program;
        for ((id, site), &(slots, frequency)) in program.heap_sites.iter().zip(&demands) {
            let pool = match site.pool.filter(|_| frees && !site.automatic) {
                Some(pool) => shared
                    .entry(pool)
                    .or_insert_with(|| self.shared_pool(pool, &demands, &sizes))
                    .clone(),
                None => Pool {
                    slots: self.slots(id.as_u32(), slots, sizes[id]),
                    kind: match frequency {
                        Frequency::Once => PoolKind::PerInstance,
                        Frequency::Repeated => PoolKind::Fresh,
                    },
                },
            };
            pools.push(pool);
        }
        pools
    }

    /// A pool for the allocation statements that may take each other's memory.
    fn shared_pool(
        &mut self,
        pool: HeapSiteId,
        demands: &[(u32, Frequency)],
        sizes: &SecondaryMap<HeapSiteId, u32>,
    ) -> Pool {
        let sites = self.program.heap_sites.iter().zip(demands);
        let sites = sites.filter(|((_, site), _)| !site.automatic && site.pool == Some(pool));
        let (mut first, mut total, mut largest) = (None, 0u32, 0);
        for ((id, _), &(slots, _)) in sites {
            first = first.or(Some(id.as_u32()));
            total = total.saturating_add(slots);
            largest = largest.max(sizes[id]);
        }
        Pool {
            slots: self.slots(first.unwrap_or(0), total, largest),
            kind: PoolKind::Reused,
        }
    }

    /// The threads, whose addresses are their handles.
    pub(super) fn threads(&mut self) -> u32 {
        let first = self.next();
        for instance in self.threads.keys() {
            self.push(ObjectKind::Thread(instance), 0, 1);
        }
        first
    }

    /// What pointers lead to that were moved too far.
    pub(super) fn nowhere(&mut self) -> u32 {
        let object = self.next();
        self.push(ObjectKind::Nowhere, 0, 1);
        object
    }

    /// One more object for each so far, that tells where it lies; none if the program never asks.
    pub(super) fn bases(&mut self) -> Option<u32> {
        let asks = |edge: &Edge| {
            if let Statement::Load { words, .. } | Statement::Store { words, .. } = &edge.statement
            {
                return !words.is_empty();
            }
            matches!(edge.statement, Statement::Number { .. })
        };
        let mut templates = self.program.templates.values();
        if !templates.any(|template| template.edges.values().any(asks)) {
            return None;
        }
        let first = self.next();
        for object in 0..first {
            self.push(ObjectKind::Base(ObjectId::from_u32(object)), 8, 8);
        }
        Some(first)
    }

    fn slots(&mut self, pool: u32, count: u32, size: u32) -> Range<u32> {
        let first = self.next();
        let alignment = self.program.data_model.heap_alignment();
        for slot in 0..count.min(MAXIMUM) {
            self.push(ObjectKind::Heap { pool, slot }, size, alignment);
        }
        first..self.next()
    }
}

/// How many bytes are reserved for the objects of each allocation statement. If memory is used again, those of a computed size are
/// as large as the largest.
fn sizes(program: &Program, frees: bool) -> SecondaryMap<HeapSiteId, u32> {
    let all = program.heap_sites.iter();
    let mut sizes: SecondaryMap<HeapSiteId, u32> = all.map(|(id, site)| (id, site.size)).collect();
    if !frees {
        return sizes;
    }
    let reserved = program.heap_sites.values().filter(|site| !site.automatic);
    let largest = reserved.map(|site| site.size).max().unwrap_or(0);
    for edge in program.templates.values().flat_map(|t| t.edges.values()) {
        if let Statement::Allocate {
            site,
            size: Operand::Register(_),
            ..
        } = edge.statement
            && !program.heap_sites[site].automatic
        {
            sizes[site] = largest;
        }
    }
    sizes
}

/// How often a run of the template executes each of its allocation statements.
fn allocation_frequencies(template: &Template) -> BTreeMap<HeapSiteId, Frequency> {
    let frequencies = site_frequencies(template, |statement| {
        matches!(statement, Statement::Allocate { .. })
    });
    let mut found: BTreeMap<HeapSiteId, (SiteId, Frequency)> = BTreeMap::new();
    for edge in template.edges.values() {
        if let Statement::Allocate { site, .. } = edge.statement
            && let Some(&frequency) = frequencies.get(&edge.site)
        {
            let entry = found.entry(site).or_insert((edge.site, frequency));
            if entry.0 != edge.site || frequency == Frequency::Repeated {
                entry.1 = Frequency::Repeated; // several instructions share the statement's pool
            }
        }
    }
    found
        .into_iter()
        .map(|(site, (_, frequency))| (site, frequency))
        .collect()
}

/// Whether any thread that runs frees anything.
fn frees(program: &Program, counts: &SecondaryMap<TemplateId, u32>) -> bool {
    let frees = |edge: &Edge| {
        matches!(
            edge.statement,
            Statement::Free {
                automatic: false,
                ..
            }
        )
    };
    let mut running = program.templates.iter().filter(|&(id, _)| counts[id] > 0);
    running.any(|(_, template)| template.edges.values().any(frees))
}
