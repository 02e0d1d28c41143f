//! The memory that the parameters of `main` point to.

use crate::llvm::{Builder, Module};

/// So many arguments, the program's name among them, can be looked at. Further ones lie outside of `argv`.
const MOST: u64 = 8;

/// So many bytes of each argument can be looked at. They are arbitrary; an argument may have more.
const LENGTH: u64 = 16;

/// Gives `argv` memory of its own: a pointer for each argument that there is, a null pointer behind the last. Where the program
/// itself calls `main`, the parameter is not always that of the process, and stays what must not be accessed.
/// The pointers may be variables that live until the program ends, as they do in C; else they end with `main`.
pub(super) fn provide(module: &Module, outlives_main: bool) {
    let Some(main) = module.function("main") else {
        return;
    };
    let parameters = main.parameters();
    let ([count, vector, ..], Some(first)) = (&parameters[..], main.body().into_iter().next())
    else {
        return;
    };
    if vector.users().is_empty()
        || !vector.value_type_of().is_pointer()
        || count.value_type_of().int_width().is_none()
        || !main.users().is_empty()
    {
        return;
    }
    let builder = Builder::before(module, first);
    let pointer = module.pointer_type();
    let texts: Vec<_> = (0..MOST)
        .map(|position| {
            let text = builder.variable(module.int_type(8).array(LENGTH));
            text.set_name(format!("argv[{position}]"));
            text
        })
        .collect();
    let size = u64::from(module.data_model().address_bytes());
    let pointers = match outlives_main {
        true => module.static_variable(pointer.array(MOST)),
        false => builder.variable(pointer.array(MOST)),
    };
    pointers.set_name("argv[]");
    for (position, text) in (0..).zip(texts) {
        let exists = builder.unsigned_less(count.value_type_of().constant(position), *count);
        let argument = builder.select(exists, text, pointer.null());
        builder.store(
            argument,
            builder.byte_offset(module, pointers, size * position),
        );
    }
    vector.replace_all_uses(pointers);
}
