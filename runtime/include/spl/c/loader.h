/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Data loaders. Worker threads produce batches before the consumer needs them: they read, decode
 * and shuffle the data. The consumer receives the batches in order. A batch is a pointer that the
 * program defines.
 */
#ifndef SPL_C_LOADER_H
#define SPL_C_LOADER_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Produces the batch at index and writes it to batch. The caller has set there to 1. Past the end
 * of the data the function writes 0 to there. With several workers it is called on many threads at
 * once, and also for some indices past the end. spl_loader_next returns the function's status for
 * the batch.
 */
typedef spl_status (*spl_producer)(void *user, size_t index, void **batch, int32_t *there);

/** The functions and the options of a loader. */
typedef struct spl_loader_options {
  spl_producer produce;
  void (*drop)(void *user, void *batch); /**< frees a batch that was not taken; may be null. Not
                                            called for a batch that is null. */
  void *user;                            /**< the first argument of both */
  size_t prefetch; /**< the maximum number of batches that are ready or in production, and not taken
                        yet: 1 to 65536 */
  size_t workers;  /**< the number of threads; more than prefetch have no effect */
  spl_trace trace; /**< records the timeline; 0 for none */
} spl_loader_options;

/** Times in milliseconds. */
typedef struct spl_loader_info {
  size_t batches;          /**< batches taken */
  double produce_ms;       /**< time in the producer, all workers together */
  double producer_wait_ms; /**< time that workers waited for a free place, all together */
  double consumer_wait_ms; /**< time that spl_loader_next waited for a batch */
} spl_loader_info;

/**
 * Makes a loader and starts its workers. Fails with SPL_INVALID_ARGUMENT if there is no producer,
 * if there are no workers, or unless prefetch is 1 to 65536.
 */
spl_status spl_loader_make(const spl_loader_options *options, spl_loader *loader);

/**
 * Waits for the next batch in order, writes it to batch and writes 1 to there. The caller owns the
 * batch. At the end of the data, writes null to batch and 0 to there. Returns the producer's status
 * for the batch. The next call returns the batch after it. Fails with SPL_INVALID_ARGUMENT if the
 * producer itself calls it.
 */
spl_status spl_loader_next(spl_loader loader, void **batch, int32_t *there);

/** Writes the times of a loader so far to info. */
spl_status spl_loader_get(spl_loader loader, spl_loader_info *info);

/**
 * Frees a loader and the batches that were not taken. Waits for running calls of the producer,
 * unless one of them calls this function.
 */
spl_status spl_loader_free(spl_loader loader);

#ifdef __cplusplus
}
#endif

#endif
