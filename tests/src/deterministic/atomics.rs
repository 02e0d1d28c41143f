//! Atomic operations.

use super::body::Body;
use super::data::is_wide;
use super::integer::Integer;
use super::scope::Qualifier;

const ORDERS: [&str; 4] = ["RELAXED", "ACQUIRE", "ACQ_REL", "SEQ_CST"];

impl Body<'_> {
    /// An atomic operation on a variable of any kind; its result becomes a variable.
    pub(super) fn atomic(&mut self) -> Option<()> {
        // Each byte of a variable that no other thread shares gets an arbitrary first value: exhaustive search then
        // takes long.
        let local = self.numbers.chance(5);
        let place = self.place(|place| {
            let atomic = place.qualifier == Qualifier::Atomic;
            let shared = place.is_global || local;
            is_wide(place) && place.is_writable() && shared && (atomic || place.addressable)
        })?;
        let kind = place.integer()?;
        let address = format!("&{}", place.text);
        if self.numbers.chance(25) {
            return self.compare_exchange(&address, kind, place.qualifier);
        }
        let value = self.expression(2).text;
        let call = match place.qualifier {
            Qualifier::Atomic => self.standard(&address, &value),
            Qualifier::Plain | Qualifier::Const | Qualifier::Volatile => {
                self.builtin_atomic(&address, &value)
            }
        };
        self.declare_integer(kind, &call);
        Some(())
    }

    /// One of C11's functions.
    fn standard(&mut self, address: &str, value: &str) -> String {
        let order = self.numbers.pick(&ORDERS).to_lowercase();
        match self.numbers.below(8) {
            0 => format!("atomic_load({address})"),
            1 => format!("(atomic_store({address}, {value}), 1)"),
            2 => format!("atomic_exchange({address}, {value})"),
            3 => format!("atomic_fetch_sub_explicit({address}, {value}, memory_order_{order})"),
            choice => {
                let name = ["add", "and", "or", "xor"][choice - 4];
                format!("atomic_fetch_{name}({address}, {value})")
            }
        }
    }

    /// One of the compiler's functions.
    fn builtin_atomic(&mut self, address: &str, value: &str) -> String {
        let order = format!("__ATOMIC_{}", self.numbers.pick(&ORDERS));
        let name = self
            .numbers
            .pick(&["add", "sub", "and", "or", "xor", "nand"]);
        match self.numbers.below(8) {
            0 => format!("__atomic_fetch_{name}({address}, {value}, {order})"),
            1 => format!("__atomic_{name}_fetch({address}, {value}, {order})"),
            2 => format!("__sync_fetch_and_{name}({address}, {value})"),
            3 => format!("__sync_{name}_and_fetch({address}, {value})"),
            4 => format!("__atomic_exchange_n({address}, {value}, {order})"),
            5 => format!("__atomic_load_n({address}, __ATOMIC_ACQUIRE)"),
            6 => {
                let name = self.numbers.pick(&["min", "max"]);
                format!("__atomic_fetch_{name}({address}, {value}, {order})")
            }
            _ => format!("(__atomic_store_n({address}, {value}, __ATOMIC_RELEASE), 2)"),
        }
    }

    /// A compare-and-swap, which succeeds half of the time.
    fn compare_exchange(
        &mut self,
        address: &str,
        kind: Integer,
        qualifier: Qualifier,
    ) -> Option<()> {
        let value = self.expression(2).text;
        let expected = self.name("v");
        let guess = if self.numbers.chance(50) {
            // The value that is there.
            format!("*{address}")
        } else {
            self.expression(1).text
        };
        self.line(&format!("{} {expected} = {guess};", kind.name()));
        let call = match (qualifier, self.numbers.below(3)) {
            (Qualifier::Atomic, _) => {
                format!("atomic_compare_exchange_strong({address}, &{expected}, {value})")
            }
            (_, 0) => format!("__sync_bool_compare_and_swap({address}, {expected}, {value})"),
            (_, 1) => format!("__sync_val_compare_and_swap({address}, {expected}, {value})"),
            _ => format!(
                "__atomic_compare_exchange_n({address}, &{expected}, {value}, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)"
            ),
        };
        self.declare_integer(kind, &call);
        self.declare_integer(kind, &expected);
        Some(())
    }
}
