//! Inline assembly: atomic instructions of x86, fences, hints.

use super::{fails, holds, reaches_limit};

#[test]
fn fences_hints_and_barriers_of_the_compiler_do_nothing() {
    holds(
        "int x;",
        r#"x = 3; asm volatile("mfence" ::: "memory"); asm volatile("rep; nop"); __builtin_ia32_pause();
        asm volatile("lock; addl $0,0(%%rsp)" ::: "memory"); __builtin_ia32_lfence(); PROPERTY(x == 3);"#,
    );
    holds(
        "",
        r#"int x = 5, y = 6; asm volatile("" : "+r"(x)); asm volatile("" : "+m"(y) :: "memory"); PROPERTY(x == 5 && y == 6);"#,
    );
}

#[test]
fn a_result_that_assembly_leaves_open_decides_nothing() {
    for property in ["PROPERTY(x == 7);", "PROPERTY(x != 7);"] {
        fails(
            "",
            &format!(r#"int x; asm volatile("" : "=r"(x)); {property}"#),
        );
    }
}

#[test]
fn compare_and_swap_returns_the_old_value() {
    let cas = r#"static int cas(int *p, int o, int n) { int r;
        asm volatile("lock; cmpxchgl %2, %1" : "=a"(r), "+m"(*p) : "r"(n), "0"(o) : "memory"); return r; }"#;
    holds(
        cas,
        "static int x; x = 3; PROPERTY(cas(&x, 3, 4) == 3 && x == 4);",
    );
    holds(
        cas,
        "static int x; x = 3; PROPERTY(cas(&x, 2, 4) == 3 && x == 3);",
    );
    for swap in [
        r#"static char swap(long *p, long o, long n) { char ok;
        asm volatile("lock cmpxchgq %3, %1\n\tsete %0" : "=q"(ok), "+m"(*p), "+a"(o) : "r"(n) : "memory"); return ok; }"#,
        r#"static _Bool swap(long *p, long o, long n) { _Bool ok;
        asm volatile("lock cmpxchgq %3, %1" : "=@ccz"(ok), "+m"(*p), "+a"(o) : "r"(n) : "memory"); return ok; }"#,
    ] {
        holds(
            swap,
            "static long x; x = 3; PROPERTY(!swap(&x, 4, 5) && x == 3 && swap(&x, 3, 5) == 1 && x == 5);",
        );
    }
    holds(
        r#"static int *volatile p; static int a, b;
        static int *swap(int *o, int *n) { asm volatile("lock; cmpxchg %2,%1" : "+a"(o), "+m"(p) : "r"(n)); return o; }"#,
        "p = &a; PROPERTY(swap(&a, &b) == &a && p == &b && swap(&a, &b) == &b);",
    );
}

#[test]
fn exchange_takes_its_operands_in_any_order() {
    for operands in ["%0, %1", "%1, %0"] {
        let exchange = format!(
            r#"static int set(int *p, int v) {{ asm volatile("xchgl {operands}" : "+r"(v), "+m"(*p) :: "memory"); return v; }}"#
        );
        holds(
            &exchange,
            "static int x; x = 3; PROPERTY(set(&x, 4) == 3 && x == 4);",
        );
    }
}

#[test]
fn updates_return_the_old_value_or_flags() {
    holds(
        r#"static short add(short *p, short v) { asm volatile("lock; xaddw %w0,%1" : "+r"(v), "+m"(*p)); return v; }"#,
        "static short x; x = 7; PROPERTY(add(&x, -9) == 7 && x == -2);",
    );
    holds(
        r#"static int down(int *p) { unsigned char zero;
        asm volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero) :: "memory"); return zero; }"#,
        "static int x; x = 2; PROPERTY(!down(&x) && down(&x) && x == 0);",
    );
    holds(
        r#"static int below(int *p, int v) { unsigned char s;
        asm volatile("lock; subl %2,%0; sets %1" : "+m"(*p), "=r"(s) : "ir"(v)); return s; }"#,
        "static int x; x = 2; PROPERTY(!below(&x, 2) && below(&x, 1) && x == -1);",
    );
    holds(
        r#"static void change(unsigned char *p) { asm volatile("lock; orb %1,%0; lock andb $0x7f,%0; lock; xorb $1,(%2)"
        : "+m"(*p) : "iq"((unsigned char)0x90), "r"(p)); }"#,
        "static unsigned char x; x = 3; change(&x); PROPERTY(x == 0x12);",
    );
}

#[test]
fn updates_are_atomic_only_with_their_prefix() {
    let count = |instruction: &str| {
        format!(
            r#"static int x; static void *add(void *p) {{ asm volatile("{instruction} %0" : "+m"(x)); return p; }}"#
        )
    };
    let main = "pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0);";
    holds(&count("lock; incl"), &format!("{main} PROPERTY(x == 2);"));
    reaches_limit(&count("incl"), main, "inline assembly `incl $0`");
    // A counter that is read and written apart loses an update.
    fails(
        r#"static int x; static void *add(void *p) { int v = *(volatile int *)&x; asm volatile("xchgl %0, %1" : "=r"(v), "+m"(x) : "0"(v + 1)); return p; }"#,
        &format!("{main} PROPERTY(x == 2);"),
    );
}

#[test]
fn operands_of_another_size_than_the_instruction_are_not_read() {
    reaches_limit(
        "",
        r#"int x = 0, v = 1; asm volatile("lock; xaddb %b0,%1" : "+q"(v), "+m"(x));"#,
        "inline assembly `lock; xaddb",
    );
}

#[test]
fn what_registers_and_flags_hold_is_not_guessed() {
    for assembly in [
        // An input that is tied to an output is the output.
        r#"int old; asm volatile("xchgl %2, %1" : "=r"(old), "+m"(x) : "0"(1) : "memory");"#,
        // An output may share the register of an input that is read later.
        r#"char z; asm volatile("lock; decl %1; sete %0; lock; addb %b2, %1" : "=q"(z), "+m"(x) : "q"((char)7));"#,
        // A fence on the stack leaves other flags.
        r#"char z; asm volatile("lock; decl %1; lock; addl $0,(%%rsp); sete %0" : "=q"(z), "+m"(x));"#,
        // The name of a part of a register is the size of the instruction.
        r#"int v = 7; asm volatile("xchg %b0, %1" : "+q"(v), "+m"(x));"#,
    ] {
        reaches_limit("static int x = 1;", assembly, "inline assembly");
    }
}
