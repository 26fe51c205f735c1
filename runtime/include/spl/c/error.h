/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The error of a failed call. The runtime keeps one last error for each thread: the error of the
 * thread's last call that failed. Calls that succeed leave it unchanged.
 */
#ifndef SPL_C_ERROR_H
#define SPL_C_ERROR_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The parts of an error. A text that is not set is empty, never null. */
typedef struct spl_error_info {
  spl_status status;       /**< SPL_OK if nothing has failed in this thread yet */
  const char *status_name; /**< such as "invalid-argument" */
  const char *message;     /**< the error in one sentence */
  const char *call;        /**< the failed function of the driver or the system */
  int64_t native_code; /**< the result of that function; meaningful if native_name is not empty */
  const char *native_name; /**< the name of that result, such as "CUDA_ERROR_NO_DEVICE" */
  const char *context;     /**< the backend, the device, the kernel */
  const char *hint;        /**< how to correct the error */
  int64_t batch;           /**< the failed batch of a pipeline; -1 for other errors */
  int32_t stage;           /**< the failed spl_stage of a pipeline; -1 for other errors */
  uint64_t skipped;        /**< operations of streams that did not run because of it */
  uint64_t others; /**< other errors of the work that the call waited for; this one is the first */
} spl_error_info;

/** A failed check in a kernel. If several work-items fail, it is unspecified which one this is. */
typedef struct spl_fault {
  int32_t kind;              /**< the number of a kind in FaultKinds.def, such as 0 for an index */
  const char *kind_name;     /**< such as "index-out-of-bounds" */
  const char *file;          /**< the source file */
  int32_t line;              /**< from 1; 0 if unknown */
  int32_t column;            /**< from 1; 0 if unknown */
  int64_t value;             /**< the index or the exponent, if the kind has one */
  int64_t bound;             /**< the length, if the kind has one */
  const char *subject;       /**< "a", "axis 1 of a", or an assertion's text; may be empty */
  int64_t work_item[3];      /**< global ids, x first */
  int64_t group[3];          /**< group ids, x first */
  int32_t is_value_unsigned; /**< other than 0: value holds the bits of a uint64_t */
} spl_fault;

/**
 * Returns the text of this thread's last error; "" if there is none. Never null. For a failed check
 * in a kernel it says what failed, where, and in which work-item and group. The text is valid until
 * the thread's next failing call.
 */
const char *spl_last_error(void);

/**
 * Writes the parts of this thread's last error to info, if info is not null. Their text is valid
 * until the thread's next failing call.
 */
void spl_last_error_info(spl_error_info *info);

/**
 * Writes the failed check of this thread's last error to fault, if fault is not null, and returns
 * 1. If the last error is not a SPL_KERNEL_FAULT with a known source location, writes nothing and
 * returns 0. The text is valid until the thread's next failing call.
 */
int32_t spl_last_fault(spl_fault *fault);

/**
 * Returns the name of a status, such as "invalid-argument". Returns "ok" for SPL_OK, and
 * "unknown-error" for a number that is no status. The text is never null and never freed.
 */
const char *spl_status_name(spl_status status);

/**
 * Returns the number of handles of all kinds that are not freed. Tests use it to find leaks.
 */
size_t spl_handle_count(void);

#ifdef __cplusplus
}
#endif

#endif
