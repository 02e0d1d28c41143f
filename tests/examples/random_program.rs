//! Prints the random program of a seed, to look at a failure of `make fuzz`:
//! `cargo run -p tests --example random_program -- 42`, with `--heap` one with heap objects, with `--deterministic` one that
//! has a single result, with `--edge` one at the edges of meaning.

use std::io::{self, Write};
use std::process::ExitCode;

use tests::{Shape, deterministic_program, edge_program, random_program};

fn main() -> io::Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let text = match words[..] {
        ["--deterministic", seed] => seed.parse().ok().map(deterministic_program),
        ["--edge", seed] => seed.parse().ok().map(|seed| edge_program(seed).text),
        [seed] => seed
            .parse()
            .ok()
            .map(|seed| random_program(seed, &Shape::small(seed))),
        ["--heap", seed] => seed
            .parse()
            .ok()
            .map(|seed| random_program(seed, &Shape::small_with_heap(seed))),
        _ => None,
    };
    let Some(text) = text else {
        eprintln!("usage: random_program [--heap | --deterministic | --edge] SEED");
        return Ok(ExitCode::from(1));
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
