/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The bits of the language's 16-bit floats, for which C has no types. No function here fails.
 */
#ifndef SPL_C_HALF_H
#define SPL_C_HALF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the bits of the f16 (IEEE 754 binary16) nearest to value, ties to even. Values beyond the
 * range become infinity.
 */
uint16_t spl_f16_from(double value);

/** Returns the value of an f16. */
float spl_f16_to_float(uint16_t bits);

/** As spl_f16_from, for bf16, which is the upper half of a binary32. */
uint16_t spl_bf16_from(double value);

/** Returns the value of a bf16. */
float spl_bf16_to_float(uint16_t bits);

#ifdef __cplusplus
}
#endif

#endif
