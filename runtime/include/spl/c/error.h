/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The error of a failed call. Each thread keeps its last error: the error of its last call that did
 * not return SPL_OK. Calls that succeed leave it unchanged.
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
  const char *message;     /**< what is wrong, one sentence */
  const char *call;        /**< the function that failed, of the driver or the system */
  int64_t native_code;     /**< its result; meaningful if native_name is not empty */
  const char *native_name; /**< that result's own name, such as "CUDA_ERROR_NO_DEVICE" */
  const char *context;     /**< where: the backend, the device, the kernel */
  const char *hint;        /**< what to do about it */
  int64_t batch;           /**< of a pipeline, the batch that failed; else -1 */
  int32_t stage;           /**< of a pipeline, the spl_stage that failed; else -1 */
  uint64_t skipped;        /**< operations of streams that did not run because of it */
  uint64_t others;         /**< other errors that the same wait met; this one is the first */
} spl_error_info;

/** A failed check in a kernel. If several work-items fail, it is unspecified which one this is. */
typedef struct spl_fault {
  int32_t kind;              /**< a number of FaultKinds.def, such as 0 for an index */
  const char *kind_name;     /**< such as "index-out-of-bounds" */
  const char *file;          /**< the source file */
  int32_t line;              /**< from 1; 0 if unknown */
  int32_t column;            /**< from 1; 0 if unknown */
  int64_t value;             /**< the index or the exponent, if any */
  int64_t bound;             /**< the length, where the kind has one */
  const char *subject;       /**< what was accessed, or an assertion's text; may be empty */
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
 * If this thread's last error is SPL_KERNEL_FAULT with a known place, writes the failed check to
 * fault, if fault is not null, and returns 1. Otherwise returns 0 and writes nothing. The text is
 * valid until the thread's next failing call.
 */
int32_t spl_last_fault(spl_fault *fault);

/**
 * Returns the name of a status, such as "invalid-argument"; "ok" for SPL_OK, and "unknown-error"
 * for a number that is no status. Never null, never freed.
 */
const char *spl_status_name(spl_status status);

/**
 * Returns the number of handles that were made and not freed, of all kinds together. For tests that
 * look for leaks.
 */
size_t spl_handle_count(void);

#ifdef __cplusplus
}
#endif

#endif
