//! Names of semaphores (`sem_open`). The library knows a name by a number, and asks for it by calls of [`NUMBER`]. The name must be a
//! constant string where all calls are inlined and variables are values.

use rustc_hash::FxHashMap;

use super::addresses::constant_offset;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Value};

/// `__mazurka_sem_number(name)`: from 1, or 0 for what no semaphore is called.
const NUMBER: &str = "__mazurka_sem_number";

/// How many names the library has room for, and how long they may be in the C library.
const MOST: usize = 8;
const LONGEST: usize = 251;

/// Puts the numbers in the places of the questions; returns whether there are any.
pub(super) fn number(module: &Module) -> bool {
    let questions = module.function(NUMBER).map(Value::users);
    let questions = questions.unwrap_or_default();
    let mut known: FxHashMap<Vec<u8>, (usize, Vec<u8>)> = FxHashMap::default();
    for &question in &questions {
        let spelling = question.operand(0).and_then(|name| text(module, name));
        let number = match spelling.as_deref().map(plain) {
            None => Err("name of a semaphore that is no constant string"),
            Some(None) => Ok(0),
            Some(Some(name)) if name.len() > LONGEST => Err("name of a semaphore that is too long"),
            Some(Some(name)) => {
                let next = known.len() + 1;
                let own = spelling.as_deref().unwrap_or(name);
                let (number, first) = known
                    .entry(name.to_vec())
                    .or_insert_with(|| (next, own.to_vec()));
                if first != own {
                    // The C library then gives one semaphore two addresses.
                    Err("semaphore whose name has different numbers of slashes")
                } else if *number > MOST {
                    Err("more than 8 names of semaphores")
                } else {
                    Ok(*number)
                }
            }
        };
        if let Err(what) = number {
            let builder = Builder::before(module, question).copy_position(question);
            insert_unsupported(module, &builder, what);
        }
        let number = question
            .value_type_of()
            .constant(number.unwrap_or(0) as u64);
        question.replace_all_uses(number);
        question.erase();
    }
    !questions.is_empty()
}

/// The constant text at an address, without its end.
fn text(module: &Module, address: Value) -> Option<Vec<u8>> {
    let (object, offset) = constant_offset(module, address)?;
    let is_constant = object.is_global_variable() && object.is_constant_global();
    let content = object.initializer().filter(|_| is_constant)?;
    let text = content.string()?;
    let text = text.get(usize::try_from(offset).ok()?..)?;
    let end = text.iter().position(|&byte| byte == 0)?;
    Some(text[..end].to_vec())
}

/// The name without leading slashes, if a semaphore may have it: it is not empty, and has no other slash.
fn plain(name: &[u8]) -> Option<&[u8]> {
    let slashes = name.iter().take_while(|&&byte| byte == b'/').count();
    let name = &name[slashes..];
    (!name.is_empty() && !name.contains(&b'/')).then_some(name)
}
