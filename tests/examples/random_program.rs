//! Prints the random program of a seed, to look at a failure of `make fuzz`:
//! `cargo run -p tests --example random_program -- 42`.

use std::io::{self, Write};
use std::process::ExitCode;

use tests::{Shape, random_program};

fn main() -> io::Result<ExitCode> {
    let seeds: Option<Vec<u64>> = std::env::args()
        .skip(1)
        .map(|word| word.parse().ok())
        .collect();
    let Some([seed]) = seeds.as_deref() else {
        eprintln!("usage: random_program SEED");
        return Ok(ExitCode::from(1));
    };
    io::stdout().write_all(random_program(*seed, &Shape::small(*seed)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
