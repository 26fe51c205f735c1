/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Kernels from source text, compiled for the context they will run in and loaded there. In
 * libspl-jit; <spl/spl.h> includes this where it is installed. The functions may be called from
 * several threads at once.
 */
#ifndef SPL_C_JIT_H
#define SPL_C_JIT_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to compile. spl_jit_default_options fills it; a program changes what it expects otherwise.
 */
typedef struct spl_jit_options {
  int32_t opt_level;     /**< 0 to 3 */
  const char *checks;    /**< "all", "none", or kinds: "bounds,division" */
  int32_t contracts;     /**< other than 0: also make the kernels that run where a launch contract
                              holds */
  int32_t strict_fp;     /**< other than 0: no fusing of a * b + c */
  int32_t fast_math;     /**< other than 0: allow reassociation, approximations and flushing of
                              subnormals */
  int32_t max_registers; /**< of a work-item, for PTX: 1 to 255; 0 for no limit */
  int32_t line_info;     /**< other than 0: the lines of the source in the code, for profilers and
                              debuggers */
  const char *const *includes;  /**< folders where `use` looks after the file's own */
  size_t include_count;         /**< how many */
  const char *const *instances; /**< of generic kernels to make: "scale[f32]", "f[f32, 16]" */
  size_t instance_count;        /**< how many */

  /** Other than 0: take what was compiled before from the user's cache on disk, and store there
   * what is compiled. The environment's SPL_CACHE=off turns it off for a whole process. */
  int32_t cache;

  /** Hears what does not stop a load: why nothing can be cached, once in the process for each
   * reason. Where it is null, standard error gets a line. */
  void (*on_warning)(void *user, const char *text);
  void *user; /**< what on_warning is given */

  /** Other than 0, on the CPU: loops test whether the launch's time limit is over, for
   * spl_launch_config's time_limit_ms. */
  int32_t interruptible;
} spl_jit_options;

/** Writes to options the defaults, which are those of `simple compile`. */
spl_status spl_jit_default_options(spl_jit_options *options);

/**
 * Compiles a .spl file, unless that was done before, and loads every kernel in it; options may be
 * null for the defaults. Fails with SPL_COMPILE_FAILED, whose message holds the diagnostics as the
 * command line prints them, SPL_INVALID_ARGUMENT for options that mean nothing, and as
 * spl_module_load.
 */
spl_status spl_jit_load_file(spl_context context, const char *path, const spl_jit_options *options,
                             spl_module *module);

/**
 * The same for text in memory; name represents the file in diagnostics and faults, and may be null.
 */
spl_status spl_jit_load_source(spl_context context, const char *text, const char *name,
                               const spl_jit_options *options, spl_module *module);

#ifdef __cplusplus
}
#endif

#endif
