// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/ForeignFunctions.h"

#include "frontend/syntax/SyntaxHints.h"
#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace spl::sema {

/// The type of this language in the name of a function of CUDA or OpenCL, or an empty text.
static StringRef typeInName(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"float", "f32"}, "f32")
      .Case("double", "f64")
      .Case("half", "f16")
      .Case("bfloat16", "bf16")
      .Case("int", "i32")
      .Case("uint", "u32")
      .Cases({"ll", "longlong", "long"}, "i64")
      .Cases({"ull", "ulonglong", "ulong"}, "u64")
      .Case("short", "i16")
      .Case("ushort", "u16")
      .Case("char", "i8")
      .Case("uchar", "u8")
      .Default({});
}

/// Hints for conversions: '__float2int_rn', 'convert_int_sat', '__float_as_int' and 'as_int'.
static std::string hintForConversion(StringRef name, ArrayRef<StringRef> operands) {
  if (name.consume_front("as_") && !typeInName(name).empty())
    return syntax::withOperands(("write 'math.bitcast[" + typeInName(name) + "](<0:x>)'").str(),
                                operands);
  if (name.consume_front("convert_") && !typeInName(name.split('_').first).empty())
    return syntax::withOperands(
        ("write '<0!x> as " + typeInName(name.split('_').first) + "'").str(), operands);
  if (!name.consume_front("__"))
    return {};
  if (auto [from, to] = name.split("_as_"); !typeInName(from).empty() && !typeInName(to).empty())
    return syntax::withOperands(("write 'math.bitcast[" + typeInName(to) + "](<0:x>)'").str(),
                                operands);
  const auto [from, rest] = name.split('2');
  const auto [to, mode] = rest.split('_');
  const StringRef source = typeInName(from), target = typeInName(to);
  if (source.empty() || target.empty())
    return {};
  const bool isToInteger = source.contains('f') && !target.contains('f');
  const StringRef rounding = !isToInteger   ? StringRef()
                             : mode == "rn" ? "math.rint"
                             : mode == "ru" ? "math.ceil"
                             : mode == "rd" ? "math.floor"
                                            : StringRef();
  const std::string operand = rounding.empty() ? "<0!x>" : (rounding + "(<0:x>)").str();
  return syntax::withOperands("write '" + operand + " as " + target.str() + "'", operands);
}

/// Hints for functions of C's math library, also in single precision and in fast variants: 'sinf',
/// '__sinf', 'native_sin' and 'half_sin'.
static std::string hintForMath(StringRef name, ArrayRef<StringRef> operands) {
  auto exists = [](const llvm::Twine &path) { return intrinsics::find(path.str()) != nullptr; };
  const bool isFast = name.consume_front("__") || name.consume_front("native_");
  if (!isFast)
    name.consume_front("half_");
  for (StringRef function : {name, name.ends_with("f") ? name.drop_back() : name}) {
    const bool hasFast = isFast && exists("math.fast." + function);
    if (!hasFast && !exists("math." + function))
      continue;
    std::string path = ((hasFast ? "math.fast." : "math.") + function).str();
    static constexpr StringRef lists[] = {"(<0:x>)", "(<0:x>)", "(<0:x>, <1:y>)",
                                          "(<0:x>, <1:y>, <2:z>)"};
    return syntax::withOperands(
        "write '" + path + lists[std::min<size_t>(operands.size(), 3)].str() + "'", operands);
  }
  return {};
}

/// Hints for the operations of CUDA on bytes and halves in one word: '__vadd2', '__vcmpeq4'.
static std::string hintForPacked(StringRef name) {
  const bool isPacked = name.size() > 4 && (name.ends_with("2") || name.ends_with("4")) &&
                        (name.starts_with("__v") || name.starts_with("__viadd") ||
                         name.starts_with("__vimax") || name.starts_with("__vimin"));
  return isPacked ? "there are no operations on parts of a word; use vectors such as 'i8x4'" : "";
}

/// Adds the width of CUDA's shuffles, which is the fourth operand, to a hint that ends in ")'".
static void addWidth(std::string &hint, StringRef name, ArrayRef<StringRef> operands) {
  const bool hasWidth = name.starts_with("__shfl_") && name.ends_with("sync") &&
                        operands.size() == 4 && operands[3] != "32" && operands[3] != "warpSize";
  if (hasWidth && StringRef(hint).ends_with(")'"))
    hint.insert(hint.size() - 2, ", width: " + operands[3].str());
}

std::string foreignFunctionHint(StringRef name, ArrayRef<StringRef> operands) {
  std::string hint = syntax::hintForName(syntax::Foreign::Function, name, operands);
  addWidth(hint, name, operands);
  if (hint.empty())
    hint = hintForConversion(name, operands);
  if (hint.empty())
    hint = hintForMath(name, operands);
  return hint.empty() ? hintForPacked(name) : hint;
}

} // namespace spl::sema
