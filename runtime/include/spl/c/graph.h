/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Graphs: work that is recorded once and run many times, for the cost of one launch each. A graph
 * is the recorded work, a graph exec an executable form of it. Both keep the device memory and the
 * modules of their work alive; the caller keeps the host memory of transfers.
 */
#ifndef SPL_C_GRAPH_H
#define SPL_C_GRAPH_H

#include <spl/c/launch.h>
#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Calls work with user and records the operations that it enqueues in a stream. None of them runs.
 *
 * - A stream that waits for an event recorded in the capture takes part. The captured stream must
 *   wait for its work again before work returns.
 * - Calls without a stream are not recorded and run at once.
 * - A status of work other than SPL_OK ends the capture and is returned.
 * - During the capture only this thread may use these streams; for others they are
 *   SPL_HANDLE_IN_USE.
 * - If another thread waits for one of these streams or for the context, the stream takes part when
 *   that wait has ended.
 *
 * Fails with SPL_INVALID_ARGUMENT for the default stream.
 */
spl_status spl_graph_capture(spl_stream stream, spl_status (*work)(void *user), void *user,
                             spl_graph *graph);

/** Writes the number of a graph's launches to count. */
spl_status spl_graph_launch_count(spl_graph graph, size_t *count);

/** Makes a handle of the kernel of the launch at index, from 0, in the order of the calls. */
spl_status spl_graph_kernel_at(spl_graph graph, size_t index, spl_kernel *kernel);

/** Makes a graph exec of a graph. */
spl_status spl_graph_instantiate(spl_graph graph, spl_graph_exec *exec);

/** Frees a graph. Graph execs that were made of it stay usable. */
spl_status spl_graph_free(spl_graph graph);

/** Runs a graph exec in a stream of the same context. Returns before it is done. */
spl_status spl_graph_exec_launch(spl_graph_exec exec, spl_stream stream);

/**
 * Gives the launch at index, as of spl_graph_kernel_at, new arguments and a new geometry, from the
 * next run on. Keeps the geometry if config is null. Checks the arguments as spl_launch does.
 */
spl_status spl_graph_exec_set_launch(spl_graph_exec exec, size_t index,
                                     const spl_launch_config *config, const spl_argument *arguments,
                                     size_t count);

/** Frees a graph exec. Runs that were enqueued still run. */
spl_status spl_graph_exec_free(spl_graph_exec exec);

#ifdef __cplusplus
}
#endif

#endif
