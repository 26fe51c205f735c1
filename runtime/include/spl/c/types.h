/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The rules that all functions of the C interface follow.
 *
 * A handle is a 64-bit number that identifies one object of one kind. 0 is never a handle. The
 * number of a freed handle is never used again. The caller owns the object that a function makes,
 * and frees it with the free function of its kind. An object keeps the objects that it needs alive,
 * so handles may be freed in any order.
 *
 * Functions return SPL_OK or an error's status. spl_last_error() has the details of the error.
 * Functions check their arguments:
 *
 * - SPL_INVALID_ARGUMENT: a required pointer is null, a number or a text is unknown, or a count is
 *   negative.
 * - SPL_INVALID_HANDLE: a handle was freed, is of another kind or was never made.
 *
 * Results are the last parameters and are written only on success. Text is UTF-8 and ends with a
 * null byte. Functions copy their text arguments. A text result belongs to an object and is valid
 * as long as the object's handle. No function throws a C++ exception.
 *
 * Every function may be called from any thread. Several threads may use a context, config, module,
 * kernel or trace at once. Only one thread at a time may use any other object; a second call that
 * would corrupt it returns SPL_HANDLE_IN_USE. A handle may be freed while another thread uses it:
 * the object is destroyed after that thread's call. In a child process made by fork, a call that
 * uses an object of the parent returns SPL_FORKED_PROCESS.
 */
#ifndef SPL_C_TYPES_H
#define SPL_C_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** The result of a call: a number of spl_status_code. */
typedef int32_t spl_status;

/** The statuses. Their numbers never change. */
enum spl_status_code {
  SPL_OK = 0,
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT, MEANING) SPL_##C_NAME = NUMBER,
#include <spl/ErrorCodes.def>
};

typedef uint64_t spl_config;     /**< the settings of a config file */
typedef uint64_t spl_context;    /**< an open device */
typedef uint64_t spl_array;      /**< memory with an element type and a shape */
typedef uint64_t spl_stream;     /**< a queue of work */
typedef uint64_t spl_event;      /**< a point in a stream's work */
typedef uint64_t spl_pool;       /**< memory that is allocated in the order of streams */
typedef uint64_t spl_module;     /**< loaded code */
typedef uint64_t spl_kernel;     /**< a kernel of a module */
typedef uint64_t spl_graph;      /**< recorded work */
typedef uint64_t spl_graph_exec; /**< a graph that can run */
typedef uint64_t spl_pipeline;   /**< batches in three stages that overlap */
typedef uint64_t spl_loader;     /**< batches produced ahead of their use */
typedef uint64_t spl_trace;      /**< a timeline */

#endif
