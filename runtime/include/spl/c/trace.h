/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Timelines in the format of Chrome's trace events, which https://ui.perfetto.dev and
 * chrome://tracing show. Pipelines and loaders add spans to a trace, and a program may add its own.
 * A trace may be used from many threads at once; objects that write to it keep it alive.
 */
#ifndef SPL_C_TRACE_H
#define SPL_C_TRACE_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a trace. The timeline starts now. */
spl_status spl_trace_make(spl_trace *trace);

/** Returns the time now, in nanoseconds of a clock that never goes back. Never fails. */
int64_t spl_trace_now(void);

/** Adds a row below the others, and writes its number to lane. */
spl_status spl_trace_add_lane(spl_trace trace, const char *name, int32_t *lane);

/**
 * Adds a span from begin to end, times of spl_trace_now, to a lane. Spans of a lane must not
 * overlap. The span shows the number batch; -1 is none. Fails with SPL_INVALID_ARGUMENT for a lane
 * that was not added and for an end before the begin.
 */
spl_status spl_trace_span(spl_trace trace, int32_t lane, const char *name, int64_t begin,
                          int64_t end, int64_t batch);

/** Writes a trace to the file at path, as JSON. Fails with SPL_INVALID_ARGUMENT and the system's
 * message if the file cannot be written. */
spl_status spl_trace_save(spl_trace trace, const char *path);

/** Frees a trace. */
spl_status spl_trace_free(spl_trace trace);

#ifdef __cplusplus
}
#endif

#endif
