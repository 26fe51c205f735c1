// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/ForeignFunctions.h"

#include "frontend/syntax/SyntaxHints.h"
#include "frontend/syntax/TypeNames.h"
#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/StringExtras.h"
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

/// The vector of this language in a name such as "int4", or the scalar in "int". Empty for others,
/// also for a vector that does not exist.
static std::string vectorInName(StringRef name) {
  StringRef element = name.rtrim("0123456789"), lanes = name.drop_front(element.size());
  StringRef ours = typeInName(element);
  if (ours.empty() || lanes.empty())
    return ours.str();
  std::string vector = (ours + "x" + lanes).str();
  return syntax::isVectorTypeName(vector) ? vector : std::string();
}

/// Hints for CUDA's vectors: 'make_float4'.
static std::string hintForMake(StringRef name, ArrayRef<StringRef> operands) {
  if (!name.consume_front("make_") || typeInName(name.rtrim("1234")).empty())
    return {};
  static constexpr StringRef lists[] = {"<0:a>", "<0:a>, <1:b>", "", "<0:a>, <1:b>, <2:c>, <3:d>"};
  if (name.ends_with("1"))
    return syntax::withOperands("write '<0:a>'", operands);
  if (std::string vector = vectorInName(name); !vector.empty())
    return syntax::withOperands("write '" + vector + "(" + lists[name.back() - '1'].str() + ")'",
                                operands);
  return name.ends_with("3")
             ? "use a vector of four lanes, such as 'f32x4', or a struct of three fields"
             : ("there is no such vector; use an array, such as '[" +
                typeInName(name.rtrim("1234")) + "; 4]'")
                   .str();
}

/// Hints for textures and images: 'tex2DLod', 'surf2Dread' and 'read_imagef'.
static std::string hintForImage(StringRef name) {
  const bool isImage = name.starts_with("read_image") || name.starts_with("write_image") ||
                       name.starts_with("get_image_") || name.starts_with("texCubemap") ||
                       name.starts_with("surfCubemap");
  const bool isTexture = (name.consume_front("tex") || name.consume_front("surf")) &&
                         name.size() > 1 && llvm::isDigit(name[0]) && name[1] == 'D';
  return isImage || isTexture ? "there are no textures; an element of a slice is 'a[i]'" : "";
}

/// Hints for conversions: '__float2int_rn', 'convert_int_sat', '__float_as_int' and 'as_int'.
static std::string hintForConversion(StringRef name, ArrayRef<StringRef> operands) {
  if (name.consume_front("as_") && !vectorInName(name).empty())
    return syntax::withOperands("write 'math.bitcast[" + vectorInName(name) + "](<0:x>)'",
                                operands);
  if (name.consume_front("convert_") && !vectorInName(name.split('_').first).empty())
    return syntax::withOperands("write '<0!x> as " + vectorInName(name.split('_').first) + "'",
                                operands);
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

/// Hints for functions of C's math library, also in other precisions and in fast variants: 'sinf',
/// 'hsin', 'h2sin', '__sinf', 'native_sin' and 'half_sin'.
static std::string hintForMath(StringRef name, ArrayRef<StringRef> operands) {
  auto exists = [](const llvm::Twine &path) { return intrinsics::find(path.str()) != nullptr; };
  const bool isFast = name.consume_front("__") || name.consume_front("native_");
  if (!isFast)
    name.consume_front("half_");
  StringRef ofHalves = name;
  if (!isFast && ofHalves.consume_front("h"))
    ofHalves.consume_front("2");
  for (StringRef function : {name, name.ends_with("f") ? name.drop_back() : name, ofHalves}) {
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
  name.consume_back("_relu");
  const bool isPacked = name.starts_with("__v") && (name.ends_with("2") || name.ends_with("4"));
  return isPacked ? "there are no operations on parts of a word; use vectors such as 'i8x4'" : "";
}

/// Adds the width of CUDA's shuffles, which is the fourth operand, to a hint that ends in ")'".
static void addWidth(std::string &hint, StringRef name, ArrayRef<StringRef> operands) {
  const bool hasWidth = name.starts_with("__shfl_") && name.ends_with("sync") &&
                        operands.size() == 4 && operands[3] != "32" && operands[3] != "warpSize";
  if (hasWidth && StringRef(hint).ends_with(")'"))
    hint.insert(hint.size() - 2, ", width: " + operands[3].str());
}

/// The hint of the tables and of the rule for conversions.
static std::string hintForExact(StringRef name, ArrayRef<StringRef> operands) {
  std::string hint = syntax::hintForName(syntax::Foreign::Function, name, operands);
  addWidth(hint, name, operands);
  return hint.empty() ? hintForConversion(name, operands) : hint;
}

std::string foreignFunctionHint(StringRef name, ArrayRef<StringRef> operands) {
  std::string hint = hintForExact(name, operands);
  if (hint.empty())
    hint = hintForMath(name, operands);
  if (hint.empty())
    hint = hintForMake(name, operands);
  const bool isVector = name.size() > 1 && llvm::isDigit(name.back()) &&
                        !llvm::isDigit(name[name.size() - 2]); // 'float4(a, b, c, d)', not 'int32'
  if (hint.empty() && isVector)
    hint = hintForMake(("make_" + name).str(), operands);
  if (hint.empty())
    hint = hintForImage(name);
  if (hint.empty())
    hint = hintForPacked(name);
  // CUDA's names without their underscores, as in 'math.clzll' and 'gpu.reduce_add'.
  for (StringRef suffix : {"", "_sync"})
    if (hint.empty())
      hint = hintForExact(("__" + name + suffix).str(), operands);
  return hint;
}

} // namespace spl::sema
