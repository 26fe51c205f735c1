/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * What went wrong. Each thread has a last failure of its own: that of its last call that did not
 * answer SPL_OK. Calls that succeed leave it as it is.
 */
#ifndef SPL_C_ERROR_H
#define SPL_C_ERROR_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The parts of a failure. Text without meaning here is empty, never null. */
typedef struct spl_error_info {
  spl_status status;       /**< SPL_OK if nothing has failed in this thread yet */
  const char *status_name; /**< such as "invalid-argument" */
  const char *message;     /**< what is wrong, one sentence */
  const char *call;        /**< the function that failed, of the driver or the system */
  int64_t native_code;     /**< its result; meaningful if native_name is not empty */
  const char *native_name; /**< that result's own name, such as "CUDA_ERROR_NO_DEVICE" */
  const char *context;     /**< where: the backend, the device, the kernel */
  const char *remedy;      /**< what to do about it */
  int64_t batch;           /**< of a pipeline, the batch that failed; else -1 */
  int32_t stage;           /**< of a pipeline, the spl_stage that failed; else -1 */
  uint64_t skipped;        /**< operations of streams that did not run because of it */
  uint64_t others;         /**< other failures that the same wait met, this one being the first */
} spl_error_info;

/** A failed check in a kernel. Of several failing work-items, which one it is is unspecified. */
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
 * Answers this thread's last failure in full, for people; "" if there is none. Never null. Of a
 * failed check in a kernel it says what, where, and in which work-item and group. The text is good
 * until the thread's next failing call.
 */
const char *spl_last_error(void);

/**
 * Writes the parts of this thread's last failure to info, where it is not null. Their text is good
 * until the thread's next failing call.
 */
void spl_last_error_info(spl_error_info *info);

/**
 * Writes the failed check behind this thread's last failure to fault, where that is not null, and
 * answers 1; answers 0 and writes nothing if that was no SPL_KERNEL_FAULT, or its place is not
 * known. The text is good until the thread's next failing call.
 */
int32_t spl_last_fault(spl_fault *fault);

/**
 * Answers the name of a status as users see it, such as "invalid-argument"; "ok" for SPL_OK, and
 * "unknown-error" for what is no status. Never null, never freed.
 */
const char *spl_status_name(spl_status status);

/**
 * Answers how many handles there are that were made and not freed, of all kinds together. For tests
 * that want to see that nothing is left.
 */
size_t spl_handle_count(void);

#ifdef __cplusplus
}
#endif

#endif
