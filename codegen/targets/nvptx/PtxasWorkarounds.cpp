// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/PtxasWorkarounds.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <tuple>

using namespace llvm;

// The rewrites change text, because LLVM creates such instructions as late as in instruction
// selection.

namespace spl::codegen {
namespace {

/// An instruction such as "max.s16 %rs3, %rs1, 7;": the name is "max", the type "s16".
struct Instruction {
  StringRef name, type;
  SmallVector<StringRef, 3> operands; ///< the result first
};

/// Whether ptxas miscompiles instructions of this name and type.
bool isMiscompiled(StringRef name, StringRef type) {
  if (name == "abs")
    return type.starts_with("s");
  return (type == "s16" || type == "u16") && is_contained({"min", "max", "neg", "sub"}, name);
}

/// The instruction in the line, if ptxas miscompiles it.
std::optional<Instruction> parseMiscompiled(StringRef line) {
  Instruction found;
  StringRef operands;
  std::tie(found.name, operands) = getToken(line);
  std::tie(found.name, found.type) = found.name.split('.');
  if (!isMiscompiled(found.name, found.type) || !operands.consume_back(";"))
    return std::nullopt;
  operands.split(found.operands, ',');
  for (StringRef &operand : found.operands)
    operand = operand.trim();
  return found;
}

/// Computes some operations of 16 bits in 32 bits, for two errors of ptxas:
/// - For sm_90 and newer, it merges the minimum or maximum of two 16-bit integers with a comparison
///   of the result with one of the two: VIMNMX.S16x2 R0, P0, P0, ... The instruction compares both
///   halves of its registers and writes both results to the one predicate, so that the predicate
///   depends on the upper halves, which are undefined.
/// - It negates the value extended to 32 bits, and takes the result as extended from 16 bits. For
///   -32768 that is 32768, so that signed comparisons, shifts and casts are wrong. It also makes a
///   negation of a difference from 0.
void widen(const Instruction &narrow, raw_ostream &out) {
  const bool isSigned = narrow.type == "s16";
  const StringRef wide = isSigned ? "s32" : "u32";
  out << "\t{\n"
         "\t.reg .b32 \t%wide<2>;\n";
  std::string values;
  for (auto [number, operand] : enumerate(drop_begin(narrow.operands))) {
    const std::string name = "%wide" + std::to_string(number);
    values += ", " + name;
    int value = 0;
    if (operand.getAsInteger(10, value)) // a register
      out << formatv("\tcvt.{0}.{1} \t{2}, {3};\n", wide, narrow.type, name, operand);
    else
      out << formatv("\tmov.b32 \t{0}, {1};\n", name,
                     isSigned ? int(int16_t(value)) : value & 0xffff);
  }
  out << formatv("\t{0}.{1} \t%wide0{2};\n"
                 "\tcvt.u16.u32 \t{3}, %wide0;\n"
                 "\t}\n",
                 narrow.name, wide, values, narrow.operands[0]);
}

/// ptxas assumes that the result of abs is not negative. For the least integer it is that integer,
/// which is negative, and a remainder of it got the wrong sign.
void expandAbs(const Instruction &abs, raw_ostream &out) {
  // In each, {0} is the result and {1} the operand.
  constexpr const char *of16 = "\t{{\n"
                               "\t.reg .b32 \t%wide<2>;\n"
                               "\tcvt.s32.s16 \t%wide0, {1};\n"
                               "\tneg.s32 \t%wide1, %wide0;\n"
                               "\tmax.s32 \t%wide0, %wide0, %wide1;\n"
                               "\tcvt.u16.u32 \t{0}, %wide0;\n"
                               "\t}\n";
  constexpr const char *of32 = "\t{{\n"
                               "\t.reg .b32 \t%negated;\n"
                               "\tneg.s32 \t%negated, {1};\n"
                               "\tmax.s32 \t{0}, {1}, %negated;\n"
                               "\t}\n";
  constexpr const char *of64 = "\t{{\n"
                               "\t.reg .b64 \t%negated;\n"
                               "\t.reg .pred \t%isNegative;\n"
                               "\tneg.s64 \t%negated, {1};\n"
                               "\tsetp.lt.s64 \t%isNegative, {1}, 0;\n"
                               "\tselp.b64 \t{0}, %negated, {1}, %isNegative;\n"
                               "\t}\n";
  out << formatv(abs.type == "s16"   ? of16
                 : abs.type == "s32" ? of32
                                     : of64,
                 abs.operands[0], abs.operands[1]);
}

} // namespace

std::string workAroundPtxas(StringRef ptx) {
  std::string text;
  raw_string_ostream out(text);
  StringRef unchanged = ptx, rest = ptx; // from the line after the last rewrite, and from this line
  while (!rest.empty()) {
    const auto [line, next] = rest.split('\n');
    if (const std::optional<Instruction> instruction = parseMiscompiled(line)) {
      out << unchanged.drop_back(rest.size());
      instruction->name == "abs" ? expandAbs(*instruction, out) : widen(*instruction, out);
      unchanged = next;
    }
    rest = next;
  }
  out << unchanged;
  return text;
}

} // namespace spl::codegen
