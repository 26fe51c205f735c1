// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the patterns from MIR to the LLVM dialect share: the type converter, the options, and where
// a function's work-item context is. One lives for one run of the pass spl-to-llvm; patterns keep
// references to it.
#pragma once

#include "codegen/Options.h"
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include <memory>

namespace spl::codegen {

/// What differs between targets inside a function's body.
class TargetHooks {
public:
  virtual ~TargetHooks() = default;
  /// Parameters that every internal function has after its own: what it knows of its work-item.
  virtual llvm::SmallVector<mlir::Type> hiddenTypes() { return {}; }
  /// Their values in the function that holds the operation.
  virtual llvm::SmallVector<mlir::Value> hiddenValues(mlir::Operation *op,
                                                      mlir::ConversionPatternRewriter &rewriter) {
    return {};
  }
  /// An intrinsic whose lowering is the target's own way (IntrinsicLowering::Kind::Own). Returns
  /// the operation's result; null for one without.
  virtual mlir::FailureOr<mlir::Value> emitOwn(mir::IntrinsicOp op, mlir::ValueRange operands,
                                               const IntrinsicLowering &how,
                                               mlir::ConversionPatternRewriter &rewriter) = 0;
  /// What a failed check does, at the insertion point; control does not come back from it.
  virtual void emitFault(mir::CheckOp op, mlir::ValueRange details,
                         mlir::ConversionPatternRewriter &rewriter) = 0;
  /// LLVM's name for that scope of an atomic.
  virtual llvm::StringRef syncScope(mir::MemoryScope scope) { return ""; }
  /// The old value of an atomic update that the target has better instructions for than LLVM's
  /// atomicrmw; none where it has not. The kind is not op's where that is made of another one.
  virtual std::optional<mlir::Value> emitAtomic(mir::AtomicOp op, mir::AtomicKind kind,
                                                mlir::Value address, mlir::Value value,
                                                mlir::ConversionPatternRewriter &rewriter) {
    return std::nullopt;
  }
  /// A load with a hint (SplDialect::cacheAttr); null where the target has none. So a store: false.
  virtual mlir::Value emitHintedLoad(mir::LoadOp op, mlir::Type memory, mlir::Value address,
                                     mlir::OpBuilder &builder) {
    return {};
  }
  virtual bool emitHintedStore(mir::StoreOp op, mlir::Value value, mlir::Value address,
                               mlir::OpBuilder &builder) {
    return false;
  }
  /// The address of an array in shared memory: the same for all operations of one name.
  virtual mlir::FailureOr<mlir::Value> sharedArray(mir::SharedOp op,
                                                   mlir::ConversionPatternRewriter &rewriter) = 0;
  /// The launch's dynamic shared memory: where it begins and how many bytes there are.
  struct Bytes {
    mlir::Value address, count;
  };
  virtual mlir::FailureOr<Bytes> dynamicShared(mir::SharedDynOp op,
                                               mlir::ConversionPatternRewriter &rewriter) = 0;
  /// A line of text and values, at the insertion point.
  virtual void emitPrint(mir::PrintOp op, mlir::ValueRange values,
                         mlir::ConversionPatternRewriter &rewriter) = 0;
  struct LibraryFunction {
    std::string symbol;
    unsigned lanes; ///< 1, or those of the vectors that it takes and gives
  };
  /// The math library's function of that C name for the operation's element type, for at most that
  /// many lanes rounded up; reports where there is no library.
  virtual mlir::FailureOr<LibraryFunction>
  libraryFunction(mir::IntrinsicOp op, llvm::StringRef name, unsigned lanes) = 0;
  /// The address space of constant data that ends after so many bytes of it.
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
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, mlir::LLVM::GlobalOp>
      constants;              ///< made so far
  uint64_t constantBytes = 0; ///< that they take
  unsigned printSymbols = 0;  ///< made for lines of print so far

  template <class Pattern> void add() { patterns.add<Pattern>(*this); }

  mlir::MLIRContext *context() { return module.getContext(); }
  mlir::Type i64() { return mlir::IntegerType::get(context(), 64); }
  mlir::Type pointer(unsigned addressSpace = 0) {
    return mlir::LLVM::LLVMPointerType::get(context(), addressSpace);
  }
  /// What a MIR type is in memory and in the kernel ABI: a bool takes a byte, structs are C's.
  mlir::Type memoryType(mlir::Type type);
  /// How much of memory a MIR type takes and where it may begin, as C has it.
  struct Layout {
    uint64_t size, align;
  };
  Layout layout(mlir::Type type);
  /// What an array in shared memory takes, at most 2^62.
  uint64_t sharedBytes(mir::SharedOp op);
  /// Declares a function of another library, once.
  mlir::LLVM::LLVMFuncOp declare(mlir::OpBuilder &builder, llvm::StringRef name, mlir::Type result,
                                 mlir::TypeRange parameters);

private:
  // Remembered: modules and structs may be very large.
  llvm::DenseMap<mlir::Type, mlir::Type> memoryTypes; ///< of structs
  llvm::DenseMap<mlir::Type, Layout> layouts;         ///< of structs
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> declared;
};

/// A pattern that knows its lowering.
template <class Op> class Pattern : public mlir::ConvertOpToLLVMPattern<Op> {
public:
  explicit Pattern(Lowering &lowering)
      : mlir::ConvertOpToLLVMPattern<Op>(lowering.types), lowering(lowering) {}

protected:
  Lowering &lowering;
};

//===-- The families, one file each --===//

void addFunctionPatterns(Lowering &lowering);
void addMemoryPatterns(Lowering &lowering);
void addAtomicPatterns(Lowering &lowering);
void addViewPatterns(Lowering &lowering);
void addStoragePatterns(Lowering &lowering);
void addVectorPatterns(Lowering &lowering);
void addSharedPatterns(Lowering &lowering);
void addCheckPatterns(Lowering &lowering);
void addIntrinsicPatterns(Lowering &lowering);
void addConversionPatterns(Lowering &lowering);

//===-- What the families share --===//

/// The address of slice[indices], row-major, of a slice's parts; fewer indices than axes give the
/// row's.
mlir::Value elementAddress(mlir::Location loc, mlir::ValueRange slice, mlir::ValueRange indices,
                           mlir::Type element, mlir::OpBuilder &builder);
/// The values of operands that each became one.
llvm::SmallVector<mlir::Value> single(llvm::ArrayRef<mlir::ValueRange> values);

mlir::Value i64Constant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);

/// Marks the kernels whose work-items see what others write while they run: those with barriers,
/// fences or atomics.
void markWatchedKernels(mlir::ModuleOp module);
constexpr llvm::StringLiteral watchedAttr = "spl.watched";

/// How shared arrays are aligned at least, so that the widest access fits.
constexpr uint64_t sharedAlignment = 16;
/// Reports a kernel whose shared arrays take more than maxSharedBytes of intrinsics/Limits.h.
llvm::LogicalResult checkSharedMemory(Lowering &lowering);
/// Reports a kernel whose work-items' own memory takes more than maxLocalBytes.
llvm::LogicalResult checkLocalMemory(Lowering &lowering);

//===-- What targets build their kernels from --===//

/// Makes the llvm.func of a kernel: the ABI's parameters, slices in that address space, then hidden
/// ones; the body moved in. The kernel itself is left for the caller to erase.
mlir::LLVM::LLVMFuncOp lowerKernel(mir::KernelOp kernel, llvm::StringRef name,
                                   unsigned addressSpace, mlir::TypeRange hidden,
                                   Lowering &lowering, mlir::ConversionPatternRewriter &rewriter);
/// One parameter of a kernel's ABI. What is passed in memory, a struct, is a pointer in the
/// llvm.func.
struct AbiParameter {
  mlir::Type type;
  mlir::DictionaryAttr attributes;
  Lowering::Layout layout;  ///< of the value
  mlir::Type inMemory = {}; ///< what the pointer points to, or null
};
llvm::SmallVector<AbiParameter> abiParameters(mir::KernelOp kernel, unsigned addressSpace,
                                              Lowering &lowering);

} // namespace spl::codegen
