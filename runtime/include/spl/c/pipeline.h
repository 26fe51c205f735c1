/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A pipeline runs batches of work in three overlapping stages. While one batch computes, the next
 * one is uploaded and the previous one is downloaded. Each stage has its own stream, and events
 * order the stages of a batch. The caller owns the memory: one set of arrays for each buffer.
 *
 * - With 1 buffer the stages run one after another.
 * - With 2 buffers the transfers of one batch overlap with the computation of the other.
 * - With 3 buffers all three stages run at the same time, each on a different batch.
 */
#ifndef SPL_C_PIPELINE_H
#define SPL_C_PIPELINE_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The stages. */
enum spl_stage {
  SPL_STAGE_UPLOAD = 0,
  SPL_STAGE_COMPUTE = 1,
  SPL_STAGE_DOWNLOAD = 2,
};

/**
 * Enqueues a stage's work for one batch in a stream. The work uses the memory of buffer, which is
 * numbered from 0. The function is called in the thread that calls submit, after the buffer's
 * previous batch has left the pipeline. A function that blocks delays all stages. The stream's
 * handle is valid until the function returns. If the function returns a status other than SPL_OK,
 * that status is the batch's error.
 */
typedef spl_status (*spl_stage_function)(void *user, size_t batch, size_t buffer,
                                         spl_stream stream);

/** The functions of the stages. A stage whose function is null does nothing. */
typedef struct spl_pipeline_stages {
  spl_stage_function upload;
  spl_stage_function compute;
  spl_stage_function download;
  void *user; /**< the first argument of the functions */
} spl_pipeline_stages;

/** The times of a run in ms. The device measures stage_ms, the host wall_ms and blocked_ms. */
typedef struct spl_pipeline_info {
  size_t batches;       /**< batches that left the pipeline */
  double stage_ms[3];   /**< the time in each spl_stage */
  double wall_ms;       /**< from the first submit to the end of finish */
  double blocked_ms;    /**< the part of wall_ms in which submit waited for a buffer */
  double sequential_ms; /**< the sum of stage_ms */
  double speedup;       /**< sequential_ms divided by the time of the run */
  double overlap; /**< 0 if no stages overlapped, 1 if the run was as short as its longest stage */
  int32_t bound;  /**< the spl_stage with the longest time */
} spl_pipeline_info;

/**
 * Makes a pipeline with this number of buffers. trace records the timeline; 0 means no trace. Fails
 * with SPL_INVALID_ARGUMENT unless there are 1 to 65536 buffers.
 */
spl_status spl_pipeline_make(spl_context context, const spl_pipeline_stages *stages, size_t buffers,
                             spl_trace trace, spl_pipeline *pipeline);

/**
 * Calls the stages' functions for the next batch. The first batch of a run is 0. Waits only while
 * all buffers are in flight.
 *
 * If a stage has failed, this function or spl_pipeline_finish waits for all batches in flight, ends
 * the run and returns the status of the first batch that failed. spl_last_error_info has the batch
 * and the stage. The next submit begins a new run.
 */
spl_status spl_pipeline_submit(spl_pipeline pipeline);

/**
 * Waits until every batch has left a pipeline, and ends the run. Fails as spl_pipeline_submit
 * fails.
 */
spl_status spl_pipeline_finish(spl_pipeline pipeline);

/** Submits this number of batches and finishes. Fails as spl_pipeline_submit. */
spl_status spl_pipeline_run(spl_pipeline pipeline, size_t batches);

/**
 * Writes to info the times of the current run so far, or between two runs those of the last run.
 */
spl_status spl_pipeline_get(spl_pipeline pipeline, spl_pipeline_info *info);

/** Frees a pipeline. Waits for all batches in flight. */
spl_status spl_pipeline_free(spl_pipeline pipeline);

#ifdef __cplusplus
}
#endif

#endif
