/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The rules that all functions of the C interface follow.
 *
 * Objects are handles: numbers of 64 bits, each for one object of one kind. 0 is never a handle. A
 * freed handle is never used again for another object. The caller owns the object that a function
 * makes and frees it with the free function of its kind. Objects keep alive the objects that they
 * need, so they may be freed in any order.
 *
 * Functions return SPL_OK or a status that says how they failed; spl_last_error() has the details.
 * They check their arguments:
 *
 * - A null pointer where one is needed, an unknown number or text, and a negative count are
 *   SPL_INVALID_ARGUMENT.
 * - A handle that was freed, is of another kind or never was one is SPL_INVALID_HANDLE.
 *
 * Results are the last parameters and are written only on success. Text is UTF-8 and ends with a
 * null byte. Text arguments are copied; text results belong to their object and are valid as long
 * as its handle. No C++ exception of the runtime leaves a function.
 *
 * Every function may be called from any thread. Contexts, configs, modules, kernels and traces may
 * be used by several threads at once. Any other object is used by one thread at a time; a second
 * call that would corrupt it is SPL_HANDLE_IN_USE. A handle may be freed while another thread uses
 * it: the object ends after that call. In a child made by fork, a call that uses an object of the
 * parent is SPL_FORKED_PROCESS.
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
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT) SPL_##C_NAME = NUMBER,
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
