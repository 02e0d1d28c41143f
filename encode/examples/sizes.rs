//! Sizes and times of encodings: `cargo run -p encode --example sizes -- none|static file.c...`; with `VARIABLES=1` in the
//! environment also the state variables with their widths.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use encode::{Encoding, Options, encode};
use frontend::input::Input;
use frontend::{ReadOptions, load};
use instrument::plan;
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};
use system::term::Node;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let reduction = arguments.next().unwrap_or_default();
    let with_variables = std::env::var_os("VARIABLES").is_some();
    let mut output = io::stdout().lock();
    for path in arguments {
        match measure(&path, &reduction) {
            Ok((encoding, seconds)) => {
                writeln!(output, "{path}: {seconds:.2} s, {:?}", encoding.statistics)?;
                for property in &encoding.system.properties {
                    writeln!(output, "    property {}", property.name)?;
                }
                if with_variables {
                    writeln!(output, "    {}", variables(&encoding))?;
                }
            }
            Err(reason) => writeln!(output, "{path}: {reason}")?,
        }
    }
    Ok(())
}

/// The encoding of a program, and how many seconds it took.
fn measure(path: &str, reduction: &str) -> Result<(Encoding, f64), String> {
    let reduction = reduction
        .parse()
        .map_err(|_| "unknown reduction".to_owned())?;
    let input = Input::files(vec![PathBuf::from(path)], &[]);
    let loaded = load(&input, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let mut program = loaded.program;
    let instances = instantiate(&program, &Bounds::default());
    let points_to = PointsTo::analyse(&program, &instances);
    plan(&program, &instances, &points_to, reduction).apply(&mut program);
    let start = Instant::now();
    let encoding = encode(&program, &instances, &points_to, &Options::default());
    Ok((encoding, start.elapsed().as_secs_f64()))
}

fn variables(encoding: &Encoding) -> String {
    let terms = &encoding.system.terms;
    let mut all = Vec::new();
    for variable in &encoding.system.state {
        if let Node::Symbol(symbol) = terms.node(variable.current) {
            all.push(format!(
                "{}:{}",
                terms.name(symbol),
                terms.width(variable.current)
            ));
        }
    }
    all.join(" ")
}
