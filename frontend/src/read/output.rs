//! Calls that write text. Earlier passes have made the effects of these calls on memory explicit, as far as the passes
//! understand them.

use super::reader::{Read, unreadable};
use super::thread::ThreadReader;
use crate::format::{Conversion, ConversionKind, conversions};
use crate::llvm::Value;
use program::model::HavocOrigin;

impl ThreadReader<'_, '_> {
    /// A call with a format at this position, and with the values behind it unless they come in a list.
    pub fn read_print(&mut self, call: Value, format: u32, listed: bool, name: &str) -> Read<()> {
        let arguments = call.arguments();
        let mut arguments = arguments.iter().skip(format as usize);
        let Some(format) = arguments.next().and_then(|format| format.global_string()) else {
            return unreadable(format!("call of `{name}` whose format is computed"));
        };
        // The values of a list are not seen.
        let arguments: Vec<&Value> = arguments.filter(|_| !listed).collect();
        let is_read = |conversion: &Conversion| {
            let argument = arguments.get(conversion.argument);
            match conversion.kind {
                ConversionKind::Value => argument.is_some(),
                ConversionKind::Text { .. } => {
                    argument.is_some_and(|text| text.value_type_of().is_pointer())
                }
                ConversionKind::Count { .. } => false,
            }
        };
        if conversions(self.reader.module.data_model(), &format)
            .is_some_and(|all| all.iter().all(is_read))
        {
            self.read_arbitrary(call, HavocOrigin::Library)
        } else {
            unreadable(format!("call of `{name}` with this format"))
        }
    }

    /// `setbuf` with a null buffer: no function writes to a buffer that does not exist.
    pub fn read_buffer(&mut self, call: Value, name: &str) -> Read<()> {
        if call.operand(1).is_some_and(Value::is_zero) {
            Ok(())
        } else {
            unreadable(format!("call of `{name}` with a buffer"))
        }
    }
}
