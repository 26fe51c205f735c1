/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A stream is a queue of operations. An event is a point in a stream. The operations of one stream
 * run in the order of the calls. Operations of different streams may run at the same time, unless
 * one stream waits for an event of the other.
 *
 * An operation fails if its kernel faults or its host function fails. Its error is asynchronous:
 *
 * - Operations that follow the failed one are skipped: those enqueued later in the same stream, and
 *   those of every stream that waits for an event recorded after it. Other streams continue.
 * - The next call that waits for the work returns the error. Such a call is a sync of the stream,
 *   of the context or of an event recorded after the operation, or a transfer that waits for an
 *   array that the stream used.
 * - spl_error_info has the number of skipped operations. If the call waits for work with several
 *   errors, it also has the number of the others.
 * - Operations enqueued before that call stay skipped; operations enqueued after it run.
 *
 * CUDA differs in two ways:
 *
 * - A kernel's fault is sticky: the context is unusable afterwards.
 * - An error of a host function skips only later host functions. Later kernels, fills and transfers
 *   run.
 */
#ifndef SPL_C_STREAM_H
#define SPL_C_STREAM_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a stream. If the device supports priorities, waiting work of the stream with the higher
 * priority runs first. 0 is the lowest priority.
 */
spl_status spl_stream_make(spl_context context, int32_t priority, spl_stream *stream);

/**
 * Makes a handle of the default stream, which calls without a stream argument use. On the CPU such
 * a call returns when its work is done. On a GPU a launch may still be running.
 */
spl_status spl_stream_default(spl_context context, spl_stream *stream);

/**
 * Makes a handle of another library's stream. native is a CUstream or cudaStream_t of the device's
 * primary context as a number. 0 is the default stream on every backend.
 *
 * The native stream must stay valid as long as the handle exists or an array that was used in the
 * stream needs it. After that, release is called with user, once and on any thread, unless it is
 * null. release is not called if this function fails.
 *
 * A native stream may have only one handle at a time. Only one library may capture graphs in it,
 * because a graph of another library does not keep the memory of this library's arrays. Fails with
 * SPL_INVALID_ARGUMENT for a stream of another context. On the CPU, fails with
 * SPL_UNSUPPORTED_ON_TARGET for any number other than 0.
 */
spl_status spl_stream_wrap(spl_context context, uint64_t native, void (*release)(void *user),
                           void *user, spl_stream *stream);

/** Waits for all work of a stream. Fails with its asynchronous error. */
spl_status spl_stream_sync(spl_stream stream);

/** Writes to done whether all work of a stream is done or was skipped: 0 or 1. */
spl_status spl_stream_query(spl_stream stream, int32_t *done);

/**
 * Records an event after the work that is enqueued in a stream so far. Replaces the event's earlier
 * point.
 */
spl_status spl_stream_record(spl_stream stream, spl_event event);

/**
 * Makes a stream wait for an event: operations that are enqueued in the stream after this call run
 * after the event. An event that was never recorded has no effect. If the event was recorded during
 * a capture, the stream takes part in the capture. Such an event fails with SPL_INVALID_ARGUMENT
 * for the default stream, or if the capture is over.
 */
spl_status spl_stream_wait(spl_stream stream, spl_event event);

/**
 * Runs function with user on a thread of the runtime, after the work that is enqueued in a stream
 * so far. Later work waits for it. If the function returns a status other than SPL_OK, that status
 * is the stream's asynchronous error. The function must not wait for this stream. On CUDA it must
 * not call this library, and functions of different streams may run one after another.
 */
spl_status spl_stream_call(spl_stream stream, spl_status (*function)(void *user), void *user);

/**
 * Writes to native the driver's stream for other CUDA libraries: a CUstream (cudaStream_t) as a
 * number. It is 0 for the default stream and on the CPU. It is valid as long as the handle. Work
 * that other libraries enqueue there runs in order, but a transfer without a stream does not wait
 * for it. Sync the stream or an event of it before such a transfer.
 */
spl_status spl_stream_native(spl_stream stream, uint64_t *native);

/**
 * Frees a stream's handle. Enqueued work still runs. On the CPU, freeing the last handle waits for
 * all work. On CUDA it waits only if host functions (spl_stream_call) are enqueued that have not
 * run yet.
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
