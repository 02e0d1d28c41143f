//! Lipton's mover types.

use std::fmt;

/// How a statement moves against the statements of other threads that may run at the same time (Sec. 3 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoverType {
    /// Moves both ways.
    Both,
    /// May be postponed past any statement of another thread that follows it. It may wait.
    Right,
    /// May be moved before any statement of another thread that precedes it. It never waits.
    Left,
    /// Moves in neither direction.
    Non,
}

impl MoverType {
    /// Whether the statement may run before the commit of a transaction.
    pub fn moves_right(self) -> bool {
        matches!(self, Self::Both | Self::Right)
    }

    /// Whether the statement may run after the commit of a transaction.
    pub fn moves_left(self) -> bool {
        matches!(self, Self::Both | Self::Left)
    }

    /// The mover type of two statements that run as one.
    pub fn meet(self, other: Self) -> Self {
        match (
            self.moves_right() && other.moves_right(),
            self.moves_left() && other.moves_left(),
        ) {
            (true, true) => Self::Both,
            (true, false) => Self::Right,
            (false, true) => Self::Left,
            (false, false) => Self::Non,
        }
    }
}

impl fmt::Display for MoverType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Both => "both",
            Self::Right => "right",
            Self::Left => "left",
            Self::Non => "non",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::MoverType::{Both, Left, Non, Right};

    #[test]
    fn meet_keeps_what_both_can_do() {
        for mover_type in [Both, Right, Left, Non] {
            assert_eq!(mover_type.meet(Both), mover_type);
            assert_eq!(mover_type.meet(mover_type), mover_type);
            assert_eq!(mover_type.meet(Non), Non);
        }
        assert_eq!(Right.meet(Left), Non);
    }
}
