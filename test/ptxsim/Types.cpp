// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Types.h"

namespace ptxsim {
namespace {

struct Row {
  std::string_view text;
  unsigned bits;
  Kind kind;
};

constexpr Row rows[] = {
#define TYPE(NAME, TEXT, BITS, KIND) {TEXT, BITS, Kind::KIND},
#include "test/ptxsim/Types.def"
};

const Row &row(Type type) { return rows[static_cast<unsigned>(type)]; }

} // namespace

unsigned bitsOf(Type type) { return row(type).bits; }
Kind kindOf(Type type) { return row(type).kind; }
std::string_view textOf(Type type) { return row(type).text; }

std::optional<Type> typeNamed(std::string_view text) {
  for (unsigned i = 0; i != std::size(rows); ++i)
    if (rows[i].text == text)
      return static_cast<Type>(i);
  return std::nullopt;
}

} // namespace ptxsim
