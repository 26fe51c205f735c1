// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers kernel parameters by the rules of the ABI, functions, calls and returns. A slice becomes
// several values, its address and its extents. A function that returns a slice returns a struct of
// these values.
#include "codegen/lower/Lowering.h"
#include "mir/dialect/SmallSizes.h"
#include "mir/transforms/Forwarding.h"
#include "spl/abi/Limits.h"
#include <algorithm>

using namespace mlir;

namespace spl::codegen {
namespace {

/// Computes the ABI parameters of one kernel.
class AbiBuilder {
public:
  AbiBuilder(mir::KernelOp kernel, Lowering &lowering, unsigned addressSpace)
      : lowering(lowering), addressSpace(addressSpace),
        // On the CPU (address space 0) one function runs all work-items.
        isWatched(addressSpace != 0 && kernel->hasAttr(watchedAttr)),
        maxExtent(mir::hasSmallSizes(kernel) ? mir::maxSmallSize : abi::maxExtent) {
    mayOverlap = std::ranges::any_of(kernel.getSignature().parameters, &Parameter::isAlias);
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

  // Finds the slices that atomic operations access. Another kernel or the host may write to such a
  // slice while this kernel runs. LLVM 22 crashes on an atomic load from a parameter with readonly
  // and noalias for NVPTX.
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
    // The runtime checks that slices of a launch overlap only if both are read-only. A slice that
    // other work-items write to during the launch must not be noalias: LLVM would remove a store
    // before a barrier that is overwritten after it.
    bool isApart = !mayOverlap && !(isWatched && (slice.getIsMut() || isReadAtomically));
    NamedAttrList address =
        addressAttributes(!slice.getIsMut(), lowering.layout(slice.getElement()).align, isApart);
    parameters.push_back({.type = lowering.pointer(addressSpace),
                          .attributes = address.getDictionary(lowering.context()),
                          .layout = lowering.layout(lowering.i64()),
                          .elementBytes = lowering.layout(slice.getElement()).size});

    auto range =
        LLVM::ConstantRangeAttr::get(lowering.context(), APInt(64, 0), APInt(64, maxExtent + 1));
    NamedAttribute extent(LLVM::LLVMDialect::getRangeAttrName(), range);
    for (unsigned axis = 0; axis < slice.getRank(); ++axis)
      parameters.push_back({lowering.i64(), DictionaryAttr::get(lowering.context(), extent),
                            lowering.layout(lowering.i64())});
  }

  Lowering &lowering;
  unsigned addressSpace;
  bool isWatched;                        ///< work-items can observe writes of other work-items
  llvm::DenseSet<Value> readsAtomically; ///< the slices that atomics access
  bool anyReadsAtomically = false;       ///< any slice may be accessed by an atomic
  bool keepsSlices = false;              ///< slices are stored in memory
  bool mayOverlap = false;               ///< a parameter may overlap any other parameter
  int64_t maxExtent;                     ///< of slices; none is negative
};

/// Converts a parameter of the ABI to the value that the body expects.
Value fromAbi(Value parameter, Type expected, OpBuilder &builder) {
  Location loc = parameter.getLoc();
  if (parameter.getType() == expected)
    return parameter;
  if (isa<LLVM::LLVMPointerType>(expected)) // functions use generic pointers for all slices
    return LLVM::AddrSpaceCastOp::create(builder, loc, expected, parameter);
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, parameter, zero);
}

bool isByValue(mir::KernelOp kernel, unsigned argument) {
  return bool(kernel.getArgAttr(argument, mir::SplDialect::byValueAttr));
}

/// The result type of a function: void, the type of the value, or a struct of the parts of a slice.
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

/// The symbol of a function of the source. With the prefix it differs from the symbols of kernels,
/// of libraries and of the compiler, whatever the name ("f" or "Struct.method").
std::string internalName(StringRef name) { return ("spl.fn." + name).str(); }

struct FuncPattern : Pattern<mir::FuncOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ArrayRef<Type> inputs = op.getFunctionType().getInputs();
    TypeConverter::SignatureConversion signature(inputs.size());
    if (failed(lowering.types.convertSignatureArgs(inputs, signature)))
      return failure();
    SmallVector<Type> hidden = lowering.hooks->hiddenTypes(op);
    signature.addInputs(hidden);

    auto type = LLVM::LLVMFunctionType::get(resultType(op.getFunctionType().getResults(), lowering),
                                            signature.getConvertedTypes());
    auto function = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), internalName(op.getSymName()),
                                             type, LLVM::Linkage::Internal);
    function.setNoInline(op->hasAttr(mir::SplDialect::noinlineAttr));
    // The pass spl-inline has inlined the small functions.
    function.setInlineHint(op->hasAttr(mir::SplDialect::inlineAttr));
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
    llvm::append_range(operands, lowering.hooks->hiddenValues(op));
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

/// Whether a function, or a function that it calls, synchronises work-items.
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

  // The arguments of the body's first block are the parts of MIR's slices. A new block before it
  // computes them from the parameters of the ABI.
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
    if (parameters[index].inMemory) // it is a slice of one element
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
