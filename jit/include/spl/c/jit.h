/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Compiles source text for a context and loads the kernels there. The functions are in libspl-jit.
 * <spl/spl.h> includes this header if it is installed. Several threads may call the functions at
 * once.
 */
#ifndef SPL_C_JIT_H
#define SPL_C_JIT_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to compile. spl_jit_default_options sets the defaults. A program then changes fields. */
typedef struct spl_jit_options {
  int32_t opt_level;  /**< 0 to 3 */
  const char *checks; /**< "all", "none", or kinds: "bounds,division" */
  /** Not 0: also compile the kernels that run if their launch contract holds. */
  int32_t contracts;
  int32_t strict_fp; /**< not 0: no fusion of a * b + c */
  /** Not 0: allow reassociation, approximations and flushing of subnormals. */
  int32_t fast_math;
  int32_t max_registers; /**< per work-item, for PTX: 1 to 255; 0 is no limit */
  /** Not 0: add the lines of the source to the code, for profilers and debuggers. */
  int32_t line_info;
  const char *const *includes; /**< folders that `use` searches after the folder of the file */
  size_t include_count;        /**< number of includes */
  /** Instances of generic kernels to compile: "scale[f32]", "f[f32, 16]". */
  const char *const *instances;
  size_t instance_count; /**< number of instances */

  /** Not 0: use the user's cache of compiled kernels on disk. The environment variable
   * SPL_CACHE=off turns it off for a whole process. */
  int32_t cache;

  /** Called with warnings: the reason why nothing can be cached, once per process for each reason.
   * If it is null, warnings go to standard error. */
  void (*on_warning)(void *user, const char *text);
  void *user; /**< the first argument of on_warning */

  /** Not 0: on the CPU, each loop tests whether the time limit of the launch has passed
   * (spl_launch_config.time_limit_ms). */
  int32_t interruptible;
} spl_jit_options;

/** Sets the options to their defaults, which are those of `simple compile`. */
spl_status spl_jit_default_options(spl_jit_options *options);

/**
 * Compiles a .spl file, or takes its code from the cache, and loads every kernel in it. If options
 * is null, the defaults hold. Fails as spl_module_load does, and with SPL_INVALID_ARGUMENT for
 * invalid options. Fails with SPL_COMPILE_FAILED if the source has errors; the message holds the
 * diagnostics as the command line prints them.
 */
spl_status spl_jit_load_file(spl_context context, const char *path, const spl_jit_options *options,
                             spl_module *module);

/**
 * The same for text in memory. name is the file name in diagnostics and faults, and may be null.
 */
spl_status spl_jit_load_source(spl_context context, const char *text, const char *name,
                               const spl_jit_options *options, spl_module *module);

#ifdef __cplusplus
}
#endif

#endif
