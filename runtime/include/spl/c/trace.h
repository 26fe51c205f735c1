/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A timeline of what ran when, written as Chrome's trace events: https://ui.perfetto.dev and
 * chrome://tracing show it. Pipelines and loaders write to one, and a program may add its own work.
 * A trace may be used from many threads at once; what writes to it keeps it alive.
 */
#ifndef SPL_C_TRACE_H
#define SPL_C_TRACE_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a trace. Times are shown from here on. */
spl_status spl_trace_make(spl_trace *trace);

/** Answers the time now, in nanoseconds of a clock that never goes back. Never fails. */
int64_t spl_trace_now(void);

/** Adds a row below those before it, and writes its number to lane. */
spl_status spl_trace_add_lane(spl_trace trace, const char *name, int32_t *lane);

/**
 * Notes something that went on in a lane from begin to end, of spl_trace_now; spans of a lane do
 * not overlap. batch is shown with it; -1 for none. Fails with SPL_INVALID_ARGUMENT for a lane that
 * was not added and an end before the begin.
 */
spl_status spl_trace_span(spl_trace trace, int32_t lane, const char *name, int64_t begin,
                          int64_t end, int64_t batch);

/** Writes all of it to the file at path, as JSON. Fails with SPL_INVALID_ARGUMENT, with what the
 * system says, if it cannot be written. */
spl_status spl_trace_save(spl_trace trace, const char *path);

/** Ends a trace. */
spl_status spl_trace_free(spl_trace trace);

#ifdef __cplusplus
}
#endif

#endif
