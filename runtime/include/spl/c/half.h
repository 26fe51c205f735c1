/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The bits of the language's 16-bit floats, which C has no types for. Nothing here fails.
 */
#ifndef SPL_C_HALF_H
#define SPL_C_HALF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Answers the bits of the f16 (IEEE 754 binary16) nearest to value, of two as near the even one;
 * beyond the largest infinity. A float is exact as a double.
 */
uint16_t spl_f16_from(double value);

/** Answers the value of an f16. */
float spl_f16_to_float(uint16_t bits);

/** Answers the bits of the bf16 (the upper half of a binary32) nearest to value, as spl_f16_from.
 */
uint16_t spl_bf16_from(double value);

/** Answers the value of a bf16. */
float spl_bf16_to_float(uint16_t bits);

#ifdef __cplusplus
}
#endif

#endif
