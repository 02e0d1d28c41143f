//! The data model: which one is taken, and what is refused.

use crate::common::{code, last_line, shell, stderr, verify, verify_bytes, verify_text};

/// Violated exactly where `long` has 64 bits.
const NARROW: &str =
    "#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); return 0; }\n";

#[test]
fn the_compiler_is_told_or_asked() {
    for (arguments, verdict) in [
        (&[][..], "VERDICT: UNSAFE (assertion) at a.c:2"),
        (
            &["--data-model", "LP64"],
            "VERDICT: UNSAFE (assertion) at a.c:2",
        ),
        (&["--data-model", "ILP32"], "VERDICT: SAFE"),
        (&["--clang-arg=-m32"], "VERDICT: SAFE"),
        (
            &["--data-model", "ILP32", "--clang-arg=-m32"],
            "VERDICT: SAFE",
        ),
    ] {
        let found = verify_text("a.c", NARROW, arguments);
        assert_eq!(last_line(&found), verdict, "{arguments:?}");
    }
    let unknown = verify(&["peterson.c", "--data-model", "ILP64"]);
    assert_eq!(code(&unknown), 1);
    assert!(stderr(&unknown).contains("expected `ILP32`, `LP64`"));
}

#[test]
fn a_program_of_another_data_model_is_refused() {
    let contradicting = ["--data-model", "ILP32", "--clang-arg=-m64"];
    let refused = verify_text("a.c", NARROW, &contradicting);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("`a.c` is compiled for LP64 and not for ILP32"));
    let bitcode = shell("clang-19 -m32 -g -emit-llvm -c -o - data_model_wrap.c").stdout;
    assert_eq!(last_line(&verify_bytes(&bitcode, &[])), "VERDICT: SAFE");
    let refused = verify_bytes(&bitcode, &["--data-model=LP64"]);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("is compiled for ILP32 and not for LP64"));
    let linked = shell(
        "d=$(mktemp -d); clang-19 -m32 -g -emit-llvm -c -o $d/a.bc data_model_wrap.c; \
         echo 'int other(void) { return 0; }' >$d/b.c; \"$verify\" $d/a.bc $d/b.c; c=$?; rm -r $d; exit $c",
    );
    assert_eq!(code(&linked), 2);
    assert!(stderr(&linked).contains("for another target"));
}

#[test]
fn a_certificate_says_the_data_model() {
    let safe = shell(
        "d=$(mktemp -d); \"$verify\" data_model_wrap.c --data-model ILP32 --certificate $d/c > $d/out \
         && grep -q data-model=ILP32 $d/c && \"$verify\" check-certificate $d/c data_model_wrap.c; c=$?; rm -r $d; exit $c",
    );
    assert_eq!(last_line(&safe), "CERTIFICATE: HOLDS");
}

#[test]
fn native_runs_are_of_64_bits() {
    let refused = verify(&["run", "data_model_wrap.c", "--data-model", "ILP32"]);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("native runs are of programs for the data model LP64"));
}

/// In ILP32 an address has room for a thousand objects, and for half a mebibyte of each.
#[test]
fn what_has_no_address_is_refused() {
    let variables: String = (0..1100)
        .map(|number| format!("int v{number};\n"))
        .collect();
    let uses: String = (0..1100).map(|number| format!(" + v{number}")).collect();
    let many = format!("{variables}int main(void) {{ return 0{uses}; }}\n");
    let refused = verify_text("a.c", &many, &["--data-model", "ILP32"]);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("the model has addresses for 1022"));
    assert_eq!(last_line(&verify_text("a.c", &many, &[])), "VERDICT: SAFE");

    for text in [
        "static char large[600000];\nint main(void) { return large[1]; }\n",
        "int main(void) { volatile char large[600000]; large[1] = 1; return large[1]; }\n",
        "#include <stdlib.h>\nint main(void) { char *large = malloc(600000); large[1] = 1; return large[1]; }\n",
    ] {
        let found = verify_text("a.c", text, &["--data-model", "ILP32"]);
        assert!(
            last_line(&found).starts_with("VERDICT: UNKNOWN ("),
            "{text}"
        );
        assert_eq!(last_line(&verify_text("a.c", text, &[])), "VERDICT: SAFE");
    }
}

/// By many short steps, or by setting all bits below the alignment and adding 1 again and again.
#[test]
fn a_pointer_that_is_moved_often_is_in_no_other_object() {
    let steps = "#include <assert.h>\n#include <stdint.h>\n\
        static volatile int first, second;\n\
        int main(void) {\n  uintptr_t place = (uintptr_t)&first;\n\
          for (int step = 0; step < 65536; step++) place += 32;\n\
          assert(place == (uintptr_t)&second);\n  return 0;\n}\n";
    let tags = "#include <assert.h>\n#include <stdint.h>\n\
        static _Alignas(1048576) char page[1];\nstatic char other;\n\
        int main(void) {\n  uintptr_t place = (uintptr_t)page;\n\
          for (int round = 0; round < 4096; round++) place = (place | 1048575) + 1;\n\
          assert(place == (uintptr_t)&other);\n  return 0;\n}\n";
    for (text, data_model) in [(steps, "ILP32"), (tags, "LP64")] {
        let found = verify_text(
            "a.c",
            text,
            &["--engine=explicit", "--data-model", data_model],
        );
        let line = last_line(&found);
        assert!(line.contains("depends on where"), "{line}");
    }
}
