// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/PtxasWorkarounds.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace spl::codegen {

// For sm_90 and newer, ptxas merges the minimum or maximum of two 16-bit integers with a comparison
// of the result with one of the two: VIMNMX.S16x2 R0, P0, P0, ... The instruction compares both
// halves of its registers and writes both results to the one predicate, so the upper half, which is
// undefined, decides. Extremes of 32 bits are not affected, and neither are those of two lanes.
//
// This is a rewrite of text, because LLVM itself makes such extremes until it selects instructions.
static bool widenExtreme(StringRef line, raw_ostream &out) {
  StringRef rest = line.ltrim();
  const StringRef operation = rest.take_front(3); // min or max
  if ((operation != "min" && operation != "max") || !rest.ends_with(";"))
    return false;
  rest = rest.drop_front(3);
  const bool isSigned = rest.consume_front(".s16 ");
  if (!isSigned && !rest.consume_front(".u16 "))
    return false;
  SmallVector<StringRef, 3> operands; // the result and the two values
  rest.drop_back().split(operands, ',');
  assert(operands.size() == 3 && "an extreme has two operands");
  const StringRef type = isSigned ? "s32" : "u32", narrow = isSigned ? "s16" : "u16";
  out << "\t{\n\t.reg .b32 \t%wide<2>;\n";
  for (unsigned number = 0; number != 2; ++number) {
    const StringRef operand = operands[number + 1].trim();
    int value;
    if (operand.getAsInteger(10, value)) // a register
      out << "\tcvt." << type << '.' << narrow << " \t%wide" << number << ", " << operand << ";\n";
    else
      out << "\tmov.b32 \t%wide" << number << ", "
          << (isSigned ? int(int16_t(value)) : value & 0xffff) << ";\n";
  }
  out << '\t' << operation << '.' << type << " \t%wide0, %wide0, %wide1;\n\tcvt.u16.u32 \t"
      << operands[0].trim() << ", %wide0;\n\t}\n";
  return true;
}

std::string workAroundPtxas(StringRef ptx) {
  std::string text;
  raw_string_ostream out(text);
  while (!ptx.empty()) {
    const auto [line, rest] = ptx.split('\n');
    if (!widenExtreme(line, out)) {
      out << line;
      if (line.size() != ptx.size())
        out << '\n';
    }
    ptx = rest;
  }
  return text;
}

} // namespace spl::codegen
