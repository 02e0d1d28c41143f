//! Damaged bitcode and damaged assembly: whatever comes in, the verifier ends with one of its exit codes and no fault of its own.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use fastrand::Rng;
use frontend::testing::{c_files, in_parallel};

const VERIFY: &str = env!("CARGO_BIN_EXE_verify");

/// Mutants in CI; `make fuzz` tries more.
const MUTANTS: u64 = 60;

/// Verdicts and unusable input.
const EXPECTED: [i32; 4] = [0, 2, 5, 10];

/// The two forms of a program.
#[derive(Clone, Copy, Debug)]
enum Form {
    Bitcode,
    Assembly,
}

fn compile(example: &Path, form: Form, level: &str) -> Vec<u8> {
    let kind = match form {
        Form::Bitcode => "-c",
        Form::Assembly => "-S",
    };
    let output = Command::new("clang-19")
        .args([level, "-g", "-w", "-emit-llvm", kind, "-o", "-"])
        .arg(example)
        .output()
        .expect("clang-19 runs");
    assert!(output.status.success(), "{}", example.display());
    output.stdout
}

/// Changes bytes: flips a bit, cuts the end off, inserts, deletes, or repeats a piece elsewhere.
fn change_bytes(bytes: &mut Vec<u8>, random: &mut Rng) {
    if bytes.is_empty() {
        return;
    }
    let at = random.usize(..bytes.len());
    let end = (at + 1 + random.usize(..16)).min(bytes.len());
    match random.usize(..16) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, random.u8(..)),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let piece = bytes[at..end].to_vec();
            let to = random.usize(..=bytes.len());
            bytes.splice(to..to, piece);
        }
        4 | 5 => bytes[at] = random.u8(..),
        _ => bytes[at] ^= 1 << random.usize(..8),
    }
}

/// Words that may stand for each other, as far as the grammar is concerned.
const ALIKE: [&[&str]; 6] = [
    &[
        "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or",
        "xor",
    ],
    &[
        "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
    ],
    &[
        "seq_cst",
        "acq_rel",
        "acquire",
        "release",
        "monotonic",
        "unordered",
    ],
    &[
        "i1",
        "i3",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "i200",
        "ptr",
        "double",
        "<2 x i32>",
        "[3 x i8]",
    ],
    &[
        "0",
        "1",
        "-1",
        "7",
        "64",
        "4294967296",
        "18446744073709551616",
        "undef",
        "poison",
        "null",
        "zeroinitializer",
    ],
    &[
        "trunc", "zext", "sext", "ptrtoint", "inttoptr", "bitcast", "freeze",
    ],
];

/// Changes words of a text: replaces one by another of its kind or by any, and removes, repeats or swaps lines.
fn change_words(text: &mut Vec<String>, random: &mut Rng) {
    if text.is_empty() {
        return;
    }
    let (line, other) = (random.usize(..text.len()), random.usize(..text.len()));
    let mut words = words_of(&text[line]);
    let at = random.usize(..words.len());
    match random.usize(..12) {
        0 => drop(text.remove(line)),
        1 => text.insert(other, text[line].clone()),
        2 => text.swap(line, other),
        3 => {
            let others = words_of(&text[other]);
            words[at].clone_from(&others[random.usize(..others.len())]);
            text[line] = words.concat();
        }
        _ => {
            // Numbers are alike, whatever their digits.
            let kind = |word: &str| {
                let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
                ALIKE
                    .iter()
                    .find(|alike| alike.contains(&if is_number { "0" } else { word }))
            };
            let replaceable = |at: &usize| kind(&words[*at]).is_some();
            let chosen = (at..words.len()).chain(0..at).find(replaceable);
            if let Some((at, alike)) = chosen.and_then(|at| Some((at, kind(&words[at])?))) {
                words[at] = alike[random.usize(..alike.len())].to_owned();
                text[line] = words.concat();
            }
        }
    }
}

/// The words of a line and what stands between them, at least one of either.
fn words_of(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in line.chars() {
        match letter {
            ' ' | ',' | '(' | ')' | '\n' | ':' => words.extend([letter.to_string(), String::new()]),
            _ => words
                .iter_mut()
                .last()
                .into_iter()
                .for_each(|word| word.push(letter)),
        }
    }
    words
}

/// A damaged program.
fn mutant(seed: u64, examples: &[PathBuf]) -> (Form, Vec<u8>) {
    let mut random = Rng::with_seed(seed);
    let example = &examples[random.usize(..examples.len())];
    let form = [Form::Bitcode, Form::Assembly][random.usize(..2)];
    let level = ["-O0", "-O1", "-O2"][random.usize(..3)];
    let mut bytes = compile(example, form, level);
    let changes = [1, 1, 1, 2, 4][random.usize(..5)];
    match form {
        Form::Assembly if random.usize(..4) > 0 => {
            let text = String::from_utf8(bytes).expect("clang writes UTF-8");
            let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
            (0..changes).for_each(|_| change_words(&mut lines, &mut random));
            bytes = lines.concat().into_bytes();
        }
        Form::Bitcode | Form::Assembly => {
            (0..changes).for_each(|_| change_bytes(&mut bytes, &mut random));
        }
    }
    (form, bytes)
}

/// Verifies a program, every second time without the directories where tools lie.
fn verify(file: &Path, seed: u64) -> Output {
    let mut command = Command::new(VERIFY);
    command
        .arg(file)
        .args(["--engine", "explicit", "--timeout", "1", "--memory", "1000"]);
    if seed % 2 == 1 {
        command.env("PATH", "/nonexistent");
    }
    command
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

/// What is wrong with the end of a verifier.
fn fault(output: &Output) -> Option<String> {
    let message = String::from_utf8_lossy(&output.stderr);
    let status = output.status;
    let is_expected = status.code().is_some_and(|code| EXPECTED.contains(&code));
    // LLVM itself may complain about debug information before.
    let is_told =
        status.code() != Some(2) || message.lines().any(|line| line.starts_with("error: "));
    let is_fault = !is_expected || !is_told || message.contains("panicked");
    is_fault.then(|| format!("{status} (signal {:?}): {message}", status.signal()))
}

/// Tries the mutants of seeds side by side until they or the time are over.
fn check(seeds: std::ops::Range<u64>, time: Duration) {
    let examples = c_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples"));
    let directory = tempfile::tempdir().expect("a temporary directory");
    let start = Instant::now();
    let (faults, codes) = (Mutex::new(Vec::new()), Mutex::new([0u64; EXPECTED.len()]));
    in_parallel(seeds.take_while(|_| start.elapsed() < time), |seed| {
        let (form, bytes) = mutant(seed, &examples);
        let ending = match form {
            Form::Bitcode => "bc",
            Form::Assembly => "ll",
        };
        let file = directory.path().join(format!("mutant{seed}.{ending}"));
        fs::write(&file, bytes).expect("the directory is writable");
        let output = verify(&file, seed);
        if let Some(fault) = fault(&output) {
            faults
                .lock()
                .expect("no panic")
                .push(format!("seed {seed} ({form:?}): {fault}"));
        }
        let position = EXPECTED
            .iter()
            .position(|&code| output.status.code() == Some(code));
        position
            .into_iter()
            .for_each(|at| codes.lock().expect("no panic")[at] += 1);
        fs::remove_file(&file).expect("it is ours");
    });
    let codes = codes.into_inner().expect("no panic");
    eprintln!("exit codes {EXPECTED:?}: {codes:?}");
    let faults = faults.into_inner().expect("no panic");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        codes[1] > 0 && codes.iter().sum::<u64>() > codes[1],
        "the mutants say nothing"
    );
}

#[test]
fn damaged_input_is_refused_or_read() {
    check(0..MUTANTS, Duration::MAX);
}

/// `MUTANTS=0..10000` names the seeds instead of the time.
#[test]
#[ignore = "runs until FUZZ_SECONDS are over; called by `make fuzz`"]
fn fuzz() {
    let number = |text: &str| text.parse().expect("a number");
    match std::env::var("MUTANTS") {
        Ok(seeds) => {
            let (first, last) = seeds.split_once("..").expect("a range such as 0..10000");
            check(number(first)..number(last), Duration::MAX);
        }
        Err(_) => {
            let seconds = std::env::var("FUZZ_SECONDS").map_or(300, |text| number(&text));
            check(MUTANTS..u64::MAX, Duration::from_secs(seconds));
        }
    }
}
