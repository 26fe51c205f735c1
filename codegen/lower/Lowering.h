// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that the patterns from MIR to the LLVM dialect share: the part of a module that they
// lower, the target and its hooks, the type converter and the constants. A Lowering serves one
// part. The patterns hold references to it. prepareModule makes one without hooks and patterns for
// a whole module, which knows the layout of types.
#pragma once

#include "codegen/Options.h"
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "spl/abi/Layout.h"
#include <memory>

namespace spl::codegen {

/// The target-specific parts of lowering a function's body.
class TargetHooks {
public:
  virtual ~TargetHooks() = default;
  /// The types of the hidden parameters, which an internal function has after its own parameters.
  /// They hold what the function needs to know of its work-item, its group and the launch.
  virtual llvm::SmallVector<mlir::Type> hiddenTypes(mir::FuncOp function) { return {}; }
  /// The values of the callee's hidden parameters, in the function that contains the call.
  virtual llvm::SmallVector<mlir::Value> hiddenValues(mir::CallOp call) { return {}; }
  /// Lowers an intrinsic of IntrinsicLowering::Kind::Own. Returns the result of the operation, or
  /// null if it has none.
  virtual mlir::FailureOr<mlir::Value> emitOwn(mir::IntrinsicOp op, mlir::ValueRange operands,
                                               const IntrinsicLowering &how,
                                               mlir::ConversionPatternRewriter &rewriter) = 0;
  /// Emits the report of a failed check at the insertion point. The emitted code does not return.
  virtual void emitFault(mir::CheckOp op, mlir::ValueRange details,
                         mlir::ConversionPatternRewriter &rewriter) = 0;
  /// Emits a call of the detector of a checked launch. Targets without such launches emit nothing.
  virtual void emitTrace(mir::TraceOp op, mlir::Value address, uint64_t bytes, mlir::Value value,
                         mlir::ConversionPatternRewriter &rewriter) {}
  /// LLVM's name of the scope of an atomic operation.
  virtual llvm::StringRef syncScope(mir::MemoryScope scope) { return ""; }
  /// Emits an atomic update for which the target has better instructions than LLVM's atomicrmw, and
  /// returns the old value. Returns std::nullopt if the target has none. \p kind may differ from
  /// the kind of \p op: a subtraction is lowered as an addition.
  virtual std::optional<mlir::Value> emitAtomic(mir::AtomicOp op, mir::AtomicKind kind,
                                                mlir::Value address, mlir::Value value,
                                                mlir::ConversionPatternRewriter &rewriter) {
    return std::nullopt;
  }
  /// Emits a load with a cache hint (SplDialect::cacheAttr). Returns null if the target does not
  /// support hints.
  virtual mlir::Value emitHintedLoad(mir::LoadOp op, mlir::Type memory, mlir::Value address,
                                     mlir::OpBuilder &builder) {
    return {};
  }
  virtual bool emitHintedStore(mir::StoreOp op, mlir::Value value, mlir::Value address,
                               mlir::OpBuilder &builder) {
    return false;
  }
  /// The address of an array in shared memory. All operations with the same name have the same
  /// address.
  virtual mlir::FailureOr<mlir::Value> sharedArray(mir::SharedOp op,
                                                   mlir::ConversionPatternRewriter &rewriter) = 0;
  /// The address and the size in bytes of the launch's dynamic shared memory.
  struct Bytes {
    mlir::Value address, count;
  };
  virtual mlir::FailureOr<Bytes> dynamicShared(mir::SharedDynOp op,
                                               mlir::ConversionPatternRewriter &rewriter) = 0;
  /// Emits a print of one line of text and values, at the insertion point.
  virtual void emitPrint(mir::PrintOp op, mlir::ValueRange values,
                         mlir::ConversionPatternRewriter &rewriter) = 0;
  struct LibraryFunction {
    std::string symbol;
    unsigned lanes; ///< 1, or the number of lanes of its operands and result
  };
  /// The function of the math library with this C name, for the operation's element type. Its
  /// vectors are the narrowest ones that hold \p lanes lanes, or the widest ones if none does.
  /// Fails with an error if there is no library.
  virtual mlir::FailureOr<LibraryFunction>
  libraryFunction(mir::IntrinsicOp op, llvm::StringRef name, unsigned lanes) = 0;
  /// The address space of a constant. \p end is the total size of the module's constants up to and
  /// including this one, in bytes.
  virtual unsigned constantMemory(uint64_t end) { return 0; }
};

class Lowering {
public:
  Lowering(mlir::ModuleOp module, const Target &target);

  mlir::ModuleOp module;
  const Target &target;
  mlir::LLVMTypeConverter types;
  mlir::RewritePatternSet patterns;

  std::unique_ptr<TargetHooks> hooks; ///< set by LlvmBackend::populatePatterns
  /// The constants so far, by their elements and the element type.
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, mlir::LLVM::GlobalOp> constants;
  unsigned printSymbols = 0; ///< number of functions for prints so far

  template <class Pattern> void add() { patterns.add<Pattern>(*this); }

  mlir::MLIRContext *context() { return module.getContext(); }
  mlir::Type i64() { return mlir::IntegerType::get(context(), 64); }
  mlir::Type pointer(unsigned addressSpace = 0) {
    return mlir::LLVM::LLVMPointerType::get(context(), addressSpace);
  }
  /// The LLVM type of a MIR type in memory and in the kernel ABI. A bool is a byte. A struct has
  /// the layout of C.
  mlir::Type memoryType(mlir::Type type);
  /// The size and alignment of a MIR type in memory, as in C.
  using Layout = abi::Layout;
  Layout layout(mlir::Type type);
  /// The size of an array in shared memory. Values above 2^62 are returned as 2^62.
  uint64_t sharedBytes(mir::SharedOp op);
  /// The declaration of an external function. The first call creates it.
  mlir::LLVM::LLVMFuncOp declare(mlir::OpBuilder &builder, llvm::StringRef name, mlir::Type result,
                                 mlir::TypeRange parameters);

private:
  // Caches, because modules and structs may be very large.
  llvm::DenseMap<mlir::Type, mlir::Type> memoryTypes; ///< of structs
  llvm::DenseMap<mlir::Type, Layout> layouts;         ///< of structs
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> declared;
};

/// A pattern with access to the Lowering.
template <class Op> class Pattern : public mlir::ConvertOpToLLVMPattern<Op> {
public:
  explicit Pattern(Lowering &lowering)
      : mlir::ConvertOpToLLVMPattern<Op>(lowering.types), lowering(lowering) {}

protected:
  Lowering &lowering;
};

//===-- The patterns, by the file that defines them --===//

void addFunctionPatterns(Lowering &lowering);
void addMemoryPatterns(Lowering &lowering);
void addLanePatterns(Lowering &lowering);
void addAtomicPatterns(Lowering &lowering);
void addViewPatterns(Lowering &lowering);
void addStoragePatterns(Lowering &lowering);
void addVectorPatterns(Lowering &lowering);
void addSharedPatterns(Lowering &lowering);
void addCheckPatterns(Lowering &lowering);
void addTracePatterns(Lowering &lowering);
void addIntrinsicPatterns(Lowering &lowering);
void addConversionPatterns(Lowering &lowering);

//===-- Functions that several patterns share --===//

/// The address of slice[indices], in row-major order. slice holds the address and the extents. With
/// fewer indices than axes, it is the address of the first element of that row.
mlir::Value elementAddress(mlir::Location loc, mlir::ValueRange slice, mlir::ValueRange indices,
                           mlir::Type element, mlir::OpBuilder &builder);
/// LLVM's name of an atomic update. For floats only Add.
mlir::LLVM::AtomicBinOp atomicBinOp(mir::AtomicKind kind, mlir::Type type, bool isUnsigned);
/// The values of operands that have one value each.
llvm::SmallVector<mlir::Value> single(llvm::ArrayRef<mlir::ValueRange> values);

/// The line that a location leads back to; of code that was inlined, its line in the callee. Null
/// where there is none.
mlir::FileLineColLoc sourceLine(mlir::Location loc);

mlir::Value i64Constant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);

/// Marks the kernels whose work-items can observe writes of other work-items: those with barriers,
/// fences or atomics.
void markWatchedKernels(mlir::ModuleOp module);
constexpr llvm::StringLiteral watchedAttr = "spl.watched";

/// The minimum alignment of shared arrays, which is enough for the widest access.
constexpr uint64_t sharedAlignment = 16;
/// Reports an error for a kernel whose shared arrays exceed maxSharedBytes (spl/abi/Limits.h).
llvm::LogicalResult checkSharedMemory(Lowering &lowering);
/// Reports an error for a kernel whose local memory exceeds maxLocalBytes (spl/abi/Limits.h).
llvm::LogicalResult checkLocalMemory(Lowering &lowering);
/// Sets an attribute of constant data from which TargetHooks::constantMemory follows.
void placeConstants(Lowering &lowering);

//===-- Functions for the targets' lowering of kernels --===//

/// Creates the llvm.func of a kernel, and moves the body into it. Its parameters are those of the
/// ABI, with slices in \p addressSpace, followed by the hidden ones. The caller must erase the
/// kernel.
mlir::LLVM::LLVMFuncOp lowerKernel(mir::KernelOp kernel, llvm::StringRef name,
                                   unsigned addressSpace, mlir::TypeRange hidden,
                                   Lowering &lowering, mlir::ConversionPatternRewriter &rewriter);
/// One parameter of a kernel's ABI. A struct is passed in memory: its parameter of the llvm.func is
/// a pointer.
struct AbiParameter {
  mlir::Type type;
  mlir::DictionaryAttr attributes;
  Lowering::Layout layout;  ///< of the value
  mlir::Type inMemory = {}; ///< the type that the pointer points to, or null
  size_t elementBytes = 0;  ///< of the address of a slice: the size of an element
};
llvm::SmallVector<AbiParameter> abiParameters(mir::KernelOp kernel, unsigned addressSpace,
                                              Lowering &lowering);

} // namespace spl::codegen
