// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/generator/Types.h"

namespace spl::generator {

unsigned Type::bits() const {
  constexpr unsigned all[] = {8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64};
  return all[static_cast<int>(scalar)];
}

std::string Type::name() const {
  constexpr const char *all[] = {"i8",  "i16", "i32", "i64",  "u8",  "u16",
                                 "u32", "u64", "f16", "bf16", "f32", "f64"};
  return all[static_cast<int>(scalar)] + (lanes == 1 ? "" : "x" + std::to_string(lanes));
}

std::string literal(Type type, const std::string &digits) {
  const std::string text = digits + type.lane().name();
  return digits[0] == '-' ? "(" + text + ")" : text;
}

} // namespace spl::generator
