/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Queues of work and points in them. The work of one stream runs in the order it was given; that of
 * different streams runs at the same time, unless one waits for an event of another.
 *
 * When an operation fails, because a kernel faults or a function of the host fails, the operations
 * behind it are skipped: those that were given later to the same stream, and those of every stream
 * that waits for an event recorded behind it. Other streams go on.
 *
 * The failure is the status of the next call that waits for the work: a sync of the stream, of the
 * context or of an event behind the failure, or a transfer that waits for an array that the stream
 * used. spl_error_info has the number of operations that were skipped, and of other failures where
 * the wait meets several. What was given before that call stays skipped; what is given afterwards
 * runs. On CUDA a kernel's fault ends the context; after a function that failed, functions are
 * skipped, while kernels, fills and transfers that the driver was given behind it run.
 */
#ifndef SPL_C_STREAM_H
#define SPL_C_STREAM_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a stream. Of those that wait for the device, the one of the higher priority goes first, as
 * far as the device tells priorities apart; 0 is the lowest.
 */
spl_status spl_stream_make(spl_context context, int32_t priority, spl_stream *stream);

/**
 * Makes a handle of the stream of every call that names none. Its work is done when such a call
 * returns on the CPU; on a GPU a launch may still be running.
 */
spl_status spl_stream_default(spl_context context, spl_stream *stream);

/**
 * Makes a handle of a stream of another library, as one of a context: a CUstream or cudaStream_t of
 * the device's primary context as a number; 0 is the default stream, on every backend. release,
 * where it is not null, is called once with user, on any thread, when neither the handle nor an
 * array that was used in the stream needs it any more; until then the stream must stay. It is not
 * called where this fails. Wrap a stream once at a time, and leave the capture of graphs in it to
 * one library: another's graph does not keep the arrays it uses. Fails with SPL_INVALID_ARGUMENT
 * for a stream of another context, SPL_UNSUPPORTED_ON_TARGET for any but 0 on the CPU.
 */
spl_status spl_stream_wrap(spl_context context, uint64_t native, void (*release)(void *user),
                           void *user, spl_stream *stream);

/** Waits for all of a stream's work. Fails with what that left as an error. */
spl_status spl_stream_sync(spl_stream stream);

/** Writes to done whether all of a stream's work is done or skipped: 0 or 1. */
spl_status spl_stream_query(spl_stream stream, int32_t *done);

/** Puts a point after a stream's work so far; replaces what the event stood for. */
spl_status spl_stream_record(spl_stream stream, spl_event event);

/**
 * Lets what is given to a stream from now on run after an event. One that was never recorded holds
 * up nothing. One that was recorded while a graph was captured makes the stream take part in that:
 * SPL_INVALID_ARGUMENT for the default stream, and once the capture is over.
 */
spl_status spl_stream_wait(spl_stream stream, spl_event event);

/**
 * Runs function with user on a thread of the runtime, after a stream's work so far; later work
 * waits for it. It must not call this library on CUDA, where functions of different streams may run
 * one after another; nor, anywhere, wait for this stream. A status other than SPL_OK is the
 * stream's error.
 */
spl_status spl_stream_call(spl_stream stream, spl_status (*function)(void *user), void *user);

/**
 * Writes to native the driver's own stream for other libraries of CUDA: a CUstream (cudaStream_t)
 * as a number, 0 for the default stream; 0 on the CPU. It is good as long as the handle. What
 * others put into it runs in its order, but no array knows of it: sync the stream, or wait for an
 * event of it, before a transfer without a stream.
 */
spl_status spl_stream_native(spl_stream stream, uint64_t *native);

/**
 * Ends a stream's handle. Its work still runs: the last handle's end waits for all of it on the
 * CPU, and on CUDA where functions of the host (spl_stream_call) are among it that have not run.
 * Arrays, events and graphs that were used in the stream do not change that.
 */
spl_status spl_stream_free(spl_stream stream);

/** Makes an event, which stands for nothing yet. */
spl_status spl_event_make(spl_context context, spl_event *event);

/**
 * Waits until the work before an event is done or skipped. Fails with what that left as an error.
 * One that was never recorded is done.
 */
spl_status spl_event_sync(spl_event event);

/** Writes to done whether the work before an event is done or skipped: 0 or 1. */
spl_status spl_event_query(spl_event event, int32_t *done);

/**
 * Writes to ms the time from start to event, in milliseconds as the device measures. Fails with
 * SPL_INVALID_ARGUMENT if either was not recorded, is not done yet, or was recorded while a graph
 * was captured.
 */
spl_status spl_event_elapsed_ms(spl_event event, spl_event start, double *ms);

/** Ends an event. */
spl_status spl_event_free(spl_event event);

#ifdef __cplusplus
}
#endif

#endif
