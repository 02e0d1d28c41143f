//! Programs of `c-examples/` that take their size from macros, and the sizes to look at.

use ::tests::Example;
use anyhow::Context;

/// The macro that is the number of threads; `verify` must be told about it, because the threads are created in a loop.
pub(crate) const THREADS: &str = "THREADS";

/// A program and how it grows.
#[derive(Clone, Debug)]
pub struct Series {
    /// As in file names.
    pub name: &'static str,
    /// The program's name.
    pub example: &'static str,
    /// The macro that grows.
    pub parameter: &'static str,
    /// Its values, growing.
    pub values: Vec<u32>,
    /// The other macros.
    pub fixed: Vec<(&'static str, u32)>,
}

impl Series {
    pub(crate) fn new(
        name: &'static str,
        example: &'static str,
        parameter: &'static str,
        values: &[u32],
        fixed: &[(&'static str, u32)],
    ) -> Self {
        Self {
            name,
            example,
            parameter,
            values: values.to_vec(),
            fixed: fixed.to_vec(),
        }
    }

    /// The options of `verify` for a value of the parameter.
    pub fn arguments(&self, value: u32) -> Vec<String> {
        let mut arguments = Vec::new();
        for &(name, value) in self.fixed.iter().chain(&[(self.parameter, value)]) {
            arguments.push(format!("--clang-arg=-D{name}={value}"));
            if name == THREADS {
                arguments.push(format!("--threads={value}"));
            }
        }
        arguments
    }

    /// The program among `examples`; its verdict does not depend on the macros.
    pub fn program<'e>(&self, examples: &'e [Example]) -> anyhow::Result<&'e Example> {
        let found = examples.iter().find(|example| example.name == self.example);
        found.with_context(|| format!("there is no program {}", self.example))
    }

    /// The series with its two smallest sizes only.
    pub fn shortened(mut self) -> Self {
        self.values.truncate(2);
        self
    }
}

/// All series: by threads and by loop bounds; safe with and without bound on the runs, and unsafe; wide numbers and many threads.
pub fn all() -> Vec<Series> {
    vec![
        Series::new(
            "mutex-threads",
            "counter_mutex_long",
            THREADS,
            &[1, 2, 3, 4],
            &[("ROUNDS", 2)],
        ),
        Series::new(
            "mutex-rounds",
            "counter_mutex_long",
            "ROUNDS",
            &[1, 2, 4, 8],
            &[(THREADS, 2)],
        ),
        Series::new("spin-threads", "spin_cas", THREADS, &[1, 2, 3, 4, 5], &[]),
        Series::new(
            "filter-threads",
            "filter_lock_forever",
            THREADS,
            &[2, 3],
            &[],
        ),
        Series::new(
            "balance-limit",
            "load_balancing_long",
            "LIMIT",
            &[5, 10, 20, 40],
            &[],
        ),
        Series::new(
            "racy-threads",
            "counter_racy",
            THREADS,
            &[2, 3, 4, 5],
            &[("ROUNDS", 2)],
        ),
        Series::new(
            "racy-rounds",
            "counter_racy",
            "ROUNDS",
            &[2, 3, 4, 6],
            &[(THREADS, 2)],
        ),
        Series::new(
            "deep-limit",
            "loop_deep_broken",
            "LIMIT",
            &[10, 20, 40, 80],
            &[],
        ),
        Series::new(
            "counter-threads",
            "counter_mutex_long",
            THREADS,
            &[4, 8, 16, 32],
            &[("ROUNDS", 1)],
        ),
        Series::new(
            "fibonacci-rounds",
            "fibonacci_rounds",
            "ROUNDS",
            &[4, 5, 6, 7, 9, 11],
            &[],
        ),
        Series::new(
            "fibonacci-broken",
            "fibonacci_rounds_broken",
            "ROUNDS",
            &[4, 5, 6, 7, 9, 11],
            &[],
        ),
        Series::new(
            "reorder-setters",
            "reorder_setters_broken",
            THREADS,
            &[8, 16, 32, 64],
            &[],
        ),
    ]
}

#[cfg(test)]
mod tests {
    use ::tests::{examples, paper_examples};

    use super::*;

    #[test]
    fn every_series_is_about_a_program_that_knows_its_macros() {
        for series in all() {
            check(&series, &examples());
        }
        for series in crate::paper::experiments() {
            check(&series, &paper_examples());
        }
    }

    fn check(series: &Series, examples: &[Example]) {
        let program = series.program(examples).expect("it is there");
        let text = crate::journal::source(&program.path).expect("readable");
        let macros = series.fixed.iter().map(|(name, _)| *name);
        for name in macros.chain([series.parameter]) {
            let guard = format!("#ifndef {name}\n#define {name} ");
            assert!(text.contains(&guard), "{}: {name}", series.name);
        }
        assert!(series.values.is_sorted() && series.values.len() >= 2);
    }

    #[test]
    fn threads_are_a_macro_and_a_limit() {
        let series = &all()[0];
        assert_eq!(
            series.arguments(4),
            [
                "--clang-arg=-DROUNDS=2",
                "--clang-arg=-DTHREADS=4",
                "--threads=4"
            ]
        );
    }
}
