// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Faults.h"
#include "mir/dialect/Frames.h"
#include "spl/cpu_abi.h"

using namespace mlir;

namespace spl::codegen {
namespace {

LLVM::GlobalOp constant(Lowering &lowering, Type type, const Twine &name, Attribute value,
                        OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(lowering.module.getBody());
  auto global = LLVM::GlobalOp::create(builder, lowering.module.getLoc(), type, /*isConstant=*/true,
                                       LLVM::Linkage::Private, name.str(), value);
  global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  return global;
}

} // namespace

LLVM::GlobalOp CpuFaults::text(StringRef text, OpBuilder &builder) {
  LLVM::GlobalOp &global = texts[text];
  if (!global) {
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    global = constant(lowering, type, "spl.text." + Twine(texts.size()),
                      builder.getStringAttr(bytes), builder);
  }
  return global;
}

LLVM::GlobalOp CpuFaults::fileOf(FileLineColLoc line, OpBuilder &builder) {
  return text(line ? line.getFilename().getValue() : "", builder);
}

// Emits a constant struct of these numbers and of the addresses of these globals. That of null is
// null.
LLVM::GlobalOp CpuFaults::record(const Twine &name, ArrayRef<int32_t> numbers,
                                 ArrayRef<LLVM::GlobalOp> globals, OpBuilder &builder) {
  Location loc = lowering.module.getLoc();
  SmallVector<Type> types(numbers.size(), builder.getI32Type());
  types.append(globals.size(), lowering.pointer());
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  LLVM::GlobalOp result = constant(lowering, type, name, Attribute(), builder);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&result.getInitializerRegion());
  SmallVector<Value> fields;
  for (int32_t number : numbers)
    fields.push_back(LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(number)));
  for (LLVM::GlobalOp global : globals)
    fields.push_back(global ? LLVM::AddressOfOp::create(builder, loc, global).getResult()
                            : LLVM::ZeroOp::create(builder, loc, lowering.pointer()).getResult());
  Value whole = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [index, field] : llvm::enumerate(fields))
    whole = LLVM::InsertValueOp::create(builder, loc, whole, field, index);
  LLVM::ReturnOp::create(builder, loc, whole);
  return result;
}

// Emits an spl_cpu_call for each call through which an operation was inlined. Returns the innermost
// one, or null if there is none.
LLVM::GlobalOp CpuFaults::caller(Location loc, OpBuilder &builder) {
  const SmallVector<Location> frames = mir::framesOf(loc);
  LLVM::GlobalOp outer;
  std::vector<const void *> chain;
  for (Location frame : llvm::reverse(ArrayRef(frames).drop_front())) {
    chain.push_back(frame.getAsOpaquePointer());
    LLVM::GlobalOp &call = calls[chain];
    if (!call) {
      FileLineColLoc line = sourceLine(frame);
      call = record("spl.call." + Twine(calls.size()),
                    {line ? int32_t(line.getLine()) : 0, line ? int32_t(line.getColumn()) : 0},
                    {fileOf(line, builder), outer}, builder);
    }
    outer = call;
  }
  return outer;
}

// An spl_cpu_fault_site: {kind, line, column, file, subject}.
Value CpuFaults::site(Location loc, int32_t kind, StringRef subject, OpBuilder &builder) {
  FileLineColLoc line = sourceLine(loc);
  SmallVector<LLVM::GlobalOp> globals{fileOf(line, builder), text(subject, builder)};
  if (LLVM::GlobalOp call = hasCalls ? caller(loc, builder) : LLVM::GlobalOp()) {
    kind |= SPL_CPU_HAS_CALLER;
    globals.push_back(call);
  }
  LLVM::GlobalOp site =
      record("spl.site." + Twine(sites++),
             {kind, line ? int32_t(line.getLine()) : 0, line ? int32_t(line.getColumn()) : 0},
             globals, builder);
  return LLVM::AddressOfOp::create(builder, lowering.module.getLoc(), site);
}

// An spl_cpu_trace_site: {number, kind, bytes, order, scope, line, column, detail, file, subject,
// caller}.
Value CpuFaults::traceSite(mir::TraceOp op, uint64_t bytes, OpBuilder &builder) {
  FileLineColLoc line = sourceLine(op.getLoc());
  ArrayRef<int32_t> detail = op.getDetail().value_or(ArrayRef<int32_t>());
  auto detailAt = [&](size_t index) { return index < detail.size() ? detail[index] : 0; };
  if (op.getKind() == mir::TraceKind::Uniform || op.getKind() == mir::TraceKind::GridUniform)
    bytes = uint64_t(detailAt(2)) * 8;
  LLVM::GlobalOp site = record("spl.trace." + Twine(traces),
                               {int32_t(traces), int32_t(op.getKind()), int32_t(bytes),
                                int32_t(op.getOrder().value_or(mir::MemoryOrder::Relaxed)),
                                int32_t(op.getScope().value_or(mir::MemoryScope::Device)),
                                line ? int32_t(line.getLine()) : 0,
                                line ? int32_t(line.getColumn()) : 0, detailAt(0), detailAt(1)},
                               {fileOf(line, builder), text(op.getSubject().value_or(""), builder),
                                caller(op.getLoc(), builder)},
                               builder);
  ++traces;
  return LLVM::AddressOfOp::create(builder, lowering.module.getLoc(), site);
}

// The function spl.fault(launch, site, value, bound, x, y, z), which calls the runtime. With it, a
// check needs only one call with scalar arguments.
LLVM::LLVMFuncOp CpuFaults::reporter(OpBuilder &builder) {
  constexpr StringLiteral name = "spl.fault";
  if (report)
    return report;
  Location loc = lowering.module.getLoc();
  Type pointer = lowering.pointer(), i64 = lowering.i64();
  Type nothing = LLVM::LLVMVoidType::get(builder.getContext());
  ArrayAttr neverReturns = builder.getStrArrayAttr({"noreturn", "cold", "noinline"});
  LLVM::LLVMFuncOp runtime =
      lowering.declare(builder, "spl_cpu_fault", nothing, {pointer, pointer, i64, i64, pointer});
  runtime.setPassthroughAttr(neverReturns);
  LLVM::LLVMFuncOp function = report =
      lowering.declare(builder, name, nothing, {pointer, pointer, i64, i64, i64, i64, i64});
  function.setPassthroughAttr(neverReturns);
  function.setLinkage(LLVM::Linkage::Internal);

  OpBuilder::InsertionGuard guard(builder);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value ids = LLVM::AllocaOp::create(builder, loc, pointer, i64, i64Constant(builder, loc, 3));
  for (int32_t axis = 0; axis < 3; ++axis) {
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, i64, ids, ArrayRef<LLVM::GEPArg>{axis});
    LLVM::StoreOp::create(builder, loc, entry->getArgument(4 + axis), slot);
  }
  SmallVector<Value> arguments(entry->getArguments().take_front(4));
  arguments.push_back(ids);
  LLVM::CallOp::create(builder, loc, runtime, arguments);
  LLVM::UnreachableOp::create(builder, loc);
  return function;
}

void CpuFaults::emit(mir::CheckOp op, ValueRange details, Value launch, ValueRange globalIds,
                     OpBuilder &builder) {
  int32_t kind = int32_t(op.getKind()) | (op.getIsUnsigned() ? SPL_CPU_UNSIGNED_VALUE : 0);
  SmallVector<Value> arguments{launch,
                               site(op.getLoc(), kind, op.getSubject().value_or(""), builder)};
  llvm::append_range(arguments, details);
  while (arguments.size() < 4) // details that this kind of fault does not have are 0
    arguments.push_back(i64Constant(builder, op.getLoc(), 0));
  llvm::append_range(arguments, globalIds);
  LLVM::CallOp::create(builder, op.getLoc(), reporter(builder), arguments);
}

} // namespace spl::codegen
