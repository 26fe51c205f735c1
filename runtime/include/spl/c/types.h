/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * What all functions of the C interface have in common.
 *
 * Objects are handles: numbers of 64 bits that stand for one object of one kind. 0 is never one. A
 * handle that was freed stays invalid for good, however many objects are made after it. What a
 * function makes belongs to the caller, who ends it with the free function of its kind; objects
 * keep alive what they need of others, so the order of the ends does not matter.
 *
 * Functions answer SPL_OK or how they failed; spl_last_error() then says why. They check their
 * arguments: null where a pointer is needed, an unknown number or text, and a count that is
 * negative are SPL_INVALID_ARGUMENT; a handle that was freed, is of another kind or never was one
 * is SPL_INVALID_HANDLE. Results come last and are written only on success. Text is UTF-8 and ends
 * with a null byte; what is given is copied, what is answered belongs to its object and lasts as
 * long as its handle. Nothing that the runtime throws comes through.
 *
 * Every function may be called from any thread. Contexts, configs, modules, kernels and traces may
 * be used by many at once, any other object by one at a time: where it would come to harm, the
 * second call is SPL_HANDLE_IN_USE. A handle may be freed while another thread uses it: the object
 * ends with that call. In a child made by fork, what uses an object made before is
 * SPL_FORKED_PROCESS.
 */
#ifndef SPL_C_TYPES_H
#define SPL_C_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** How a call went: a number of spl_status_code. */
typedef int32_t spl_status;

/** The statuses. Their numbers stay as they are. */
enum spl_status_code {
  SPL_OK = 0,
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT) SPL_##C_NAME = NUMBER,
#include <spl/ErrorCodes.def>
};

typedef uint64_t spl_config;     /**< what a config file says */
typedef uint64_t spl_context;    /**< an opened device */
typedef uint64_t spl_array;      /**< memory with an element type and a shape */
typedef uint64_t spl_stream;     /**< a queue of work */
typedef uint64_t spl_event;      /**< a point in a stream's work */
typedef uint64_t spl_pool;       /**< memory in the order of streams */
typedef uint64_t spl_module;     /**< loaded code */
typedef uint64_t spl_kernel;     /**< a kernel of a module */
typedef uint64_t spl_graph;      /**< recorded work */
typedef uint64_t spl_graph_exec; /**< recorded work, made ready to run */
typedef uint64_t spl_pipeline;   /**< batches in three stages that overlap */
typedef uint64_t spl_loader;     /**< batches made ahead of their use */
typedef uint64_t spl_trace;      /**< a timeline */

#endif
