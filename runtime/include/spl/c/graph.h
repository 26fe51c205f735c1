/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Work that is recorded once and run many times for the cost of one launch. A graph is the record,
 * a graph exec what runs; both keep the memory and the modules alive that their work uses. Host
 * memory of transfers is the caller's to keep.
 */
#ifndef SPL_C_GRAPH_H
#define SPL_C_GRAPH_H

#include <spl/c/launch.h>
#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Calls work with user, and records what it gives to a stream, and to streams that wait for events
 * of it meanwhile; nothing of it runs. Such streams must be waited for again before work returns.
 * What names no stream is not recorded but runs at once. A status other than SPL_OK ends the record
 * and is answered. Until then all these streams are this thread's alone, and SPL_HANDLE_IN_USE for
 * others. Where another thread waits for one of them, as for an array that it used, or for the
 * context, it takes part when that has ended. Fails with SPL_INVALID_ARGUMENT for the default
 * stream.
 */
spl_status spl_graph_capture(spl_stream stream, spl_status (*work)(void *user), void *user,
                             spl_graph *graph);

/** Writes to count how many kernels a graph launches. */
spl_status spl_graph_launch_count(spl_graph graph, size_t *count);

/** Makes a handle of the kernel of the launch at index, from 0, in the order they were given. */
spl_status spl_graph_kernel_at(spl_graph graph, size_t index, spl_kernel *kernel);

/** Makes a graph ready to run. */
spl_status spl_graph_instantiate(spl_graph graph, spl_graph_exec *exec);

/** Ends a graph. What was made of it stays usable. */
spl_status spl_graph_free(spl_graph graph);

/** Runs all of it in a stream of the same context. Returns before it is done. */
spl_status spl_graph_exec_launch(spl_graph_exec exec, spl_stream stream);

/**
 * Gives the launch at index, as of spl_graph_kernel_at, new arguments from the next run on, checked
 * as spl_launch does, and a new geometry; config is null for the one it has.
 */
spl_status spl_graph_exec_set_launch(spl_graph_exec exec, size_t index,
                                     const spl_launch_config *config, const spl_argument *arguments,
                                     size_t count);

/** Ends a graph exec. Runs of it that were given still run. */
spl_status spl_graph_exec_free(spl_graph_exec exec);

#ifdef __cplusplus
}
#endif

#endif
