// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, calls, returns and exits.
#include "test/ptxsim/ops/Lanes.h"
#include "test/ptxsim/ops/Print.h"

namespace ptxsim {
namespace {

void branch(Warp &warp, const Inst &inst, Lanes lanes) { warp.jump(lanes, inst.target); }

void branchByTable(Warp &warp, const Inst &inst, Lanes lanes) {
  const std::vector<std::uint32_t> &table = warp.grid.program.branchTables[inst.target];
  const Value *index = warp.source(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) {
    if (index[lane] >= table.size())
      warp.fail(ErrorKind::OutOfBounds, inst, lane, "the list of targets is shorter");
    warp.jump(1U << lane, table[index[lane]]);
  });
}

void copyAll(Warp &warp, unsigned lane, const std::vector<Call::Copy> &copies) {
  std::byte *memory = warp.localMemory(lane);
  for (const Call::Copy &copy : copies)
    std::memmove(memory + copy.to, memory + copy.from, copy.bytes);
}

void call(Warp &warp, const Inst &inst, Lanes lanes) {
  const Call &call = warp.grid.program.calls[inst.target];
  Value *returns = warp.destination(call.returnRow);
  forLanes(lanes, [&](unsigned lane) {
    copyAll(warp, lane, call.arguments);
    returns[lane] = warp.placeOf(lane) + 1;
    warp.enter(lane);
  });
  warp.jump(lanes, call.entry);
}

void giveBack(Warp &warp, const Inst &inst, Lanes lanes) {
  const Program &program = warp.grid.program;
  const Value *returns = warp.source(inst.rows[0]);
  forLanes(lanes, [&](unsigned lane) {
    const auto place = static_cast<std::uint32_t>(returns[lane]);
    copyAll(warp, lane, program.calls[program.code[place - 1].target].results);
    warp.leave(lane);
    warp.jump(1U << lane, place);
  });
}

void end(Warp &warp, const Inst &, Lanes lanes) { warp.exit(lanes); }

void trap(Warp &warp, const Inst &inst, Lanes lanes) {
  warp.fail(ErrorKind::Trap, inst, static_cast<unsigned>(std::countr_zero(lanes)), "a trap");
}

void nothing(Warp &, const Inst &, Lanes) {}

} // namespace

void decodeBra(Decoder &decoder) {
  decoder.take("uni");
  decoder.needOperands(1);
  decoder.inst.target = decoder.names.labelTarget(decoder.operand(0).name);
  decoder.inst.isControl = decoder.inst.isBranch = true;
  decoder.inst.run = branch;
}

void decodeBrx(Decoder &decoder) {
  decoder.needOneOf({"idx"});
  decoder.take("uni");
  decoder.needOperands(2);
  decoder.inst.rows[0] = decoder.read(decoder.operand(0), Type::U32);
  decoder.inst.target = decoder.names.branchTable(decoder.operand(1).name);
  decoder.inst.isControl = true;
  decoder.inst.run = branchByTable;
}

void decodeCall(Decoder &decoder) {
  decoder.take("uni");
  decoder.needOperands(1, 3);
  std::size_t at = 0;
  std::vector<Operand> results, arguments;
  if (decoder.operand(0).kind == Operand::Kind::List)
    results = decoder.operand(at++).parts;
  const Operand &callee = decoder.operand(at++);
  if (callee.kind != Operand::Kind::Name)
    decoder.unknown("calls through pointers are not known");
  if (at != decoder.operands())
    arguments = decoder.operand(at++).parts;
  if (at != decoder.operands())
    decoder.unknown("there is something behind the arguments");
  decoder.inst.target = decoder.names.call(results, callee.name, arguments);
  if (decoder.inst.target == noRow)
    return decodePrint(decoder, results, callee.name, arguments);
  decoder.inst.isControl = true;
  decoder.inst.run = call;
}

void decodeRet(Decoder &decoder) {
  decoder.take("uni");
  decoder.needOperands(0);
  decoder.inst.rows[0] = decoder.names.returnRow();
  decoder.inst.isControl = true;
  decoder.inst.run = decoder.inst.rows[0] == noRow ? end : giveBack;
}

void decodeExit(Decoder &decoder) {
  decoder.needOperands(0);
  decoder.inst.isControl = true;
  decoder.inst.run = end;
}

void decodeTrap(Decoder &decoder) {
  decoder.needOperands(0);
  decoder.inst.run = trap;
}

void decodeNanosleep(Decoder &decoder) {
  if (decoder.lastType())
    decoder.read(decoder.operand(0), decoder.takeType());
  decoder.needOperands(1);
  decoder.inst.run = nothing;
}

} // namespace ptxsim
