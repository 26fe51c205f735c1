/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Streams, which are queues of work, and events, which are points in them. The operations of one
 * stream run in the order of the calls. Operations of different streams may run at the same time,
 * unless one stream waits for an event of the other.
 *
 * An operation fails if its kernel faults or its host function fails. Its error is asynchronous:
 *
 * - The operations behind it are skipped: those enqueued later in the same stream, and those of
 *   every stream that waits for an event recorded behind it. Other streams go on.
 * - The next call that waits for the work returns the error: a sync of the stream, of the context
 *   or of an event behind the operation, or a transfer that waits for an array that the stream
 *   used.
 * - spl_error_info has the number of skipped operations, and of other errors if the wait meets
 *   several.
 * - Operations enqueued before that call stay skipped; operations enqueued after it run.
 *
 * On CUDA a kernel's fault is sticky: it ends the context. After a host function that failed, host
 * functions are skipped; kernels, fills and transfers that were enqueued behind it run.
 */
#ifndef SPL_C_STREAM_H
#define SPL_C_STREAM_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a stream. Of the streams that wait for the device, the one with the higher priority runs
 * first, if the device distinguishes priorities. 0 is the lowest priority.
 */
spl_status spl_stream_make(spl_context context, int32_t priority, spl_stream *stream);

/**
 * Makes a handle of the stream of every call without a stream argument. On the CPU its work is done
 * when the call returns; on a GPU a launch may still be running.
 */
spl_status spl_stream_default(spl_context context, spl_stream *stream);

/**
 * Makes a handle of a stream of another library: a CUstream or cudaStream_t of the device's primary
 * context as a number; 0 is the default stream on every backend.
 *
 * release, if it is not null, is called once with user, on any thread, when neither the handle nor
 * an array used in the stream needs it; until then the stream must stay. It is not called if this
 * function fails.
 *
 * Wrap a stream once at a time. Only one library may capture graphs in it: a graph of another
 * library does not keep the arrays it uses. Fails with SPL_INVALID_ARGUMENT for a stream of another
 * context, SPL_UNSUPPORTED_ON_TARGET on the CPU for any number but 0.
 */
spl_status spl_stream_wrap(spl_context context, uint64_t native, void (*release)(void *user),
                           void *user, spl_stream *stream);

/** Waits for all work of a stream. Fails with its asynchronous error. */
spl_status spl_stream_sync(spl_stream stream);

/** Writes to done whether all work of a stream is done or was skipped: 0 or 1. */
spl_status spl_stream_query(spl_stream stream, int32_t *done);

/** Makes an event the point after a stream's work so far. Replaces its earlier point. */
spl_status spl_stream_record(spl_stream stream, spl_event event);

/**
 * Operations enqueued in a stream from now on run after an event. An event that was never recorded
 * has no effect. An event that was recorded during a capture makes the stream take part in the
 * capture; this is SPL_INVALID_ARGUMENT for the default stream, and once the capture is over.
 */
spl_status spl_stream_wait(spl_stream stream, spl_event event);

/**
 * Runs function with user on a thread of the runtime, after a stream's work so far; later work
 * waits for it. A status other than SPL_OK is the stream's asynchronous error. The function must
 * not wait for this stream. On CUDA it must not call this library, and functions of different
 * streams may run one after another.
 */
spl_status spl_stream_call(spl_stream stream, spl_status (*function)(void *user), void *user);

/**
 * Writes to native the driver's stream, for other CUDA libraries: a CUstream (cudaStream_t) as a
 * number, 0 for the default stream; 0 on the CPU. It is valid as long as the handle. Work that
 * other libraries enqueue there runs in order, but arrays do not know of it: sync the stream, or
 * wait for an event of it, before a transfer without a stream.
 */
spl_status spl_stream_native(spl_stream stream, uint64_t *native);

/**
 * Frees a stream's handle. Work that was enqueued still runs. Freeing the last handle waits for all
 * work on the CPU; on CUDA it waits only if host functions (spl_stream_call) are enqueued that have
 * not run yet.
 */
spl_status spl_stream_free(spl_stream stream);

/** Makes an event that is not recorded yet. */
spl_status spl_event_make(spl_context context, spl_event *event);

/**
 * Waits until the work before an event is done or was skipped. Fails with its asynchronous error.
 * An event that was never recorded is done.
 */
spl_status spl_event_sync(spl_event event);

/** Writes to done whether the work before an event is done or was skipped: 0 or 1. */
spl_status spl_event_query(spl_event event, int32_t *done);

/**
 * Writes to ms the time from start to event in milliseconds, measured by the device. Fails with
 * SPL_INVALID_ARGUMENT if either event was not recorded, is not done yet, or was recorded during a
 * capture.
 */
spl_status spl_event_elapsed_ms(spl_event event, spl_event start, double *ms);

/** Frees an event. */
spl_status spl_event_free(spl_event event);

#ifdef __cplusplus
}
#endif

#endif
