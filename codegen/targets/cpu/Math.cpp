// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Math.h"
#include "codegen/OwnMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace spl::codegen {
namespace {

/// A function of SLEEF, and the error in its name, in tenths of an ulp. Functions that are not in
/// the table are those of libm. SLEEF's fmod is not in it, because it is not exact.
struct Known {
  StringLiteral name, error;
  bool overflowsEarly = false; ///< for f64, returns infinity for some finite results
};
constexpr Known knownFunctions[] = {
    {"sin", "u10"},   {"cos", "u10"},       {"tan", "u10"},    {"asin", "u10"},
    {"acos", "u10"},  {"atan", "u10"},      {"atan2", "u10"},  {"tanh", "u10"},
    {"atanh", "u10"}, {"exp", "u10", true}, {"exp2", "u10"},   {"exp10", "u10"},
    {"expm1", "u10"}, {"log", "u10"},       {"log2", "u10"},   {"log10", "u10"},
    {"log1p", "u10"}, {"pow", "u10", true}, {"cbrt", "u10"},   {"hypot", "u05"},
    {"erf", "u10"},   {"erfc", "u15"},      {"tgamma", "u10"}, {"lgamma", "u10"},
};

/// The prefix of a function that corrects one that overflows early. Its body is added after
/// optimisation, because LLVM would otherwise change its parameters.
constexpr StringLiteral repairedPrefix = "spl.";
bool isRepaired(const Function &function) { return function.getName().starts_with("spl.Sleef_"); }
/// The prefix of the masked variant of a function of vectors.
constexpr StringLiteral maskedPrefix = "spl.masked.";

const Known *known(StringRef name) {
  const Known *found = find_if(knownFunctions, [&](const Known &row) { return row.name == name; });
  return found == std::end(knownFunctions) ? nullptr : found;
}

/// The variants of a function for vectors. The masked variant ignores its mask, because these
/// functions have no side effects and may be computed in unused lanes. It is inlined after
/// vectorisation.
struct VectorFunctions {
  Function *plain, *masked;
};

VectorFunctions declareVariants(Function &scalar, StringRef symbol, unsigned lanes) {
  Module &module = *scalar.getParent();
  Type *vector = FixedVectorType::get(scalar.getReturnType(), lanes);
  Type *mask = FixedVectorType::get(Type::getInt1Ty(module.getContext()), lanes);
  SmallVector<Type *, 3> parameters(scalar.arg_size(), vector);
  auto *type = FunctionType::get(vector, parameters, false);
  auto *plain = cast<Function>(module.getOrInsertFunction(symbol, type).getCallee());
  plain->copyAttributesFrom(&scalar);

  parameters.push_back(mask);
  auto *masked = Function::Create(FunctionType::get(vector, parameters, false),
                                  GlobalValue::InternalLinkage, maskedPrefix + symbol, module);
  masked->copyAttributesFrom(&scalar);
  masked->setLinkage(GlobalValue::InternalLinkage);
  masked->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", masked));
  SmallVector<Value *, 3> arguments(make_pointer_range(drop_end(masked->args())));
  builder.CreateRet(builder.CreateCall(plain, arguments));
  return {plain, masked};
}

/// Adds the body of a function that corrects early overflow. It returns the result of SLEEF. If
/// that is infinite, it returns the square of the result for half the exponent.
void defineRepaired(Function &function) {
  Module &module = *function.getParent();
  FunctionCallee sleef = module.getOrInsertFunction(
      function.getName().drop_front(repairedPrefix.size()), function.getFunctionType());
  cast<Function>(sleef.getCallee())->copyAttributesFrom(&function);
  function.setLinkage(GlobalValue::InternalLinkage);
  // With --lineinfo the declaration has a DISubprogram, but the calls in the body have no
  // locations.
  function.setSubprogram(nullptr);

  LLVMContext &context = module.getContext();
  Type *type = function.getReturnType();
  IRBuilder<> builder(BasicBlock::Create(context, "", &function));
  SmallVector<Value *, 2> arguments(make_pointer_range(function.args()));
  Value *whole = builder.CreateCall(sleef, arguments);
  Value *isInfinite = builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::fabs, whole),
                                            ConstantFP::getInfinity(type));
  Value *isAny = type->isVectorTy() ? builder.CreateOrReduce(isInfinite) : isInfinite;
  BasicBlock *first = builder.GetInsertBlock();
  BasicBlock *repair = BasicBlock::Create(context, "", &function);
  BasicBlock *end = BasicBlock::Create(context, "", &function);
  builder.CreateCondBr(isAny, repair, end, MDBuilder(context).createUnlikelyBranchWeights());

  builder.SetInsertPoint(repair);
  Value *exponent = arguments.back();
  arguments.back() = builder.CreateFMul(exponent, ConstantFP::get(type, 0.5));
  Value *isExactHalf = builder.CreateFCmpOEQ( // false if the half is subnormal
      builder.CreateFAdd(arguments.back(), arguments.back()), exponent);
  if (arguments.size() == 2) // the base
    arguments.front() = builder.CreateUnaryIntrinsic(Intrinsic::fabs, arguments.front());
  Value *root = builder.CreateCall(sleef, arguments);
  Value *square =
      builder.CreateBinaryIntrinsic(Intrinsic::copysign, builder.CreateFMul(root, root), whole);
  Value *repaired = builder.CreateSelect(builder.CreateAnd(isInfinite, isExactHalf), square, whole);
  builder.CreateBr(end);

  builder.SetInsertPoint(end);
  PHINode *result = builder.CreatePHI(type, 2);
  result->addIncoming(whole, first);
  result->addIncoming(repaired, repair);
  builder.CreateRet(result);
}

} // namespace

CpuMath::CpuMath(const MachineKey &machine) {
  const Triple triple(machine.triple);
  if (triple.isAArch64()) {
    hasOwn = true;
    widths.push_back({128, ""});
  }
  if (!triple.isX86() || !triple.isArch64Bit())
    return;
  const bool hasAvx2 = hasFeature(machine, "avx2") && hasFeature(machine, "fma");
  if (!hasAvx2) {
    prefix = "Sleef_cinz_", scalarSuffix = "purec";
    if (hasFeature(machine, "avx"))
      widths.push_back({256, "avx"});
    widths.push_back({128, "sse2"});
    return;
  }
  hasOwn = true;
  prefix = "Sleef_finz_", scalarSuffix = "purecfma";
  if (hasFeature(machine, "avx512f"))
    widths.push_back({512, "avx512f"});
  widths.push_back({256, "avx2"});
  widths.push_back({128, "avx2128"});
}

// A name of SLEEF, such as Sleef_finz_sinf8_u10avx2, has the function, the type (f or d), the
// lanes, the error and the instruction set.
CpuMath::Function CpuMath::find(StringRef name, bool isDouble, unsigned lanes) const {
  const Known *row = prefix.empty() ? nullptr : known(name);
  const bool isOwn = hasOwn && isOwnMath(name);
  if (!row && !isOwn)
    return {(name + (isDouble ? "" : "f")).str(), 1};
  const unsigned bits = isDouble ? 64 : 32;
  // The narrowest vector that holds the lanes, or the widest one if none does.
  const Width *width = nullptr;
  if (lanes > 1)
    for (const Width &candidate : widths)
      if (!width || candidate.bits >= lanes * bits)
        width = &candidate;
  const unsigned taken = width ? width->bits / bits : 1;
  if (isOwn)
    return {ownMathSymbol(name, isDouble, taken), taken};
  return {((row->overflowsEarly && isDouble ? repairedPrefix : "") + prefix + name +
           (isDouble ? "d" : "f") + Twine(taken) + "_" + row->error +
           (width ? width->suffix : scalarSuffix))
              .str(),
          taken};
}

void CpuMath::addVectorVariants(Module &module) const {
  SmallVector<GlobalValue *> kept;
  SmallVector<StringRef> names(
      map_range(knownFunctions, [](const Known &row) { return row.name; }));
  for (StringRef name : ownMathFunctions())
    if (!known(name))
      names.push_back(name);
  for (StringRef name : names)
    for (bool isDouble : {false, true}) {
      llvm::Function *scalar = module.getFunction(find(name, isDouble, 1).symbol);
      if (!scalar || find(name, isDouble, 2).lanes == 1) // not used, or not of vectors
        continue;
      SmallVector<std::string, 6> variants;
      for (const Width &width : widths) {
        const unsigned lanes = width.bits / (isDouble ? 64 : 32);
        auto [plain, masked] = declareVariants(*scalar, find(name, isDouble, lanes).symbol, lanes);
        for (auto [variant, letter] : {std::pair(plain, "N"), std::pair(masked, "M")}) {
          kept.push_back(variant);
          variants.push_back(("_ZGV_LLVM_" + Twine(letter) + Twine(lanes) +
                              std::string(scalar->arg_size(), 'v') + "_" + scalar->getName() + "(" +
                              variant->getName() + ")")
                                 .str());
        }
      }
      for (User *user : scalar->users())
        if (auto *call = dyn_cast<CallInst>(user))
          VFABI::setVectorVariantNames(call, variants);
    }
  appendToCompilerUsed(module, kept);
}

/// Links the project's own functions and inlines them. This is done after vectorisation, which
/// replaces calls of scalar functions by calls of vector functions.
static Error inlineOwnMath(Module &module) {
  if (Error error = linkOwnMath(module))
    return error;
  for (llvm::Function &function : make_early_inc_range(module)) {
    if (!isLinkedOwnMath(function) || function.isDeclaration())
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      for (StringRef attribute : {"target-cpu", "target-features"})
        function.addFnAttr(call->getFunction()->getFnAttribute(attribute));
      InlineFunctionInfo info;
      if (function.hasFnAttribute(Attribute::AlwaysInline))
        InlineFunction(*call, info);
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
  return Error::success();
}

void CpuMath::complete(Module &module) {
  removeFromUsedLists(module, [](Constant *value) { return isa<llvm::Function>(value); });
  // Removes the masked variants first, because they call the others.
  for (bool isDeclaration : {false, true})
    for (llvm::Function &function : make_early_inc_range(module)) {
      function.removeDeadConstantUsers();
      const bool isOurs = isDeclaration || function.getName().starts_with(maskedPrefix);
      if (function.isDeclaration() == isDeclaration && isOurs && function.use_empty())
        function.eraseFromParent();
    }
  for (llvm::Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && isRepaired(function))
      defineRepaired(function);
  cantFail(inlineOwnMath(module)); // the bitcode is part of the compiler
}

} // namespace spl::codegen
