//! What memory holds before anybody has written there.

use super::part::Part;
use crate::numbers::Numbers;

/// Bit-fields of fresh memory, which share their bytes with each other and with bits that nobody uses; broken, if one is not written.
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
