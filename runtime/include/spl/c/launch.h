/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * How a kernel is launched: its geometry and its arguments.
 *
 * Everything is checked before anything starts: SPL_INVALID_ARGUMENT names the parameter and both
 * types, SPL_OVERLAPPING_ARGUMENTS both parameters, SPL_LAUNCH_REFUSED the limit.
 */
#ifndef SPL_C_LAUNCH_H
#define SPL_C_LAUNCH_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The geometry of a launch: {.axes = 1, .global = {n}, .local = {256}}. */
typedef struct spl_launch_config {
  int32_t axes; /**< 1 to 3: how many of global and local are set, x first */

  /** Work-items along each axis; rounded up to whole groups, so that a kernel can see ids beyond
   * it. A 0 launches nothing and succeeds. */
  int64_t global[3];

  /** Work-items of one group along each axis. All 0: 256, 16 x 16 or 8 x 8 x 4, by the axes. */
  int64_t local[3];

  /** Shared memory beyond what the kernel declares, in bytes. */
  int64_t shared_bytes;

  /** How long the kernel may run, in milliseconds from when its turn comes in its stream; 0 is no
   * limit. A kernel that runs longer ends with SPL_KERNEL_FAULT at the loop it was in; what it had
   * stored stays. Only the CPU can end a kernel, and only one that was compiled to be interruptible
   * (spl_jit_options); other launches with a limit fail with SPL_UNSUPPORTED_ON_TARGET. */
  int64_t time_limit_ms;
} spl_launch_config;

/**
 * One argument of a launch: an array, {.array = a}, or a value, {.type = "f32", .value = &alpha}.
 * With a name it goes to the parameter of that name, without one to the parameter at its position;
 * one launch uses one way or the other.
 */
typedef struct spl_argument {
  const char *name;  /**< the parameter's; null for the one at this position */
  spl_array array;   /**< an array; 0 for a value */
  int32_t read_only; /**< other than 0: no &mut parameter may take the array */
  const char *type;  /**< of a value: its type, as of array elements; null for an array */
  const void *value; /**< its bytes, which are copied */
} spl_argument;

/**
 * Runs a kernel over config's work-items with count arguments. Values must have exactly the
 * parameter's type; for a struct the same fields, or its size and alignment as "bytes(32, 16)"; for
 * an enum "i32". The CPU has finished when this returns, and reports SPL_KERNEL_FAULT from here; a
 * GPU may still be running, and reports from a sync or the next transfer.
 */
spl_status spl_launch(spl_context context, spl_kernel kernel, const spl_launch_config *config,
                      const spl_argument *arguments, size_t count);

/** As spl_launch, in a stream: returns before the kernel has run, on every backend. */
spl_status spl_launch_async(spl_context context, spl_stream stream, spl_kernel kernel,
                            const spl_launch_config *config, const spl_argument *arguments,
                            size_t count);

/**
 * Writes to condition why such a launch runs with all checks: the first condition of the kernel's
 * launch contract that it does not meet; "" if it meets all, where there is no contract and for
 * launches without work-items. Fails as spl_launch does for its arguments, and launches nothing.
 * The text lasts as long as the kernel's handle.
 */
spl_status spl_launch_unmet_condition(spl_context context, spl_kernel kernel,
                                      const spl_launch_config *config,
                                      const spl_argument *arguments, size_t count,
                                      const char **condition);

#ifdef __cplusplus
}
#endif

#endif
