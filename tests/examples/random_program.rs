//! Prints the random program of a seed, to look at a failure of `make fuzz`:
//! `cargo run -p tests --example random_program -- 42`, with `--deterministic` one that has a single result.

use std::io::{self, Write};
use std::process::ExitCode;

use tests::{Shape, deterministic_program, random_program};

fn main() -> io::Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (deterministic, seed) = match words[..] {
        ["--deterministic", seed] => (true, seed.parse().ok()),
        [seed] => (false, seed.parse().ok()),
        _ => (false, None),
    };
    let Some(seed) = seed else {
        eprintln!("usage: random_program [--deterministic] SEED");
        return Ok(ExitCode::from(1));
    };
    let text = if deterministic {
        deterministic_program(seed)
    } else {
        random_program(seed, &Shape::small(seed))
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
