/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Data loaders: worker threads produce batches ahead of their use, by reading, decoding and
 * shuffling. The consumer receives the batches in order. A batch is a pointer, whose meaning is the
 * program's.
 */
#ifndef SPL_C_LOADER_H
#define SPL_C_LOADER_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Produces batch index and writes it to batch. Past the end of the data it writes 0 to there, which
 * is 1 before. With several workers it is called on many threads, and for some batches past the
 * end. spl_loader_next returns its status for the batch.
 */
typedef spl_status (*spl_producer)(void *user, size_t index, void **batch, int32_t *there);

/** The functions of a loader, and how far it works ahead. */
typedef struct spl_loader_options {
  spl_producer produce;
  void (*drop)(void *user, void *batch); /**< frees a batch that was not taken; may be null. It is
                                              not called for a batch that is null. */
  void *user;                            /**< the first argument of both */
  size_t prefetch; /**< how many batches may be ready or in production beyond those taken, 1 to
                        65536 */
  size_t workers;  /**< threads; more than prefetch are of no use */
  spl_trace trace; /**< records the timeline; 0 for none */
} spl_loader_options;

/** Times in milliseconds. */
typedef struct spl_loader_info {
  size_t batches;          /**< batches taken */
  double produce_ms;       /**< in the producer, of all workers together */
  double producer_wait_ms; /**< workers waited for a free place, all together */
  double consumer_wait_ms; /**< spl_loader_next waited for a batch */
} spl_loader_info;

/**
 * Makes a loader, which starts at once. Fails with SPL_INVALID_ARGUMENT without a producer or
 * workers, and unless prefetch is 1 to 65536.
 */
spl_status spl_loader_make(const spl_loader_options *options, spl_loader *loader);

/**
 * Waits for the next batch in order and writes it to batch, and 1 to there. The caller owns the
 * batch. At the end of the data it writes null and 0. Returns the producer's status for the batch;
 * the next call returns the batch after it. Fails with SPL_INVALID_ARGUMENT if the producer itself
 * calls it.
 */
spl_status spl_loader_next(spl_loader loader, void **batch, int32_t *there);

/** Writes the times of a loader so far to info. */
spl_status spl_loader_get(spl_loader loader, spl_loader_info *info);

/**
 * Frees a loader. Waits for running calls of the producer, unless it is called in one of them, and
 * drops batches that were not taken.
 */
spl_status spl_loader_free(spl_loader loader);

#ifdef __cplusplus
}
#endif

#endif
