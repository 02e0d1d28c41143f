//! Floating-point arithmetic: results are those of the machine, where something depends on them.

use std::fmt::Write as _;

use explicit::explore::SearchVerdict;

use super::{BOTH, fails, holds};
use crate::common::c::{PRELUDE, limits, outcome};

/// Numbers at which formats and rounding have their limits.
const LONG: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    0.3,
    3.0,
    -7.25,
    1e300,
    -1e300,
    1e-300,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    -2.5e-310,
    4503599627370497.0,
    9007199254740993.0,
    16777217.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
];
const SHORT: [f32; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    3.0,
    1e30,
    -1e-30,
    f32::MAX,
    f32::MIN_POSITIVE,
    1e-45,
    -3e-39,
    16777215.0,
    f32::INFINITY,
];

/// Assertions about one pair of numbers, or about one number.
struct Assertions(String);

impl Assertions {
    /// The expression has this value; any that is not a number will do for another.
    fn long(&mut self, expression: &str, value: f64) {
        let bits = value.to_bits();
        let holds = match value.is_nan() {
            true => format!("is_nan({expression})"),
            false => format!("bits({expression}) == {bits:#x}"),
        };
        self.holds(&holds);
    }

    fn short(&mut self, expression: &str, value: f32) {
        let bits = value.to_bits();
        let holds = match value.is_nan() {
            true => format!("is_nan({expression})"),
            false => format!("short_bits({expression}) == {bits:#x}"),
        };
        self.holds(&holds);
    }

    fn compared(&mut self, [one, other]: [&str; 2], truths: [bool; 4]) {
        for (operator, truth) in ["<", "<=", "==", "!="].into_iter().zip(truths) {
            self.holds(&format!(
                "({one} {operator} {other}) == {}",
                u8::from(truth)
            ));
        }
    }

    fn holds(&mut self, condition: &str) {
        writeln!(self.0, "if (!({condition})) reach_error();").expect("text can be written");
    }

    /// They hold, and are reached.
    fn check(&self, optimisation: &str) {
        let program = |last: &str| {
            format!(
                "{PRELUDE}static int is_nan(double x) {{ return x != x; }}\n\
                 static unsigned long bits(double x) {{ unsigned long b; memcpy(&b, &x, 8); return b; }}\n\
                 static inline double long_of(unsigned long b) {{ volatile unsigned long v = b; b = v; double x; memcpy(&x, &b, 8); return x; }}\n\
                 static inline float short_of(unsigned b) {{ volatile unsigned v = b; b = v; float x; memcpy(&x, &b, 4); return x; }}\n\
                 static unsigned short_bits(float x) {{ unsigned b; memcpy(&b, &x, 4); return b; }}\n\
                 int main(void) {{\n{}{last}return 0; }}\n",
                self.0
            )
        };
        let found = outcome(&program(""), &[optimisation]);
        assert_eq!(found, SearchVerdict::Safe(()), "{}", self.0);
        let reached = outcome(&program("reach_error();"), &[optimisation]);
        assert!(crate::common::is_refuted(&reached), "{}", self.0);
    }
}

#[test]
fn numbers_of_64_bits_are_those_of_the_machine() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..24 {
        let [x, y] = [(); 2].map(|()| LONG[random.usize(..LONG.len())]);
        let [x, y] = [x, y].map(|number| match random.bool() {
            true => number * (1.0 + random.f64()),
            false => number,
        });
        let mut of = Assertions(format!(
            "volatile unsigned long vx = {:#x}, vy = {:#x}; unsigned long bx = vx, by = vy; double x, y; memcpy(&x, &bx, 8); memcpy(&y, &by, 8);\n",
            x.to_bits(),
            y.to_bits()
        ));
        of.long("x + y", x + y);
        of.long("x - y", x - y);
        of.long("x * y", x * y);
        of.long("x / y", x / y);
        of.short("(float)x", x as f32);
        of.compared(["x", "y"], [x < y, x <= y, x == y, x != y]);
        if x.abs() < 9e18 {
            of.holds(&format!("(long)x == {}L", x as i64));
        }
        of.check(BOTH[random.usize(..2)]);
    }
}

#[test]
fn numbers_of_32_bits_are_those_of_the_machine() {
    let mut random = fastrand::Rng::with_seed(8);
    for _ in 0..16 {
        let [x, y] = [(); 2].map(|()| SHORT[random.usize(..SHORT.len())]);
        let [x, y] = [x, y].map(|number| match random.bool() {
            true => number * (1.0 + random.f32()),
            false => number,
        });
        let mut of = Assertions(format!(
            "volatile unsigned vx = {:#x}, vy = {:#x}; unsigned bx = vx, by = vy; float x, y; memcpy(&x, &bx, 4); memcpy(&y, &by, 4);\n",
            x.to_bits(),
            y.to_bits()
        ));
        of.short("x + y", x + y);
        of.short("x - y", x - y);
        of.short("x * y", x * y);
        of.short("x / y", x / y);
        of.short("x * y + y", x * y + y);
        of.long("(double)x", x.into());
        of.compared(["x", "y"], [x < y, x <= y, x == y, x != y]);
        of.check(BOTH[random.usize(..2)]);
    }
}

#[test]
fn integers_become_the_numbers_next_to_them() {
    for value in [
        0,
        1,
        -1,
        i64::MIN,
        i64::MAX,
        9007199254740993,
        -16777217,
        33554435,
    ] {
        let mut of = Assertions(format!(
            "volatile long vx = {:#x}; long x = vx; unsigned long u = x; int i = x;\n",
            value as u64
        ));
        of.long("(double)x", value as f64);
        of.long("(double)u", value as u64 as f64);
        of.long("(double)i", f64::from(value as i32));
        of.short("(float)x", value as f32);
        of.short("(float)u", value as u64 as f32);
        of.short("(float)i", value as i32 as f32);
        of.holds(&format!("(x * 0.1 < 0) == {}", u8::from(value < 0)));
        for optimisation in BOTH {
            of.check(optimisation);
        }
    }
}

#[test]
fn all_comparisons_tell_what_is_not_a_number() {
    let data = "volatile double zero = 0;";
    holds(
        data,
        "double n = zero / zero; float f = n; PROPERTY(!(n < 1) && !(n >= 1) && !(n == n) && f != f && !(n < f || n > f));",
    );
    holds(
        data,
        "double n = zero / zero; PROPERTY(__builtin_isunordered(n, 1.0) && !__builtin_isgreater(n, 1.0) && !__builtin_islessgreater(n, 1.0));",
    );
    holds(
        data,
        "double x = 1 + zero; PROPERTY(!__builtin_isunordered(x, x) && __builtin_isgreaterequal(x, 1.0) && __builtin_islessgreater(x, 2.0));",
    );
}

#[test]
fn inputs_are_computed_with() {
    holds(
        "",
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 20); double third = n / 3.0; PROPERTY(third * 3.0 > n - 0.001);",
    );
    fails(
        "",
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 200); double part = n / 49.0; PROPERTY(part * 49.0 == n);",
    );
}

#[test]
fn what_is_not_determined_is_not_computed() {
    let decides = "double y = x * x + 1; if (y < 1) reach_error();";
    let found = |flags: &[&str], body: &str| {
        let text = format!(
            "{PRELUDE}volatile double v = 0.5; int main(void) {{ double x = v; {body} return 0; }}"
        );
        outcome(&text, flags)
    };
    let is_arbitrary = |found: &SearchVerdict| match found {
        SearchVerdict::Safe(()) => false,
        SearchVerdict::Unsafe(_) => true,
        SearchVerdict::Unknown(_) => {
            let reasons = limits(found, decides);
            reasons
                .iter()
                .all(|reason| reason.contains("floating-point arithmetic"))
        }
    };
    assert_eq!(found(&["-O0"], decides), SearchVerdict::Safe(()));
    for flags in [
        ["-O1", "-ffast-math"],
        ["-O1", "-mfma"],
        ["-O1", "-fdenormal-fp-math=preserve-sign"],
        ["-O1", "-mno-sse2"],
        ["-O1", "-m32"],
    ] {
        let found = found(&flags, decides);
        assert!(is_arbitrary(&found), "{flags:?}: {found:?}");
    }
    let many = "y = y * x + 1; ".repeat(80);
    let many = format!("double y = x; {many} if (y < 1) reach_error();");
    let found_many = found(&["-O0"], &many);
    assert!(is_arbitrary(&found_many), "{found_many:?}");
    // LLVM would ask the library of the machine that it runs on.
    let power = "double y = __builtin_pow(x, 3) + v; if (y == 0.625) reach_error();";
    let found_power = found(&["-O0", "-fno-math-errno"], power);
    assert!(is_arbitrary(&found_power), "{found_power:?}");
    // LLVM would round once, and make what is no number positive. Nothing compares numbers here.
    for (first, second) in [
        ("x * x - (1 + 0x1p-29)", "u == 0"),
        ("(x - x) / (x - x)", "u >> 63"),
    ] {
        let bits = format!(
            "x += 0.5 + 0x1p-30; double y = {first}; unsigned long u; memcpy(&u, &y, 8); if (({second}) != 0) reach_error();"
        );
        let once = found(&["-O0"], &bits);
        let negated = found(&["-O0"], &bits.replace("!= 0", "== 0"));
        assert!(
            is_arbitrary(&once) && is_arbitrary(&negated),
            "{once:?} {negated:?}"
        );
    }
}

#[test]
fn numbers_are_of_one_class() {
    // The classes of numbers without sign, in LLVM's order; those with sign are before them, the other way round.
    let class = |magnitude: u64, normal: u64, infinite: u64| {
        let reached = [1, normal, infinite].map(|first| u32::from(magnitude >= first));
        reached.into_iter().sum::<u32>()
    };
    let mut assertions = Assertions(String::new());
    let mut number = |kind: &str, bits: u64, width: u32, mantissa: u32| {
        let sign = bits >> (width - 1);
        let magnitude = bits & ((1 << (width - 1)) - 1);
        let infinite = (1 << (width - 1)) - (1 << mantissa);
        let expected = match magnitude > infinite {
            true => u32::from(magnitude >> (mantissa - 1) & 1 == 1),
            false => {
                let class = class(magnitude, 1 << mantissa, infinite);
                if sign == 1 { 5 - class } else { 6 + class }
            }
        };
        for asked in 0..10 {
            let truth = u8::from(asked == expected);
            let mask = 1 << asked;
            assertions.holds(&format!(
                "__builtin_isfpclass({kind}_of({bits:#x}), {mask}) == {truth}"
            ));
        }
    };
    for value in LONG {
        number("long", value.to_bits(), 64, 52);
    }
    for value in SHORT {
        number("short", value.to_bits().into(), 32, 23);
    }
    for bits in [
        0x7ff0_0000_0000_0001,
        0xfff7_ffff_ffff_ffff,
        0x7ff8_0000_0000_0000,
        u64::MAX,
    ] {
        number("long", bits, 64, 52);
    }
    for bits in [0x7f80_0001, 0xffbf_ffff, 0x7fc0_0000, 0xffff_ffff] {
        number("short", bits, 32, 23);
    }
    assertions.check("-O0");
}
