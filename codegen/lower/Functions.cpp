// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels' parameters by the ABI rule, functions, calls and returns. A slice is its parts
// everywhere; a function that returns one returns a struct of them.
#include "codegen/lower/Lowering.h"
#include "intrinsics/Limits.h"
#include "mir/transforms/Forwarding.h"

using namespace mlir;

namespace spl::codegen {
namespace {

/// Makes the ABI's parameters of one kernel.
class AbiBuilder {
public:
  AbiBuilder(mir::KernelOp kernel, Lowering &lowering, unsigned addressSpace)
      : lowering(lowering), addressSpace(addressSpace),
        // On the CPU one function runs all the work-items.
        isWatched(addressSpace != 0 && kernel->hasAttr(watchedAttr)) {
    for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
      mayOverlap |= bool(kernel.getArgAttr(index, mir::SplDialect::aliasAttr));
    findAtomicReads(kernel);
    kernel.walk([&](mir::StoreOp store) {
      keepsSlices |= isa<mir::SliceType>(store.getValue().getType());
    });
  }

  void append(BlockArgument argument, bool isByValue) {
    Type type = argument.getType();
    auto slice = dyn_cast<mir::SliceType>(type);
    if (slice && isByValue)
      return appendByValue(slice.getElement());
    if (slice)
      return appendSlice(slice, readsAtomically.contains(argument) || anyReadsAtomically);
    parameters.push_back({lowering.memoryType(type), DictionaryAttr::get(lowering.context()),
                          lowering.layout(type)});
  }

  SmallVector<AbiParameter> parameters;

private:
  NamedAttrList addressAttributes(bool isReadOnly, uint64_t align, bool isApart) {
    Builder builder(lowering.context());
    NamedAttrList address;
    if (isApart)
      address.set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    if (!keepsSlices)
      address.set(LLVM::LLVMDialect::getNoCaptureAttrName(), builder.getUnitAttr());
    if (isReadOnly)
      address.set(LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
    address.set(LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(align));
    return address;
  }

  void appendByValue(Type type) {
    Lowering::Layout layout = lowering.layout(type);
    NamedAttrList address = addressAttributes(/*isReadOnly=*/true, layout.align, /*isApart=*/true);
    parameters.push_back({lowering.pointer(), address.getDictionary(lowering.context()), layout,
                          lowering.memoryType(type)});
  }

  // What is read atomically, someone else writes to meanwhile: another kernel or the host. LLVM 22
  // crashes where NVPTX has to load atomically from a parameter that is read-only and apart.
  void findAtomicReads(mir::KernelOp kernel) {
    kernel.walk([&](Operation *op) {
      if (auto atomic = dyn_cast<mir::AtomicOp>(op)) {
        const Value slice = mir::rootOf(atomic.getSlice());
        readsAtomically.insert(slice);
        anyReadsAtomically |=
            !isa_and_present<mir::SharedOp, mir::SharedDynOp>(slice.getDefiningOp()) &&
            !llvm::is_contained(kernel.getBody().getArguments(), slice);
      }
      anyReadsAtomically |= isWatched && isa<mir::CallOp>(op);
    });
  }

  void appendSlice(mir::SliceType slice, bool isReadAtomically) {
    // Slices of a launch overlap only where both are read-only; the runtime sees to that.
    // A slice that other work-items write to while this one runs is not its own alone: LLVM would
    // drop what is stored before a barrier and overwritten behind it.
    bool isApart = !mayOverlap && !(isWatched && (slice.getIsMut() || isReadAtomically));
    NamedAttrList address =
        addressAttributes(!slice.getIsMut(), lowering.layout(slice.getElement()).align, isApart);
    parameters.push_back({lowering.pointer(addressSpace), address.getDictionary(lowering.context()),
                          lowering.layout(lowering.i64())});

    // Above all, an extent is not negative.
    auto range = LLVM::ConstantRangeAttr::get(lowering.context(), APInt(64, 0),
                                              APInt(64, intrinsics::maxExtent + 1));
    NamedAttribute extent(LLVM::LLVMDialect::getRangeAttrName(), range);
    for (unsigned axis = 0; axis < slice.getRank(); ++axis)
      parameters.push_back({lowering.i64(), DictionaryAttr::get(lowering.context(), extent),
                            lowering.layout(lowering.i64())});
  }

  Lowering &lowering;
  unsigned addressSpace;
  bool isWatched;                        ///< work-items see what others write while they run
  llvm::DenseSet<Value> readsAtomically; ///< the slices that atomics name, or whose parts they name
  bool anyReadsAtomically = false;       ///< any slice may be one of those
  bool keepsSlices = false;              ///< in memory
  bool mayOverlap = false;               ///< some parameter may share memory with any other
};

/// From a parameter of the ABI to the value that the body works with.
Value fromAbi(Value parameter, Type expected, OpBuilder &builder) {
  Location loc = parameter.getLoc();
  if (parameter.getType() == expected)
    return parameter;
  if (isa<LLVM::LLVMPointerType>(expected)) // functions work on slices of any address space alike
    return LLVM::AddrSpaceCastOp::create(builder, loc, expected, parameter);
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, parameter, zero);
}

bool isByValue(mir::KernelOp kernel, unsigned argument) {
  return bool(kernel.getArgAttr(argument, mir::SplDialect::byValueAttr));
}

/// The result type of a function: nothing, the one value, or a struct of a slice's parts.
Type resultType(ArrayRef<Type> results, Lowering &lowering) {
  SmallVector<Type> parts;
  (void)lowering.types.convertTypes(results, parts);
  if (parts.empty())
    return LLVM::LLVMVoidType::get(lowering.context());
  return parts.size() == 1 ? parts.front()
                           : LLVM::LLVMStructType::getLiteral(lowering.context(), parts);
}

SmallVector<Value> flatten(ArrayRef<ValueRange> values) {
  SmallVector<Value> flat;
  for (ValueRange range : values)
    llvm::append_range(flat, range);
  return flat;
}

/// The source's functions have a prefix of their own: whatever they are called, "f" or
/// "Struct.method", they clash with no kernel, no function of a library and no other symbol of the
/// compiler's.
std::string internalName(StringRef name) { return ("spl.fn." + name).str(); }

struct FuncPattern : Pattern<mir::FuncOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ArrayRef<Type> inputs = op.getFunctionType().getInputs();
    TypeConverter::SignatureConversion signature(inputs.size());
    if (failed(lowering.types.convertSignatureArgs(inputs, signature)))
      return failure();
    SmallVector<Type> hidden = lowering.hooks->hiddenTypes();
    signature.addInputs(hidden);

    auto type = LLVM::LLVMFunctionType::get(resultType(op.getFunctionType().getResults(), lowering),
                                            signature.getConvertedTypes());
    auto function = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), internalName(op.getSymName()),
                                             type, LLVM::Linkage::Internal);
    function.setNoInline(op->hasAttr(mir::SplDialect::noinlineAttr));
    function.setInlineHint(op->hasAttr(mir::SplDialect::inlineAttr)); // spl-inline took what fits
    function.setNoUnwind(true);
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    rewriter.applySignatureConversion(&function.getBody().front(), signature, &lowering.types);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CallPattern : Pattern<mir::CallOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::CallOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands = flatten(adaptor.getOperands());
    llvm::append_range(operands, lowering.hooks->hiddenValues(op, rewriter));
    Type result = resultType(llvm::to_vector(op.getResultTypes()), lowering);
    TypeRange results = isa<LLVM::LLVMVoidType>(result) ? TypeRange() : TypeRange(result);
    auto callee = FlatSymbolRefAttr::get(getContext(), internalName(op.getCallee()));
    auto call = LLVM::CallOp::create(rewriter, op.getLoc(), results, callee, operands);
    if (op->getNumResults() == 0)
      rewriter.eraseOp(op);
    else if (auto structure = dyn_cast<LLVM::LLVMStructType>(result))
      replaceByParts(op, call, structure, rewriter);
    else
      rewriter.replaceOp(op, call);
    return success();
  }

  static void replaceByParts(mir::CallOp op, LLVM::CallOp call, LLVM::LLVMStructType structure,
                             ConversionPatternRewriter &rewriter) {
    SmallVector<Value> parts;
    for (int64_t part = 0, count = structure.getBody().size(); part < count; ++part)
      parts.push_back(LLVM::ExtractValueOp::create(rewriter, op.getLoc(), call.getResult(), part));
    rewriter.replaceOpWithMultiple(op, {ValueRange(parts)});
  }
};

struct ReturnPattern : Pattern<mir::ReturnOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::ReturnOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts = flatten(adaptor.getOperands());
    if (parts.size() > 1) {
      SmallVector<Type> types = llvm::map_to_vector(parts, [](Value v) { return v.getType(); });
      Value whole = LLVM::PoisonOp::create(rewriter, op.getLoc(),
                                           LLVM::LLVMStructType::getLiteral(getContext(), types));
      for (auto [index, part] : llvm::enumerate(parts))
        whole = LLVM::InsertValueOp::create(rewriter, op.getLoc(), whole, part, index);
      parts = {whole};
    }
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, parts);
    return success();
  }
};

} // namespace

/// Whether a function or one that it calls synchronises work-items.
static bool isWatched(FunctionOpInterface function, const SymbolTable &symbols,
                      llvm::DenseSet<Operation *> &seen) {
  if (!seen.insert(function).second)
    return false;
  WalkResult result = function.walk([&](Operation *op) {
    auto intrinsic = dyn_cast<mir::IntrinsicOp>(op);
    auto call = dyn_cast<mir::CallOp>(op);
    bool synchronises =
        isa<mir::AtomicOp>(op) ||
        (intrinsic && intrinsic.getRow().sync != intrinsics::Sync::None) ||
        (call && isWatched(symbols.lookup<mir::FuncOp>(call.getCallee()), symbols, seen));
    return synchronises ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

void markWatchedKernels(ModuleOp module) {
  const SymbolTable symbols(module);
  for (auto kernel : module.getOps<mir::KernelOp>())
    if (llvm::DenseSet<Operation *> seen; isWatched(kernel, symbols, seen))
      kernel->setAttr(watchedAttr, UnitAttr::get(module.getContext()));
}

SmallVector<AbiParameter> abiParameters(mir::KernelOp kernel, unsigned addressSpace,
                                        Lowering &lowering) {
  AbiBuilder builder(kernel, lowering, addressSpace);
  for (auto [index, argument] : llvm::enumerate(kernel.getBody().getArguments()))
    builder.append(argument, isByValue(kernel, index));
  return builder.parameters;
}

LLVM::LLVMFuncOp lowerKernel(mir::KernelOp kernel, StringRef name, unsigned addressSpace,
                             TypeRange hidden, Lowering &lowering,
                             ConversionPatternRewriter &rewriter) {
  Location loc = kernel.getLoc();
  ArrayRef<Type> inputs = kernel.getFunctionType().getInputs();
  SmallVector<AbiParameter> parameters = abiParameters(kernel, addressSpace, lowering);
  SmallVector<Type> types =
      llvm::map_to_vector(parameters, [](const AbiParameter &parameter) { return parameter.type; });
  llvm::append_range(types, hidden);

  auto function = LLVM::LLVMFuncOp::create(
      rewriter, loc, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(lowering.context()), types));
  function.setNoUnwind(true);
  for (auto [index, parameter] : llvm::enumerate(parameters))
    function.setArgAttrs(index, parameter.attributes);

  // The body's first block gets the parts that MIR's slices became; a block before it makes those
  // out of the ABI's parameters.
  TypeConverter::SignatureConversion signature(inputs.size());
  (void)lowering.types.convertSignatureArgs(inputs, signature);
  rewriter.inlineRegionBefore(kernel.getBody(), function.getBody(), function.end());
  Block *body =
      rewriter.applySignatureConversion(&function.getBody().front(), signature, &lowering.types);
  SmallVector<Location> locations(types.size(), loc);
  Block *entry = rewriter.createBlock(body, types, locations);
  SmallVector<Value> values;
  for (unsigned index = 0; values.size() < signature.getConvertedTypes().size(); ++index) {
    Type expected = signature.getConvertedTypes()[values.size()];
    values.push_back(fromAbi(entry->getArgument(index), expected, rewriter));
    if (parameters[index].inMemory) // a slice of the one element
      values.push_back(i64Constant(rewriter, loc, 1));
  }
  LLVM::BrOp::create(rewriter, loc, values, body);
  return function;
}

void addFunctionPatterns(Lowering &lowering) {
  lowering.add<FuncPattern>();
  lowering.add<CallPattern>();
  lowering.add<ReturnPattern>();
}

} // namespace spl::codegen
