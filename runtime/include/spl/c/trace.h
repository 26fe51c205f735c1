/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Timelines in the format of Chrome's trace events, which https://ui.perfetto.dev and
 * chrome://tracing show. Pipelines and loaders add spans to a trace, and a program may add its own.
 * Many threads may use a trace at once. Objects that write to a trace keep it alive.
 */
#ifndef SPL_C_TRACE_H
#define SPL_C_TRACE_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a trace. The timeline starts at the current time. */
spl_status spl_trace_make(spl_trace *trace);

/** Returns the current time of a monotonic clock in nanoseconds. Never fails. */
int64_t spl_trace_now(void);

/** Adds a row below the other rows, and writes the row's number to lane. */
spl_status spl_trace_add_lane(spl_trace trace, const char *name, int32_t *lane);

/**
 * Adds a span to a lane. begin and end are times of spl_trace_now. Spans of a lane must not
 * overlap. The span shows the number batch, unless batch is -1. Fails with SPL_INVALID_ARGUMENT for
 * a lane that was not added, or if end is before begin.
 */
spl_status spl_trace_span(spl_trace trace, int32_t lane, const char *name, int64_t begin,
                          int64_t end, int64_t batch);

/**
 * Writes a trace to the file at path, as JSON. If the file cannot be written, fails with
 * SPL_INVALID_ARGUMENT and the system's message.
 */
spl_status spl_trace_save(spl_trace trace, const char *path);

/** Frees a trace. */
spl_status spl_trace_free(spl_trace trace);

#ifdef __cplusplus
}
#endif

#endif
