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
 * Returns the bits of the f16 (IEEE 754 binary16) nearest to value, ties to even; infinity beyond
 * the range.
 */
uint16_t spl_f16_from(double value);

/** Returns the value of an f16. */
float spl_f16_to_float(uint16_t bits);

/** Returns the bits of the bf16 (the upper half of a binary32) nearest to value, as spl_f16_from.
 */
uint16_t spl_bf16_from(double value);

/** Returns the value of a bf16. */
float spl_bf16_to_float(uint16_t bits);

#ifdef __cplusplus
}
#endif

#endif
