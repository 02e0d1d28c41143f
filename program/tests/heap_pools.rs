//! Allocation statements share memory if addresses of their objects may be compared and one may be freed.

use program::builder::{ProgramBuilder, TemplateBuilder, constant};
use program::layout::convert;
use program::model::{Comparison, HeapSiteId, RegisterId, Statement};

/// The pool of each allocation statement of a program that allocates three objects.
fn pools(body: impl FnOnce(&mut TemplateBuilder, [RegisterId; 3])) -> Vec<Option<HeapSiteId>> {
    let mut builder = ProgramBuilder::new("pools");
    let mut main = builder.main();
    let objects = [0; 3].map(|_| main.allocate(constant(64, 8), 8, false));
    body(&mut main, objects);
    main.finish();
    let mut program = builder.finish();
    convert(&mut program);
    let sites = program.heap_sites.values();
    sites.map(|site| site.pool).collect()
}

fn free(main: &mut TemplateBuilder, object: RegisterId) {
    main.statement(Statement::Free {
        address: object.into(),
        automatic: false,
    });
}

/// The statement with this number.
fn site(number: u32) -> Option<HeapSiteId> {
    Some(HeapSiteId::from_u32(number))
}

#[test]
fn what_is_never_compared_has_memory_of_its_own() {
    let found = pools(|main, [first, second, _]| {
        free(main, first);
        free(main, second);
    });
    assert_eq!(found, [site(0), site(1), None]);
}

#[test]
fn what_is_compared_may_lie_where_something_was_freed() {
    let found = pools(|main, [first, second, third]| {
        free(main, second);
        main.compare(Comparison::Equal, second, third);
        free(main, first);
    });
    assert_eq!(found[1], found[2]);
    assert_eq!(found[0], site(0));
}

#[test]
fn comparisons_with_an_exchange_count() {
    let found = pools(|main, [first, second, third]| {
        free(main, third);
        main.store(first, second);
        let (register, success) = (main.register(64), main.register(1));
        main.statement(Statement::CompareExchange {
            register,
            success,
            address: second.into(),
            expected: third.into(),
            desired: constant(64, 0),
        });
    });
    assert_eq!(found[0], found[2]);
    assert_ne!(found[1], found[2]);
}

#[test]
fn what_is_never_freed_shares_nothing() {
    let found = pools(|main, [first, second, third]| {
        free(main, third);
        main.compare(Comparison::Equal, first, second);
    });
    assert_eq!(found, [None, None, site(2)]);
}
