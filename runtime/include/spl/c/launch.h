/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The geometry and the arguments of a launch.
 *
 * All arguments are checked before the kernel starts: SPL_INVALID_ARGUMENT names the parameter and
 * both types, SPL_OVERLAPPING_ARGUMENTS both parameters, SPL_LAUNCH_REFUSED the limit.
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

  /** Work-items along each axis. Rounded up to whole groups, so work-items may have ids beyond it.
   * A launch with an extent of 0 succeeds and runs nothing. */
  int64_t global[3];

  /** Work-items of one group along each axis. All 0: 256, 16 x 16 or 8 x 8 x 4, by the axes. */
  int64_t local[3];

  /** Shared memory beyond what the kernel declares, in bytes. */
  int64_t shared_bytes;

  /** How long the kernel may run, in milliseconds from its start in the stream; 0 is no limit. A
   * kernel that runs longer ends with SPL_KERNEL_FAULT in the loop that it executes; its stores up
   * to then remain. Only the CPU can end a kernel, and the kernel must be interruptible
   * (spl_jit_options). Other launches with a limit fail with SPL_UNSUPPORTED_ON_TARGET. */
  int64_t time_limit_ms;
} spl_launch_config;

/**
 * One argument of a launch: an array, {.array = a}, or a value, {.type = "f32", .value = &alpha}.
 * It is for the parameter with its name, or without a name for the parameter at its position.
 * Either all arguments of a launch have names or none has.
 */
typedef struct spl_argument {
  const char *name;  /**< the parameter's; null for the one at this position */
  spl_array array;   /**< an array; 0 for a value */
  int32_t read_only; /**< other than 0: no &mut parameter may take the array */
  const char *type;  /**< of a value: its type, as of array elements; null for an array */
  const void *value; /**< its bytes, which are copied */
} spl_argument;

/**
 * Runs a kernel over config's work-items with count arguments. A value must have exactly the
 * parameter's type; for a struct the same fields, or its size and alignment as "bytes(32, 16)"; for
 * an enum "i32". On the CPU the kernel has finished when this returns, and this fails with
 * SPL_KERNEL_FAULT. On a GPU it may still be running; a sync or the next transfer fails.
 */
spl_status spl_launch(spl_context context, spl_kernel kernel, const spl_launch_config *config,
                      const spl_argument *arguments, size_t count);

/** As spl_launch, in a stream: returns before the kernel has run, on every backend. */
spl_status spl_launch_async(spl_context context, spl_stream stream, spl_kernel kernel,
                            const spl_launch_config *config, const spl_argument *arguments,
                            size_t count);

/**
 * Writes to condition the first condition of the kernel's launch contract that such a launch does
 * not meet. Because of it the launch runs with all checks. "" if the launch meets all conditions,
 * if there is no contract, and for a launch without work-items. Checks the arguments as spl_launch
 * does, and launches nothing. The text is valid as long as the kernel's handle.
 */
spl_status spl_launch_unmet_condition(spl_context context, spl_kernel kernel,
                                      const spl_launch_config *config,
                                      const spl_argument *arguments, size_t count,
                                      const char **condition);

#ifdef __cplusplus
}
#endif

#endif
