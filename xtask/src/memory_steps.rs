//! Lets the memory of a module grow in large steps.
//!
//! The allocator takes memory page by page. An engine may collect the garbage of the whole program each time that a memory grows, so that
//! parsing a tokenizer of 2.5 MB took 1,400 collections. The allocator has no option for that, and another one would need unsafe code. So
//! a function takes the place of the instruction `memory.grow`: it takes more pages than it is asked for, and gives them at its next calls.

use anyhow::{Context, Result, ensure};
use walrus::ir::{BinaryOp, Call, Instr, InstrLocId, MemoryGrow, Value, VisitorMut, dfs_pre_order_mut};
use walrus::{ConstExpr, FunctionBuilder, FunctionId, MemoryId, Module, ValType};

/// A memory grows by a part of its size: 1 / 2^`SHIFT`. Pages that nobody writes to take no physical memory.
const SHIFT: i32 = 3;

/// Replaces `memory.grow` in all functions of a module.
pub fn grow_in_large_steps(module: &mut Module) -> Result<()> {
    let memory = module.memories.iter().next().context("the module has no memory")?;
    let (id, pages) = (memory.id(), i32::try_from(memory.initial)?);
    let grow = grow_function(module, id, pages);
    let mut replaced = 0;
    for (_, code) in module.funcs.iter_local_mut().filter(|(function, _)| *function != grow) {
        let mut calls = Calls { grow, count: 0 };
        let entry = code.entry_block();
        dfs_pre_order_mut(&mut calls, code, entry);
        replaced += calls.count;
    }
    ensure!(replaced > 0, "no function of the module grows its memory");
    Ok(())
}

/// Makes calls of a function of the instructions `memory.grow`.
struct Calls {
    grow: FunctionId,
    count: usize,
}

impl VisitorMut for Calls {
    fn visit_instr_mut(&mut self, instr: &mut Instr, _: &mut InstrLocId) {
        if let Instr::MemoryGrow(MemoryGrow { .. }) = instr {
            *instr = Call { func: self.grow }.into();
            self.count += 1;
        }
    }
}

/// A function that does for its caller what `memory.grow` does: the memory of the caller grows by so many pages, and begins with `pages`.
fn grow_function(module: &mut Module, memory: MemoryId, pages: i32) -> FunctionId {
    let given = module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(pages)));
    let wanted = module.locals.add(ValType::I32);
    let missing = module.locals.add(ValType::I32);
    let mut function = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
    // missing = given + wanted - size
    let mut body = function.func_body();
    body.global_get(given).local_get(wanted).binop(BinaryOp::I32Add);
    body.memory_size(memory).binop(BinaryOp::I32Sub).local_tee(missing);
    body.i32_const(0).binop(BinaryOp::I32GtS);
    body.if_else(
        None,
        |grow| {
            // Grows by the larger one of `missing` and a part of the size.
            grow.local_get(missing);
            grow.memory_size(memory).i32_const(SHIFT).binop(BinaryOp::I32ShrU);
            grow.local_get(missing);
            grow.memory_size(memory).i32_const(SHIFT).binop(BinaryOp::I32ShrU);
            grow.binop(BinaryOp::I32GtS).select(Some(ValType::I32)).memory_grow(memory);
            grow.i32_const(-1).binop(BinaryOp::I32Eq);
            grow.if_else(
                None,
                |again| {
                    // Near the limit of the memory, the missing pages may be all that there is.
                    again.local_get(missing).memory_grow(memory).i32_const(-1).binop(BinaryOp::I32Eq);
                    again.if_else(None, |none| _ = none.i32_const(-1).return_(), |_| {});
                },
                |_| {},
            );
        },
        |_| {},
    );
    // The result is the number of pages before.
    body.global_get(given);
    body.global_get(given).local_get(wanted).binop(BinaryOp::I32Add).global_set(given);
    function.finish(vec![wanted], &mut module.funcs)
}
