//! The content of memory where no statement has written, or where no object is.

use super::part::Part;
use crate::numbers::Numbers;

/// Bit-fields of fresh memory, which share their bytes with each other and with unused bits; broken, if one is not
/// written.
pub fn bit_fields(numbers: &mut Numbers, broken: bool) -> Part {
    let widths = [0; 3].map(|_| 2 + numbers.below(9));
    let [first, second, third] = widths.map(|width| numbers.below(1 << (width - 1)));
    let [a, b, c] = widths;
    let declarations = format!(
        "struct fields@ {{\n    unsigned a : {a};\n    signed b : {b};\n    unsigned c : {c};\n}};"
    );
    let place = numbers.pick(&[
        "    struct fields@ local, *fields = &local;\n",
        "    struct fields@ *fields = malloc(sizeof *fields);\n",
    ]);
    let mut writes = [
        format!("    fields->a = {first};\n"),
        format!("    fields->b = {second};\n"),
        format!("    fields->c = {third};\n"),
    ];
    writes.rotate_left(numbers.below(3));
    let read = numbers.pick(&[
        "fields->$NAME == $VALUE",
        "(fields->$NAME ^ $VALUE) == 0",
        "fields->$NAME - $VALUE == 0",
    ]);
    let omitted = if broken { numbers.below(3) } else { 3 };
    let written: String = (0..3)
        .filter(|field| *field != omitted)
        .map(|field| writes[field].as_str())
        .collect();
    let asserts: String = [("a", first), ("b", second), ("c", third)]
        .into_iter()
        .map(|(name, value)| {
            let read = read
                .replace("$NAME", name)
                .replace("$VALUE", &value.to_string());
            format!("    assert({read});\n")
        })
        .collect();
    Part::new(broken, &declarations, &format!("{place}{written}{asserts}"))
}

/// A table of constants, read by a function; broken, behind its end.
pub fn constant_table(numbers: &mut Numbers, broken: bool) -> Part {
    let count = 1 + numbers.below(3);
    let kind = numbers.pick(&["int", "unsigned char", "long"]);
    let entries = vec!["1"; count].join(", ");
    let index = if broken { count } else { count - 1 };
    let read = numbers.pick(&[
        "return table@[$INDEX] != 0;",
        "return table@[$INDEX] ? 1 : 0;",
        "$KIND copy;\n    memcpy(&copy, table@ + $INDEX, sizeof copy);\n    return copy == 1;",
        "for (int i = $INDEX; i < $INDEX + 1; i++)\n        if (table@[i])\n            return 1;\n    return 0;",
    ]);
    let declarations = format!(
        "static const {kind} table@[{count}] = {{{entries}}};\nstatic int read@(void) {{\n    {read}\n}}"
    );
    let condition = if broken {
        "read@() >= 0"
    } else {
        "read@() == 1"
    };
    Part::new(
        broken,
        &declarations,
        &format!("    assert({condition});\n"),
    )
    .with("INDEX", index)
    .with("KIND", kind)
}
