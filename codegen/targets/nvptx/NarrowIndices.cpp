// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/NarrowIndices.h"
#include "codegen/targets/nvptx/AddressSpaces.h"
#include "codegen/targets/nvptx/LaunchIds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

/// How 64 bits follow from the low 32.
enum class Extension { None, Sign, Zero };

bool isSigned(const ConstantRange &range) {
  return !range.isFullSet() && range.getSignedMin().isSignedIntN(32) &&
         range.getSignedMax().isSignedIntN(32);
}
bool isUnsigned(const ConstantRange &range) { return range.getUnsignedMax().isIntN(32); }

/// The extension of all numbers of these ranges. An extension keeps their order.
Extension extensionOf(ArrayRef<ConstantRange> ranges) {
  return all_of(ranges, isSigned)     ? Extension::Sign
         : all_of(ranges, isUnsigned) ? Extension::Zero
                                      : Extension::None;
}

/// The sizes of the elements of the slices, by the numbers of their parameters.
DenseMap<unsigned, uint64_t> elementSizesOf(const Function &kernel) {
  DenseMap<unsigned, uint64_t> sizes;
  SmallVector<StringRef> entries;
  kernel.getFnAttribute(elementSizesAttr).getValueAsString().split(entries, ',');
  for (StringRef entry : entries) {
    const auto [parameter, bytes] = entry.split(':');
    unsigned number;
    uint64_t size;
    if (to_integer(parameter, number) && to_integer(bytes, size))
      sizes[number] = size;
  }
  return sizes;
}

/// Finds what fits in 32 bits.
class Finder {
public:
  Finder(const Function &function, const LoopInfo &loops, ScalarEvolution &evolution,
         LazyValueInfo &ranges)
      : loops(loops), evolution(evolution), ranges(ranges), elementSizes(elementSizesOf(function)) {
  }

  /// The extension of the result of the operation if it follows from the low 32 bits of the
  /// operands; of a comparison, that of its operands.
  Extension extensionFor(Instruction &operation) {
    if (auto *compare = dyn_cast<ICmpInst>(&operation))
      return compare->getOperand(0)->getType()->isIntegerTy(64) &&
                     !isSingleBit(*compare->getOperand(0))
                 ? extensionOfUses({0, 1}, operation)
                 : Extension::None;
    if (!operation.getType()->isIntegerTy(64) || stepAt(operation, &operation))
      return Extension::None;
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Or:
    case Instruction::Xor:
      return extensionOfResult(operation);
    case Instruction::And:
      return isSingleBit(operation) ? Extension::None : extensionOfResult(operation);
    case Instruction::Shl:
      return isSmallShift(operation) ? extensionOfResult(operation) : Extension::None;
    case Instruction::LShr: // of a negative number, the high bits would be others
      return isSmallShift(operation) && isUnsigned(rangeOf(operation.getOperandUse(0)))
                 ? Extension::Zero
                 : Extension::None;
    case Instruction::AShr:
      return isSmallShift(operation) && isSigned(rangeOf(operation.getOperandUse(0)))
                 ? Extension::Sign
                 : Extension::None;
    case Instruction::Select:
      return extensionOfUses({1, 2}, operation);
    case Instruction::Call:
      if (isa<MinMaxIntrinsic>(operation))
        return extensionOfUses({0, 1}, operation);
      return isDifference(operation) && isUnsigned(rangeOf(operation.getOperandUse(0))) &&
                     isUnsigned(rangeOf(operation.getOperandUse(1)))
                 ? Extension::Zero
                 : Extension::None;
    default:
      return Extension::None;
    }
  }

  /// Whether all operands of an operation on integers have this extension.
  bool haveExtension(Instruction &operation, Extension extension) {
    return all_of(operation.operands(), [&](Use &use) {
      const ConstantRange range = rangeOf(use);
      return extension == Extension::Sign ? isSigned(range) : isUnsigned(range);
    });
  }

  /// Whether the index of the address fits, and its extension is one instruction with the product
  /// and the sum of the address. An object has fewer than 2^31 elements: a slice because of the
  /// contract, and other objects because of the sizes of other memories. The index of a step of an
  /// innermost loop stays: the loop then adds the step to the address.
  bool hasNarrowIndex(GetElementPtrInst &address) {
    return address.isInBounds() && address.getAddressSpace() <= largestWideSpace &&
           address.getNumIndices() == 1 && isOfElement(address) &&
           address.getOperand(1)->getType()->isIntegerTy(64) &&
           !isa<Constant, SExtInst>(address.getOperand(1)) && !isSteppedByLoop(address);
  }

private:
  /// Whether the index counts elements of the object, or larger parts of it.
  bool isOfElement(const GetElementPtrInst &address) const {
    const Value *object = getUnderlyingObject(&address);
    if (const auto *slice = dyn_cast<Argument>(object)) {
      const auto size = elementSizes.find(slice->getArgNo());
      const DataLayout &layout = address.getDataLayout();
      return size != elementSizes.end() &&
             layout.getTypeAllocSize(address.getSourceElementType()) >= size->second;
    }
    return isa<AllocaInst, GlobalVariable>(object) &&
           !address.getSourceElementType()->isIntegerTy(8);
  }

  static bool isDifference(const Instruction &operation) {
    const auto *call = dyn_cast<IntrinsicInst>(&operation);
    return call && call->getIntrinsicID() == Intrinsic::usub_sat;
  }

  Extension extensionOfUses(std::pair<unsigned, unsigned> operands, Instruction &operation) {
    return extensionOf({rangeOf(operation.getOperandUse(operands.first)),
                        rangeOf(operation.getOperandUse(operands.second))});
  }
  Extension extensionOfResult(Instruction &operation) {
    return extensionOf(ranges.getConstantRange(&operation, &operation, /*UndefAllowed=*/false));
  }

  ConstantRange rangeOf(Use &use) {
    // LazyValueInfo finds more, but nothing that must pass through a loop.
    const ConstantRange range = computeConstantRange(use.get(), /*ForSigned=*/true);
    return isSigned(range) ? range : ranges.getConstantRangeAtUse(use, /*UndefAllowed=*/false);
  }

  static bool isSmallShift(const Instruction &shift) {
    return match(shift.getOperand(1), m_SpecificInt_ICMP(ICmpInst::ICMP_ULT, APInt(64, 32)));
  }

  /// Tests of single bits keep 64 bits. Of a number of 64 bits, ptxas moves seven of them to
  /// predicates by one instruction.
  static bool isSingleBit(const Value &value) {
    return match(&value, m_And(m_Value(), m_Power2()));
  }

  /// The step of the value in the innermost loop around the place. Null if it changes by different
  /// amounts.
  const SCEV *stepAt(const Instruction &place, Value *value) {
    const Loop *loop = loops.getLoopFor(place.getParent());
    if (!loop || !loop->isInnermost() || !evolution.isSCEVable(value->getType()))
      return nullptr;
    const auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
    return sum && sum->getLoop() == loop && sum->isAffine() ? sum->getOperand(1) : nullptr;
  }

  /// Whether the fewest instructions result if the loop adds a step to the address. That is so for
  /// a constant step, and for several addresses in one object.
  bool isSteppedByLoop(GetElementPtrInst &address) {
    const SCEV *step = stepAt(address, address.getOperand(1));
    if (!step || isa<SCEVConstant>(step))
      return step != nullptr;
    unsigned count = 0;
    const Value *object = getUnderlyingObject(&address);
    for (BasicBlock *block : loops.getLoopFor(address.getParent())->blocks())
      for (Instruction &instruction : *block)
        if (auto *other = dyn_cast<GetElementPtrInst>(&instruction);
            other && other->getNumIndices() == 1 && stepAt(*other, other->getOperand(1))) {
          if (getUnderlyingObject(other) != object)
            return false;
          ++count;
        }
    return count > 1;
  }

  const LoopInfo &loops;
  ScalarEvolution &evolution;
  LazyValueInfo &ranges;
  DenseMap<unsigned, uint64_t> elementSizes; ///< in bytes, by the parameters of slices
};

/// Replaces operations and indices by those of 32 bits.
class Narrowing {
public:
  explicit Narrowing(Function &function) : function(function) {}

  void narrowOperation(Instruction &wide, Extension extension, bool hasNoWrap) {
    IRBuilder<> builder(&wide);
    const bool isSigned = extension == Extension::Sign;
    const auto operand = [&](unsigned number) { return low(wide.getOperand(number)); };
    if (auto *compare = dyn_cast<ICmpInst>(&wide))
      return wide.replaceAllUsesWith(
          builder.CreateICmp(isSigned ? compare->getPredicate() : unsignedPredicate(*compare),
                             operand(0), operand(1)));
    Value *narrow;
    if (auto *call = dyn_cast<IntrinsicInst>(&wide))
      narrow = builder.CreateBinaryIntrinsic(
          isSigned ? call->getIntrinsicID() : unsignedFunction(*call), operand(0), operand(1));
    else if (isa<SelectInst>(wide))
      narrow = builder.CreateSelect(wide.getOperand(0), operand(1), operand(2));
    else
      narrow =
          builder.CreateBinOp(Instruction::BinaryOps(wide.getOpcode()), operand(0), operand(1));
    if (auto *operation = dyn_cast<Instruction>(narrow); operation && hasNoWrap) {
      operation->setHasNoSignedWrap(isSigned);
      operation->setHasNoUnsignedWrap(!isSigned);
    }
    Value *extended = isSigned ? builder.CreateSExt(narrow, wide.getType())
                               : builder.CreateZExt(narrow, wide.getType());
    lows[extended] = narrow;
    wide.replaceAllUsesWith(extended);
  }

  void narrowIndex(GetElementPtrInst &address) {
    IRBuilder<> builder(&address);
    Use &index = address.getOperandUse(1);
    if (!isa<SExtInst>(index)) // narrowOperation may have extended it
      index.set(builder.CreateSExt(low(index), index->getType()));
  }

private:
  // A comparison of numbers below 2^32: in 64 bits none is negative, so that the signed and the
  // unsigned order are the same.
  static ICmpInst::Predicate unsignedPredicate(const ICmpInst &compare) {
    return compare.isSigned() ? compare.getUnsignedPredicate() : compare.getPredicate();
  }
  static Intrinsic::ID unsignedFunction(const IntrinsicInst &call) {
    switch (call.getIntrinsicID()) {
    case Intrinsic::smin:
      return Intrinsic::umin;
    case Intrinsic::smax:
      return Intrinsic::umax;
    default:
      return call.getIntrinsicID();
    }
  }

  /// The low 32 bits of a value of 64 bits.
  Value *low(Value *wide) {
    Type *type = Type::getInt32Ty(wide->getContext());
    Value *source;
    if (match(wide, m_ZExtOrSExt(m_Value(source))) && source->getType() == type)
      return source;
    Value *&narrow = lows[wide];
    if (narrow)
      return narrow;
    IRBuilder<> builder(wide->getContext());
    if (auto *instruction = dyn_cast<Instruction>(wide))
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
      builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
    return narrow = builder.CreateTrunc(wide, type);
  }

  Function &function;
  DenseMap<Value *, Value *> lows;
};

} // namespace

PreservedAnalyses NarrowIndicesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!function.hasFnAttribute(smallSizesAttr))
    return PreservedAnalyses::all();
  narrowGlobalIds(function);

  struct Found {
    Instruction *operation;
    Extension extension;
    bool hasNoWrap;
  };
  SmallVector<Found> operations; // all of them are found before one changes
  SmallVector<GetElementPtrInst *> addresses;
  Finder finder(function, analyses.getResult<LoopAnalysis>(function),
                analyses.getResult<ScalarEvolutionAnalysis>(function),
                analyses.getResult<LazyValueAnalysis>(function));
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &instruction : *block)
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
        if (finder.hasNarrowIndex(*address))
          addresses.push_back(address);
      } else if (const Extension extension = finder.extensionFor(instruction);
                 extension != Extension::None) {
        operations.push_back({&instruction, extension,
                              isa<OverflowingBinaryOperator>(instruction) &&
                                  finder.haveExtension(instruction, extension)});
      }

  Narrowing narrowing(function);
  for (const Found &found : operations)
    narrowing.narrowOperation(*found.operation, found.extension, found.hasNoWrap);
  for (GetElementPtrInst *address : addresses)
    narrowing.narrowIndex(*address);
  for (const Found &found : reverse(operations))
    found.operation->eraseFromParent();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace spl::codegen
