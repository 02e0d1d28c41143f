//! Dispatch over instructions, and control flow.

use abi::functions::{Effect, effect};
use inkwell::values::InstructionOpcode as Op;

use super::builder::constant;
use super::leaks::End;
use super::reader::{Read, unreadable};
use super::thread::{PathStatus, ThreadReader};
use crate::llvm::{Block, Value};
use crate::normalize::UNREACHABLE;
use program::lifetimes::escaping;
use program::model::{
    BinaryOperator, Comparison, Edge, HavocOrigin, LimitKind, LocationKind, Operand, Statement,
};

impl ThreadReader<'_, '_> {
    /// Appends what an instruction does.
    pub fn read_instruction(&mut self, instruction: Value) -> Read<PathStatus> {
        let Some(opcode) = instruction.opcode() else {
            return unreadable("a value that is no instruction");
        };
        match opcode {
            Op::Return => self.read_return(instruction),
            Op::Br => self.read_branch(instruction),
            Op::Switch => self.read_switch(instruction),
            Op::Unreachable => {
                self.explain(UNREACHABLE.to_owned());
                self.builder
                    .end(LocationKind::Limit(LimitKind::Undefined), Statement::Skip);
                Ok(PathStatus::Ends)
            }
            Op::Call => self.read_call(instruction),
            Op::Alloca => self.read_alloca(instruction),
            Op::Load => self.read_load(instruction),
            Op::Store => self.read_store(instruction),
            Op::AtomicCmpXchg => self.read_compare_exchange(instruction),
            Op::AtomicRMW => self.read_update(instruction),
            Op::Fence => Ok(PathStatus::Continues), // Memory is sequentially consistent.
            Op::IndirectBr => unreadable("computed goto"),
            Op::CallBr => unreadable("inline assembly with jumps"),
            Op::Invoke
            | Op::Resume
            | Op::LandingPad
            | Op::CleanupRet
            | Op::CatchRet
            | Op::CatchPad
            | Op::CleanupPad
            | Op::CatchSwitch => unreadable("exception handling"),
            Op::VAArg => unreadable("variable arguments"),
            Op::FAdd
            | Op::FSub
            | Op::FMul
            | Op::FDiv
            | Op::FRem
            | Op::FPToUI
            | Op::FPToSI
            | Op::UIToFP
            | Op::SIToFP
            | Op::FPTrunc
            | Op::FPExt
            | Op::FCmp => {
                let result = self.inexact(instruction)?;
                self.define(instruction, result)?;
                Ok(PathStatus::Continues)
            }
            Op::FNeg => {
                let number = self.operand(instruction.operand(0))?;
                let negated = self.negated(number);
                self.define(instruction, vec![negated])?;
                Ok(PathStatus::Continues)
            }
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::UDiv
            | Op::SDiv
            | Op::URem
            | Op::SRem
            | Op::Shl
            | Op::LShr
            | Op::AShr
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::GetElementPtr
            | Op::Trunc
            | Op::ZExt
            | Op::SExt
            | Op::PtrToInt
            | Op::IntToPtr
            | Op::BitCast
            | Op::AddrSpaceCast
            | Op::ICmp
            | Op::Phi
            | Op::Select
            | Op::UserOp1
            | Op::UserOp2
            | Op::ExtractElement
            | Op::InsertElement
            | Op::ShuffleVector
            | Op::ExtractValue
            | Op::InsertValue
            | Op::Freeze => {
                let operands = self.compute(instruction, opcode)?;
                self.define(instruction, operands)?;
                Ok(PathStatus::Continues)
            }
        }
    }

    /// Goes to a block, or ends this path alone if that cannot be read.
    fn jump(&mut self, target: Block, from: Block) {
        if let Err(what) = self.go_to(target, Some(from)) {
            self.refuse(what);
            self.survey_from(target);
        }
    }

    fn read_return(&mut self, ret: Value) -> Read<PathStatus> {
        let value = match ret.operand(0) {
            // A result that was never given one is arbitrary in any case.
            Some(value) if !self.is_main && !is_first_value(value) => {
                self.operands(value)?.first().copied()
            }
            Some(_) | None => None,
        };
        match self.is_main {
            true => self.look_for_leaks(End::Return),
            false => self.look_for_leaks_at_end_of_thread(),
        }
        if self.is_main && self.reader.options.looks_for_infinite_runs {
            return Ok(self.end(LocationKind::Halted));
        }
        self.end_thread(value);
        Ok(PathStatus::Ends)
    }

    /// A `return` from `main` ends the process: a thread that joins the main thread afterwards waits for ever. If other
    /// threads may have the handle of the main thread, the main thread is blocked at its end. The locals of the main
    /// thread are dead nevertheless.
    pub fn never_exit_by_return(&mut self) {
        let edges = &self.builder.template.edges;
        let reads_handle = |edge: &Edge| matches!(edge.statement, Statement::SelfHandle { .. });
        if !edges.values().any(reads_handle) {
            return;
        }
        self.builder.depth = 0;
        let blocked = self.builder.sink(LocationKind::Blocked);
        let locals = escaping(&self.builder.template);
        let end = if locals.is_empty() {
            Statement::Skip
        } else {
            Statement::LifetimeEnd { locals }
        };
        for edge in self.builder.template.edges.values_mut() {
            if edge.statement == (Statement::Return { value: None }) {
                edge.statement = end.clone();
                edge.target = blocked;
            }
        }
    }

    /// Ends the thread with this result.
    pub fn end_thread(&mut self, result: Option<Operand>) {
        let width = self.builder.address_bits();
        let value = result.filter(|operand| self.builder.width(*operand) <= width);
        let value = value.map(|operand| self.builder.resize(width, operand));
        while self.builder.depth > 0 {
            self.builder.depth -= 1;
            self.builder.emit(Statement::AtomicEnd);
        }
        self.builder
            .end(LocationKind::Exited, Statement::Return { value });
    }

    fn read_branch(&mut self, branch: Value) -> Read<PathStatus> {
        let (block, successors) = (branch.block(), branch.successors());
        match successors[..] {
            [target] => self.jump(target, block),
            [then, otherwise] if then == otherwise => self.jump(then, block),
            [then, otherwise] => {
                let condition = self.operand(branch.operand(0))?;
                let not_taken = self.builder.branch(condition);
                self.jump(then, block);
                self.builder.current = not_taken;
                self.jump(otherwise, block);
            }
            _ => return unreadable("a branch"),
        }
        Ok(PathStatus::Ends)
    }

    /// A switch is a chain of comparisons.
    fn read_switch(&mut self, switch: Value) -> Read<PathStatus> {
        let block = switch.block();
        let scrutinee = self.operand(switch.operand(0))?;
        let successors = switch.successors();
        let Some((default, targets)) = successors.split_first() else {
            return unreadable("a switch");
        };
        // Operands: scrutinee, default target, then value and target of each case.
        for (target, case) in targets.iter().zip(1..) {
            let value = self.operand(switch.operand(2 * case))?;
            let equal = self.builder.compare(Comparison::Equal, scrutinee, value);
            let next = self.builder.branch(equal);
            self.jump(*target, block);
            self.builder.current = next;
        }
        self.jump(*default, block);
        Ok(PathStatus::Ends)
    }

    /// The single operand that holds a value.
    pub fn operand(&mut self, value: Option<Value>) -> Read<Operand> {
        let Some(value) = value else {
            return unreadable("an instruction without operand");
        };
        match self.operands(value)?[..] {
            [operand] => Ok(operand),
            _ => unreadable(format!(
                "a value of type `{}` here",
                value.value_type_of().print()
            )),
        }
    }

    /// An arbitrary value for each of these widths.
    pub fn arbitrary(&mut self, widths: &[u32], origin: HavocOrigin) -> Vec<Operand> {
        widths
            .iter()
            .map(|width| self.builder.havoc(*width, origin))
            .collect()
    }

    /// What an operation on floating-point numbers gives: anything.
    pub fn inexact(&mut self, operation: Value) -> Read<Vec<Operand>> {
        let widths = self.widths(operation.value_type_of())?;
        self.explain("the result of floating-point arithmetic".to_owned());
        Ok(self.arbitrary(&widths, HavocOrigin::Library))
    }

    /// A floating-point number with the other sign.
    fn negated(&mut self, number: Operand) -> Operand {
        let width = self.builder.width(number);
        let sign = constant(width, 1 << (width - 1));
        self.builder.binary(BinaryOperator::Xor, number, sign)
    }

    /// A constant for each of these widths.
    pub fn repeated(widths: &[u32], value: u128) -> Vec<Operand> {
        widths.iter().map(|width| constant(*width, value)).collect()
    }
}

/// Whether a value is the first value of a variable without initialiser.
fn is_first_value(value: Value) -> bool {
    value.is_call()
        && value.callee().is_function()
        && effect(&value.callee().name()) == Some(Effect::FirstValue)
}
