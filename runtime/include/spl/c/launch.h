/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The geometry and the arguments of a launch.
 *
 * All arguments are checked before the kernel starts. A launch fails with
 *
 * - SPL_INVALID_ARGUMENT for an argument that does not fit its parameter; the message names the
 *   parameter and both types
 * - SPL_OVERLAPPING_ARGUMENTS for two arguments that share memory; the message names both
 *   parameters
 * - SPL_LAUNCH_REFUSED for a geometry beyond the device's limits; the message names the limit
 */
#ifndef SPL_C_LAUNCH_H
#define SPL_C_LAUNCH_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The geometry of a launch: {.axes = 1, .global = {n}, .local = {256}}. */
typedef struct spl_launch_config {
  int32_t axes; /**< the number of extents that are set in global and local, x first: 1 to 3 */

  /** The number of work-items along each axis. Each extent is rounded up to whole groups, so some
   * work-items have ids beyond it. A launch with an extent of 0 succeeds and runs nothing. */
  int64_t global[3];

  /** The number of work-items of a group along each axis. If all are 0, it is 256, 16 x 16 or 8 x
   * 8 x 4 for one, two or three axes. */
  int64_t local[3];

  /** Bytes of shared memory in addition to what the kernel declares. */
  int64_t shared_bytes;

  /** How long the kernel may run, in milliseconds from its start in the stream. 0 means no limit.
   * A kernel that runs longer ends in the loop that it executes, with SPL_KERNEL_FAULT. Its
   * earlier stores remain. Only the CPU can end a kernel, and the kernel must be interruptible
   * (spl_jit_options). Other launches with a limit fail with SPL_UNSUPPORTED_ON_TARGET. */
  int64_t time_limit_ms;
} spl_launch_config;

/**
 * One argument of a launch: an array, {.array = a}, or a value, {.type = "f32", .value = &alpha}.
 * An argument with a name is for the parameter of that name. An argument without a name is for the
 * parameter at its position. Either all arguments of a launch have names or none has. A parameter
 * with slices in it is one parameter for each of its parts, in their order, with names such as
 * "grid.cells" and "rows[0]".
 */
typedef struct spl_argument {
  const char *name;  /**< the parameter's name; null for the parameter at this position */
  spl_array array;   /**< an array; 0 for a value */
  int32_t read_only; /**< other than 0: the array cannot be the argument of a &mut parameter */
  const char *type;  /**< the value's type, as of array elements; null for an array */
  const void *value; /**< the value's bytes, which the call copies */
} spl_argument;

/**
 * Runs a kernel over config's work-items with count arguments. A value must have exactly the
 * parameter's type. A struct's type may also be its size and alignment, "bytes(32, 16)". An enum's
 * type may also be "i32". On the CPU the kernel has finished when this returns, and this function
 * fails with SPL_KERNEL_FAULT for a failed check. On a GPU the kernel may still be running, and a
 * sync or the next transfer fails instead.
 */
spl_status spl_launch(spl_context context, spl_kernel kernel, const spl_launch_config *config,
                      const spl_argument *arguments, size_t count);

/** As spl_launch, in a stream. Returns before the kernel has run, on every backend. */
spl_status spl_launch_async(spl_context context, spl_stream stream, spl_kernel kernel,
                            const spl_launch_config *config, const spl_argument *arguments,
                            size_t count);

/**
 * Writes to condition the first condition of the kernel's launch contract that a launch with these
 * arguments does not meet. Such a launch runs with some or all of the lifted checks. Writes "" if
 * the launch meets all conditions, if there is no contract, or if there are no work-items. Checks
 * the arguments as spl_launch does, but launches nothing. The text is valid as long as the kernel's
 * handle.
 */
spl_status spl_launch_unmet_condition(spl_context context, spl_kernel kernel,
                                      const spl_launch_config *config,
                                      const spl_argument *arguments, size_t count,
                                      const char **condition);

#ifdef __cplusplus
}
#endif

#endif
