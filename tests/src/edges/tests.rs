//! The programs draw every kind, are complete, and are the same for the same seed.

use std::collections::BTreeMap;

use super::*;

fn programs() -> impl Iterator<Item = EdgeProgram> {
    (0..6 * KINDS.len() as u64).map(edge_program)
}

#[test]
fn the_same_seed_gives_the_same_program_and_most_seeds_another() {
    assert!(programs().eq(programs()));
    let mut texts: Vec<String> = programs().map(|program| program.text).collect();
    // The first line tells the seed, so it does not count.
    for text in &mut texts {
        text.drain(..=text.find('\n').expect("many lines"));
    }
    let all = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert!(texts.len() * 10 >= all * 8, "{} of {all}", texts.len());
}

#[test]
fn names_differ_and_every_kind_is_drawn_broken_and_right() {
    let mut drawn = BTreeMap::new();
    for program in programs().take(2 * KINDS.len()) {
        *drawn.entry((program.kind, program.broken)).or_insert(0) += 1;
    }
    for kind in KINDS {
        for broken in [true, false] {
            assert_eq!(drawn.get(&(kind.name, broken)), Some(&1), "{}", kind.name);
        }
    }
}

#[test]
fn meanings_follow_what_is_drawn() {
    let mut open = 0;
    for program in programs() {
        match program.meaning {
            Meaning::Right => assert!(!program.broken, "{}", program.text),
            Meaning::Wrong => assert!(program.broken, "{}", program.text),
            Meaning::Open => open += 1,
        }
    }
    assert!(open >= 20, "{open} programs are left to native runs");
}

#[test]
fn nothing_is_left_to_fill_in() {
    for program in programs() {
        let open = program.text.contains(['$', '@']);
        assert!(!open, "{}", program.text);
    }
}
