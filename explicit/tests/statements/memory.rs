//! Statements that access memory, and those that start and end the lifetimes of objects.

use super::undefined;
use crate::common::{main_only, run_main};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::model::{
    InvalidAccess, LimitKind, LocationKind, ObjectKind, Operand, Operation, Place, Statement,
    Undefined,
};
use program::threads::{Bounds, instantiate};

#[test]
fn memory_is_little_endian_bytes() {
    let mut builder = ProgramBuilder::new("bytes");
    let cell = builder.global("cell", &[0xff; 8]);
    let out = builder.global("out", &[0; 8]);
    let mut main = builder.main();
    main.store(constant(32, 0x0403_0201), global(cell));
    let high = main.load(16, Operand::Address(Place::Global(cell), 2));
    main.store(high, global(out));
    main.store(constant(1, 1), global(cell));
    let narrow = main.load(12, global(cell));
    main.store(narrow, global(out));
    main.finish();
    // One bit fills its byte with zeros; of 12 bits in memory the upper four are ignored.
    assert_eq!(
        run_main(&builder.finish(), &[]).written(),
        [0x0403_0201, 0x0403, 1, 0x201]
    );
}

#[test]
fn compare_exchange_writes_if_memory_holds_the_expected_value() {
    for (expected, written) in [(7, vec![9, 7, 1]), (8, vec![7, 0])] {
        let mut builder = ProgramBuilder::new("cas");
        let (cell, out) = (
            builder.global("cell", &[7, 0, 0, 0]),
            builder.global("out", &[0; 8]),
        );
        let mut main = builder.main();
        let (register, success) = (main.register(32), main.register(1));
        let (expected, desired) = (constant(32, expected), constant(32, 9));
        main.statement(Statement::CompareExchange {
            register,
            success,
            address: global(cell),
            expected,
            desired,
        });
        main.store(register, global(out));
        main.store(success, global(out));
        main.finish();
        assert_eq!(run_main(&builder.finish(), &[]).written(), written);
    }
}

#[test]
fn invalid_accesses_are_told_apart() {
    let load = |address: Operand| {
        main_only("load", |main| {
            main.load(32, address);
        })
    };
    assert_eq!(
        undefined(&load(constant(64, 0))),
        InvalidAccess::Null.into()
    );
    assert_eq!(
        undefined(&load(constant(64, 4))),
        InvalidAccess::NoObject(4).into()
    );
    assert_eq!(
        undefined(&load(constant(64, 99 << 32))),
        InvalidAccess::NoObject(99 << 32).into()
    );

    let mut builder = ProgramBuilder::new("bounds");
    let cell = builder.global("cell", &[0; 6]);
    let mut main = builder.main();
    main.load(32, Operand::Address(Place::Global(cell), 2));
    main.load(32, Operand::Address(Place::Global(cell), 3));
    main.finish();
    let Undefined::Access(InvalidAccess::OutOfBounds {
        offset, len, size, ..
    }) = undefined(&builder.finish())
    else {
        panic!("out of bounds")
    };
    assert_eq!((offset, len, size), (3, 4, 6));

    let mut builder = ProgramBuilder::new("constant");
    let cell = builder.constant("cell", &[5, 0, 0, 0]);
    let out = builder.global("out", &[0; 4]);
    let mut main = builder.main();
    let value = main.load(32, global(cell));
    main.store(value, global(out));
    main.store(value, global(cell));
    main.finish();
    let program = builder.finish();
    assert_eq!(run_main(&program, &[]).written(), [5]);
    assert!(matches!(
        undefined(&program),
        Undefined::Access(InvalidAccess::Constant(_))
    ));

    let mut builder = ProgramBuilder::new("function");
    let code = builder.function("code");
    let mut main = builder.main();
    main.load(8, function(code));
    main.finish();
    assert!(matches!(
        undefined(&builder.finish()),
        Undefined::Access(InvalidAccess::NoContent(_))
    ));
}

#[test]
fn heap_objects_have_the_size_asked_for_until_they_are_freed() {
    let heap = |act: fn(&mut TemplateBuilder<'_>, Operand)| {
        main_only("heap", |main| {
            let object = main.allocate(constant(64, 6), 8, true);
            act(main, object.into());
        })
    };
    let inside = run_main(
        &heap(|main, object| main.store(constant(32, 1), object)),
        &[],
    );
    assert_eq!(inside.kind, LocationKind::Exited);
    let beyond = heap(|main, object| main.store(constant(64, 1), object));
    assert!(matches!(
        undefined(&beyond),
        Undefined::Access(InvalidAccess::OutOfBounds { size: 6, .. })
    ));
    let too_large = main_only("large", |main| {
        main.allocate(constant(64, 9), 8, true);
    });
    assert_eq!(
        run_main(&too_large, &[]).kind,
        LocationKind::Limit(LimitKind::Heap)
    );
    let huge = main_only("huge", |main| {
        main.allocate(constant(64, (1 << 32) + 4), 8, true);
    });
    assert_eq!(
        run_main(&huge, &[]).kind,
        LocationKind::Limit(LimitKind::Heap)
    );
}

#[test]
fn freeing_ends_an_object_and_only_an_object() {
    let free = |main: &mut TemplateBuilder<'_>, address: Operand| {
        main.statement(Statement::Free {
            address,
            automatic: false,
        });
    };
    let heap = |act: &dyn Fn(&mut TemplateBuilder<'_>, Operand)| {
        let program = main_only("heap", |main| {
            let object = main.allocate(constant(64, 8), 8, false);
            act(main, object.into());
        });
        let instances = instantiate(&program, &Bounds::default());
        let slot = instances
            .objects
            .iter()
            .find(|(_, object)| matches!(object.kind, ObjectKind::Heap { .. }))
            .map(|(object, _)| u128::from(object.as_u32()))
            .expect("a slot");
        run_main(&program, &[slot, slot])
    };
    let used = heap(&|main, object| {
        free(main, object);
        main.load(8, object);
    });
    assert!(matches!(
        used.undefined,
        Some(Undefined::Access(InvalidAccess::Freed(_)))
    ));
    let twice = heap(&|main, object| {
        free(main, object);
        free(main, object);
    });
    assert!(matches!(twice.undefined, Some(Undefined::FreedTwice(_))));
    let inner = heap(&|main, object| {
        let inner = main.assign(
            64,
            Operation::Offset {
                base: object,
                constant: 4,
                indices: Vec::new(),
            },
        );
        free(main, inner.into());
    });
    assert!(matches!(inner.undefined, Some(Undefined::Free(_))));
    assert_eq!(
        heap(&|main, _| free(main, constant(64, 0))).kind,
        LocationKind::Exited
    );
    let mut builder = ProgramBuilder::new("global");
    let cell = builder.global("cell", &[0; 4]);
    let mut main = builder.main();
    free(&mut main, global(cell));
    main.finish();
    assert!(matches!(undefined(&builder.finish()), Undefined::Free(_)));
}

#[test]
fn arbitrary_bytes_get_their_value_when_they_are_read_and_keep_it() {
    let mut builder = ProgramBuilder::new("arbitrary");
    let out = builder.global("out", &[0; 8]);
    let mut main = builder.main();
    let variable = main.local("variable", 4);
    main.store(constant(8, 9), Operand::Address(Place::Local(variable), 1));
    for _ in 0..2 {
        let value = main.load(32, local(variable));
        main.store(value, global(out));
    }
    main.statement(Statement::LifetimeStart { local: variable });
    let value = main.load(16, local(variable));
    main.store(value, global(out));
    main.finish();
    let run = run_main(&builder.finish(), &[0x33_2211, 0xffff]);
    // Three bytes are asked for around the one that was written; then two after the new lifetime.
    assert_eq!(run.asked, [24, 16]);
    assert_eq!(run.written(), [9, 0x3322_0911, 0x3322_0911, 0xffff]);
}
