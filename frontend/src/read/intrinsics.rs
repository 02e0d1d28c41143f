//! LLVM's intrinsic functions on integers.

use super::builder::constant;
use super::reader::{Read, unreadable};
use super::thread::{PathStatus, ThreadReader};
use crate::llvm::Value;
use program::model::{
    BinaryOperator as B, Bits, Cast, Comparison as C, HavocOrigin, LocationKind, Operand, Statement,
};

/// Intrinsic functions of targets that tell the processor to wait a little, or order accesses to memory.
const HINTS: [&str; 8] = [
    "aarch64.dmb",
    "aarch64.dsb",
    "aarch64.hint",
    "aarch64.isb",
    "x86.sse.sfence",
    "x86.sse2.lfence",
    "x86.sse2.mfence",
    "x86.sse2.pause",
];

/// Functions that round or compute with floating-point numbers.
const INEXACT: [&str; 24] = [
    "canonicalize",
    "ceil",
    "copysign",
    "cos",
    "exp",
    "exp2",
    "floor",
    "fma",
    "fmuladd",
    "log",
    "log10",
    "log2",
    "maximum",
    "maxnum",
    "minimum",
    "minnum",
    "nearbyint",
    "pow",
    "powi",
    "rint",
    "round",
    "sin",
    "sqrt",
    "trunc",
];

impl ThreadReader<'_, '_> {
    /// Appends what a call of an intrinsic function does.
    pub fn read_intrinsic(&mut self, call: Value, name: &str) -> Read<PathStatus> {
        // `llvm.umin.i32`: the types at the end do not matter.
        let full = name.strip_prefix("llvm.").unwrap_or(name);
        let base = full.split(['.']).next().unwrap_or(full);
        match base {
            "lifetime" if full.starts_with("lifetime.start") => {
                self.start_lifetime(call.operand(1))?
            }
            "lifetime" => self.end_lifetime(call.operand(1))?,
            "dbg" | "donothing" | "assume" | "sideeffect" | "prefetch" | "var" | "codeview"
            | "pseudoprobe" | "stackrestore" | "invariant" => {}
            "experimental" if full.starts_with("experimental.noalias") => {}
            // Hints to the processor, and fences, where memory is sequentially consistent.
            "x86" | "aarch64" if HINTS.contains(&full) => {}
            "trap" | "ubsantrap" | "debugtrap" => {
                self.builder.end(LocationKind::Halted, Statement::Skip);
                return Ok(PathStatus::Ends);
            }
            "stacksave" => {
                let widths = self.widths(call.value_type_of())?;
                let pointer = self.arbitrary(&widths, HavocOrigin::Undefined);
                self.define(call, pointer)?;
            }
            _ => {
                let result = self.compute_intrinsic(call, base, full)?;
                self.define(call, result)?;
            }
        }
        Ok(PathStatus::Continues)
    }

    /// The value of an intrinsic function without side effects.
    fn compute_intrinsic(&mut self, call: Value, base: &str, full: &str) -> Read<Vec<Operand>> {
        match base {
            "umin" => self.each_pair(call, |t, a, b| t.minimum(C::UnsignedLess, a, b)),
            "umax" => self.each_pair(call, |t, a, b| t.maximum(C::UnsignedLess, a, b)),
            "smin" => self.each_pair(call, |t, a, b| t.minimum(C::SignedLess, a, b)),
            "smax" => self.each_pair(call, |t, a, b| t.maximum(C::SignedLess, a, b)),
            "abs" => self.each(call, Self::absolute),
            "fabs" => self.each(call, Self::without_sign),
            _ if INEXACT.contains(&base) => self.inexact(call),
            "ctpop" => self.each(call, Self::population),
            "ctlz" => self.each(call, Self::leading_zeros),
            "cttz" => self.each(call, Self::trailing_zeros),
            "bswap" => self.each(call, |t, a| t.permute(a, 8)),
            "bitreverse" => self.each(call, |t, a| t.permute(a, 1)),
            "fshl" | "fshr" => self.funnel_shift(call, base == "fshl"),
            "uadd" | "sadd" | "usub" | "ssub" | "umul" | "smul" => self.checked(call, base, full),
            "expect" | "launder" | "strip" | "ssa" | "ptr" | "annotation" | "threadlocal"
            | "is" | "objectsize" | "vector" | "ucmp" | "scmp" => self.compute_other(call, full),
            _ => unreadable(format!("LLVM's function `{}`", call.callee().name())),
        }
    }

    fn compute_other(&mut self, call: Value, full: &str) -> Read<Vec<Operand>> {
        let starts = |prefix: &str| full.starts_with(prefix);
        if starts("expect")
            || starts("launder.")
            || starts("strip.")
            || starts("ssa.copy")
            || starts("annotation")
            || starts("ptr.annotation")
            || starts("threadlocal.address")
        {
            self.arguments(call, 0)
        } else if starts("is.constant") {
            Ok(vec![constant(1, 0)])
        } else if starts("is.fpclass.f32") || starts("is.fpclass.f64") {
            let classes = call.operand(1).and_then(Value::integer).unwrap_or(0);
            self.each(call, |t, a| t.is_of_class(a, classes))
        } else if starts("objectsize") {
            // Unknown: -1 for the maximum, 0 for the minimum.
            let minimum = self.argument(call, 1)? == constant(1, 1);
            let widths = self.widths(call.value_type_of())?;
            Ok(widths
                .into_iter()
                .map(|w| constant(w, if minimum { 0 } else { Bits::mask(w) }))
                .collect())
        } else if starts("vector.reduce.") {
            self.reduce(call, full.trim_start_matches("vector.reduce."))
        } else if starts("ucmp") || starts("scmp") {
            let less = if starts("ucmp") {
                C::UnsignedLess
            } else {
                C::SignedLess
            };
            let widths = self.widths(call.value_type_of())?;
            let width = widths.first().copied().unwrap_or(8);
            self.each_pair(call, |t, a, b| t.three_way(less, a, b, width))
        } else {
            unreadable(format!("LLVM's function `{}`", call.callee().name()))
        }
    }

    fn arguments(&mut self, call: Value, index: u32) -> Read<Vec<Operand>> {
        match call
            .operand(index)
            .filter(|_| index < call.argument_count())
        {
            Some(argument) => self.operands(argument),
            None => unreadable(format!("call of `{}`", call.callee().name())),
        }
    }

    fn each(
        &mut self,
        call: Value,
        f: impl Fn(&mut Self, Operand) -> Operand,
    ) -> Read<Vec<Operand>> {
        Ok(self
            .arguments(call, 0)?
            .into_iter()
            .map(|operand| f(self, operand))
            .collect())
    }

    fn each_pair(
        &mut self,
        call: Value,
        f: impl Fn(&mut Self, Operand, Operand) -> Operand,
    ) -> Read<Vec<Operand>> {
        let (left, right) = (self.arguments(call, 0)?, self.arguments(call, 1)?);
        Ok(left
            .into_iter()
            .zip(right)
            .map(|(left, right)| f(self, left, right))
            .collect())
    }

    fn minimum(&mut self, less: C, a: Operand, b: Operand) -> Operand {
        let condition = self.builder.compare(less, a, b);
        self.builder.select(condition, a, b)
    }

    fn maximum(&mut self, less: C, a: Operand, b: Operand) -> Operand {
        let condition = self.builder.compare(less, a, b);
        self.builder.select(condition, b, a)
    }

    fn three_way(&mut self, less: C, a: Operand, b: Operand, width: u32) -> Operand {
        let (below, above) = (
            self.builder.compare(less, a, b),
            self.builder.compare(less, b, a),
        );
        let otherwise = self.builder.resize(width, above);
        self.builder
            .select(below, constant(width, Bits::mask(width)), otherwise)
    }

    fn absolute(&mut self, a: Operand) -> Operand {
        let zero = constant(self.builder.width(a), 0);
        let negative = self.builder.compare(C::SignedLess, a, zero);
        let negated = self.builder.binary(B::Subtract, zero, a);
        self.builder.select(negative, negated, a)
    }

    /// A floating-point number that is not negative.
    fn without_sign(&mut self, number: Operand) -> Operand {
        let width = self.builder.width(number);
        let rest = constant(width, Bits::mask(width - 1));
        self.builder.binary(B::And, number, rest)
    }

    /// Whether a floating-point number is of one of some classes, which are bits in LLVM's order.
    fn is_of_class(&mut self, number: Operand, classes: u128) -> Operand {
        let width = self.builder.width(number);
        let mantissa = if width == 32 { 23 } else { 52 };
        let sign = 1 << (width - 1);
        let (least_normal, quiet) = (1 << mantissa, 1 << (mantissa - 1));
        let infinite = sign - least_normal;
        // From the first to the last number without sign.
        let zero = (0, 0);
        let subnormal = (1, least_normal - 1);
        let normal = (least_normal, infinite - 1);
        let infinity = (infinite, infinite);
        let signalling = (infinite + 1, infinite + quiet - 1);
        let silent = (infinite + quiet, sign - 1);
        let with_sign = |(first, last)| (first + sign, last + sign);
        let ranges = [
            vec![signalling, with_sign(signalling)],
            vec![silent, with_sign(silent)],
            vec![with_sign(infinity)],
            vec![with_sign(normal)],
            vec![with_sign(subnormal)],
            vec![with_sign(zero)],
            vec![zero],
            vec![subnormal],
            vec![normal],
            vec![infinity],
        ];
        let asked = ranges.into_iter().enumerate();
        let asked = asked.filter(|(class, _)| classes >> class & 1 == 1);
        let mut found = constant(1, 0);
        for (first, last) in asked.flat_map(|(_, ranges)| ranges) {
            let distance = self
                .builder
                .binary(B::Subtract, number, constant(width, first));
            let size = constant(width, last - first + 1);
            let is_in = self.builder.compare(C::UnsignedLess, distance, size);
            found = self.builder.binary(B::Or, found, is_in);
        }
        found
    }

    /// Number of ones: sums of neighbouring fields of doubling size.
    fn population(&mut self, a: Operand) -> Operand {
        let width = self.builder.width(a);
        let mut sums = a;
        let mut field = 1;
        while field < width {
            let mask = constant(width, alternating(field));
            let low = self.builder.binary(B::And, sums, mask);
            let high = self.shifted(B::LogicalShiftRight, sums, field);
            let high = self.builder.binary(B::And, high, mask);
            sums = self.builder.binary(B::Add, low, high);
            field *= 2;
        }
        sums
    }

    /// Zeros above the highest one: ones in the complement of the number with all lower bits set.
    fn leading_zeros(&mut self, a: Operand) -> Operand {
        let width = self.builder.width(a);
        let mut smeared = a;
        let mut distance = 1;
        while distance < width {
            let moved = self.shifted(B::LogicalShiftRight, smeared, distance);
            smeared = self.builder.binary(B::Or, smeared, moved);
            distance *= 2;
        }
        let above = self
            .builder
            .binary(B::Xor, smeared, constant(width, Bits::mask(width)));
        self.population(above)
    }

    /// Zeros below the lowest one: ones in `!a & (a - 1)`.
    fn trailing_zeros(&mut self, a: Operand) -> Operand {
        let width = self.builder.width(a);
        let ones = constant(width, Bits::mask(width));
        let complement = self.builder.binary(B::Xor, a, ones);
        let predecessor = self.builder.binary(B::Add, a, ones);
        let below = self.builder.binary(B::And, complement, predecessor);
        self.population(below)
    }

    /// Reverses the order of groups of `group` bits.
    fn permute(&mut self, a: Operand, group: u32) -> Operand {
        let width = self.builder.width(a);
        let mut groups = self.split(a, &vec![group; (width / group) as usize]);
        groups.reverse();
        self.concatenate(&groups, width)
    }

    /// Shifts two numbers as one of double width, by the amount modulo the width.
    fn funnel_shift(&mut self, call: Value, left: bool) -> Read<Vec<Operand>> {
        let (high, low, amount) = (
            self.arguments(call, 0)?,
            self.arguments(call, 1)?,
            self.arguments(call, 2)?,
        );
        let scalars = high.into_iter().zip(low).zip(amount);
        Ok(scalars
            .map(|((high, low), amount)| self.funnel(high, low, amount, left))
            .collect())
    }

    fn funnel(&mut self, high: Operand, low: Operand, amount: Operand, left: bool) -> Operand {
        let width = self.builder.width(high);
        let distance =
            self.builder
                .binary(B::UnsignedRemainder, amount, constant(width, width.into()));
        let rest = self
            .builder
            .binary(B::Subtract, constant(width, width.into()), distance);
        // A distance of 0 makes the other shift one by the width, which gives 0: see `BinaryOperator`.
        let (up, down) = if left {
            (distance, rest)
        } else {
            (rest, distance)
        };
        let upper = self.builder.binary(B::ShiftLeft, high, up);
        let lower = self.builder.binary(B::LogicalShiftRight, low, down);
        self.builder.binary(B::Or, upper, lower)
    }

    /// `*.with.overflow` and `*.sat`: the exact result in a wider number.
    fn checked(&mut self, call: Value, base: &str, full: &str) -> Read<Vec<Operand>> {
        let signed = base.starts_with('s');
        let operator = match &base[1..] {
            "add" => B::Add,
            "sub" => B::Subtract,
            _ => B::Multiply,
        };
        let saturating = full.contains(".sat");
        if !saturating && !full.contains(".with.overflow") {
            return unreadable(format!("LLVM's function `{}`", call.callee().name()));
        }
        let (left, right) = (self.arguments(call, 0)?, self.arguments(call, 1)?);
        let mut values = Vec::new();
        let mut overflows = Vec::new();
        for (left, right) in left.into_iter().zip(right) {
            let (exact, value, overflow) = self.exact(operator, signed, left, right)?;
            values.push(if saturating {
                self.saturated(signed, exact, value, overflow)
            } else {
                value
            });
            overflows.push(overflow);
        }
        if !saturating {
            values.append(&mut overflows);
        }
        Ok(values)
    }

    /// The exact result, the wrapped one, and whether they differ.
    fn exact(
        &mut self,
        operator: B,
        signed: bool,
        left: Operand,
        right: Operand,
    ) -> Read<(Operand, Operand, Operand)> {
        let width = self.builder.width(left);
        let wide = if operator == B::Multiply {
            2 * width
        } else {
            width + 2
        };
        if wide > 128 {
            return unreadable("overflow checks on integers of this width");
        }
        let extension = if signed {
            Cast::SignExtend
        } else {
            Cast::ZeroExtend
        };
        let left = self.builder.convert(wide, left, extension);
        let right = self.builder.convert(wide, right, extension);
        let exact = self.builder.binary(operator, left, right);
        let value = self.builder.resize(width, exact);
        let restored = self.builder.convert(wide, value, extension);
        let overflow = self.builder.compare(C::NotEqual, exact, restored);
        Ok((exact, value, overflow))
    }

    /// The nearest number to the exact result.
    fn saturated(
        &mut self,
        signed: bool,
        exact: Operand,
        value: Operand,
        overflow: Operand,
    ) -> Operand {
        let (width, wide) = (self.builder.width(value), self.builder.width(exact));
        let (least, greatest) = if signed {
            (1 << (width - 1), Bits::mask(width - 1))
        } else {
            (0, Bits::mask(width))
        };
        let negative = self
            .builder
            .compare(C::SignedLess, exact, constant(wide, 0));
        let bound =
            self.builder
                .select(negative, constant(width, least), constant(width, greatest));
        self.builder.select(overflow, bound, value)
    }

    /// One number from all elements of a vector.
    fn reduce(&mut self, call: Value, operation: &str) -> Read<Vec<Operand>> {
        let elements = self.arguments(call, 0)?;
        let combine = |t: &mut Self, a: Operand, b: Operand| match operation.split('.').next() {
            Some("add") => Ok(t.builder.binary(B::Add, a, b)),
            Some("mul") => Ok(t.builder.binary(B::Multiply, a, b)),
            Some("and") => Ok(t.builder.binary(B::And, a, b)),
            Some("or") => Ok(t.builder.binary(B::Or, a, b)),
            Some("xor") => Ok(t.builder.binary(B::Xor, a, b)),
            Some("umin") => Ok(t.minimum(C::UnsignedLess, a, b)),
            Some("umax") => Ok(t.maximum(C::UnsignedLess, a, b)),
            Some("smin") => Ok(t.minimum(C::SignedLess, a, b)),
            Some("smax") => Ok(t.maximum(C::SignedLess, a, b)),
            _ => unreadable("floating-point arithmetic"),
        };
        if operation.starts_with('f') {
            // Their first argument is a number, not the vector.
            return unreadable("floating-point arithmetic");
        }
        let mut elements = elements.into_iter();
        let Some(mut result) = elements.next() else {
            return unreadable("a reduction of nothing");
        };
        for element in elements {
            result = combine(self, result, element)?;
        }
        Ok(vec![result])
    }
}

/// Fields of `field` ones and as many zeros, from the lowest bit.
fn alternating(field: u32) -> u128 {
    (0..128)
        .filter(|bit| (bit / field).is_multiple_of(2))
        .fold(0, |mask, bit| mask | 1 << bit)
}
