// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/half.h"

#include "spl/Half.h"

extern "C" {

uint16_t spl_f16_from(double value) { return spl::f16(value).bits; }
uint16_t spl_bf16_from(double value) { return spl::bf16(value).bits; }

float spl_f16_to_float(uint16_t bits) {
  spl::f16 value;
  value.bits = bits;
  return static_cast<float>(value);
}

float spl_bf16_to_float(uint16_t bits) {
  spl::bf16 value;
  value.bits = bits;
  return static_cast<float>(value);
}

} // extern "C"
