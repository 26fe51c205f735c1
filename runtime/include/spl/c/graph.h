/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Graphs. A graph holds operations that were recorded once. A graph exec is its executable form,
 * which runs many times; each run costs one launch. Both keep the device memory and the modules of
 * their operations alive. The caller must keep the host memory of transfers alive.
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
 * - Another stream that waits for an event recorded in the capture takes part in the capture.
 *   Before work returns, the captured stream must wait for an event recorded after the other
 *   stream's work.
 * - Calls without a stream are not recorded. They run at once.
 * - If work returns a status other than SPL_OK, the capture ends and this function returns that
 *   status.
 * - During the capture only this thread may use these streams. Calls of other threads with them
 *   fail with SPL_HANDLE_IN_USE.
 * - A stream cannot take part while another thread waits for it or for the context. The call by
 *   which the stream would take part blocks until that wait has ended.
 *
 * Fails with SPL_INVALID_ARGUMENT for the default stream.
 */
spl_status spl_graph_capture(spl_stream stream, spl_status (*work)(void *user), void *user,
                             spl_graph *graph);

/** Writes the number of a graph's launches to count. */
spl_status spl_graph_launch_count(spl_graph graph, size_t *count);

/**
 * Makes a handle of the kernel of one launch. index counts the graph's launches from 0 in the order
 * of the calls.
 */
spl_status spl_graph_kernel_at(spl_graph graph, size_t index, spl_kernel *kernel);

/** Makes a graph exec of a graph. */
spl_status spl_graph_instantiate(spl_graph graph, spl_graph_exec *exec);

/** Frees a graph. Graph execs that were made of it stay usable. */
spl_status spl_graph_free(spl_graph graph);

/** Runs a graph exec in a stream of the same context. Returns before the run is done. */
spl_status spl_graph_exec_launch(spl_graph_exec exec, spl_stream stream);

/**
 * Sets the arguments and the geometry of one launch for all later runs. index is as for
 * spl_graph_kernel_at. Keeps the geometry if config is null. Checks the arguments as spl_launch
 * does.
 */
spl_status spl_graph_exec_set_launch(spl_graph_exec exec, size_t index,
                                     const spl_launch_config *config, const spl_argument *arguments,
                                     size_t count);

/** Frees a graph exec. Runs that are enqueued already are not cancelled. */
spl_status spl_graph_exec_free(spl_graph_exec exec);

#ifdef __cplusplus
}
#endif

#endif
