/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Batches made ahead of their use, on threads of their own: reading, decoding, shuffling. The
 * consumer takes them in order, however many threads make them. What a batch is, is the program's
 * own affair: here it is a pointer.
 */
#ifndef SPL_C_LOADER_H
#define SPL_C_LOADER_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes batch index and writes it to batch. Past the end of the data it writes 0 to there, which is
 * 1 before. With several workers it is called on many threads, and for some batches past the end. A
 * status other than SPL_OK is what spl_loader_next answers for the batch.
 */
typedef spl_status (*spl_producer)(void *user, size_t index, void **batch, int32_t *there);

/** What a loader calls, and how far it goes ahead. */
typedef struct spl_loader_options {
  spl_producer produce;
  void (*drop)(void *user, void *batch); /**< ends a batch that was not taken; may be null. It is
                                              not called for a batch that is null. */
  void *user;                            /**< what both are given */
  size_t prefetch; /**< how many batches may be ready or in the making beyond those taken, 1 to
                        65536 */
  size_t workers;  /**< threads that make them; more than prefetch have nothing to do */
  spl_trace trace; /**< where to note what ran when; 0 for nowhere */
} spl_loader_options;

/** Times in milliseconds. */
typedef struct spl_loader_info {
  size_t batches;          /**< that were taken */
  double produce_ms;       /**< in the producer, of all workers together */
  double producer_wait_ms; /**< workers waited for room, together */
  double consumer_wait_ms; /**< spl_loader_next waited for a batch */
} spl_loader_info;

/**
 * Makes a loader, which starts at once. Fails with SPL_INVALID_ARGUMENT without a producer or
 * workers, and for a number of batches ahead that cannot be.
 */
spl_status spl_loader_make(const spl_loader_options *options, spl_loader *loader);

/**
 * Waits for the next batch in order and writes it to batch, which is the caller's then, and 1 to
 * there; once the data has ended, null and 0. Answers the status of the producer for it; the call
 * after that gives the batch that follows. SPL_INVALID_ARGUMENT in the producer itself, where the
 * loader is not in use.
 */
spl_status spl_loader_next(spl_loader loader, void **batch, int32_t *there);

/** Writes to info what a loader did so far. */
spl_status spl_loader_get(spl_loader loader, spl_loader_info *info);

/**
 * Ends a loader. Waits for the calls of the producer that are going on, unless it is one of them,
 * and drops what was not taken.
 */
spl_status spl_loader_free(spl_loader loader);

#ifdef __cplusplus
}
#endif

#endif
