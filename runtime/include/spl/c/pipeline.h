/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Batches of work in three stages that overlap: while one batch computes, the next is uploaded and
 * the one before downloaded. Each stage has a stream of its own, and events hand a batch from stage
 * to stage; the caller owns the memory, one set of it for each buffer. With 1 buffer the stages run
 * one after another, with 2 the transfers of one batch hide behind the computing of the other, with
 * 3 all stages run at once.
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
 * What gives a stage's work for one batch to a stream, in memory of which there is one set for each
 * buffer, from 0. It is called when the buffer's former batch has left the pipeline, in the thread
 * that submits, and holds up all stages if it waits for anything. The stream's handle is good until
 * it returns. A status other than SPL_OK is the batch's failure.
 */
typedef spl_status (*spl_stage_function)(void *user, size_t batch, size_t buffer,
                                         spl_stream stream);

/** The stages of a pipeline. One that is null takes no time. */
typedef struct spl_pipeline_stages {
  spl_stage_function upload;
  spl_stage_function compute;
  spl_stage_function download;
  void *user; /**< what each of them is given */
} spl_pipeline_stages;

/** What a run took, in milliseconds as the device measures; wall_ms and blocked_ms as the host. */
typedef struct spl_pipeline_info {
  size_t batches;       /**< that left the pipeline */
  double stage_ms[3];   /**< in each spl_stage */
  double wall_ms;       /**< from the first submit to the end of finish */
  double blocked_ms;    /**< of that, submit waited for a buffer */
  double sequential_ms; /**< what the stages would take one after another */
  double speedup;       /**< how much faster than that it was */
  double overlap; /**< 0 if nothing overlapped, 1 if a run was as short as its longest stage */
  int32_t bound;  /**< the spl_stage that takes longest */
} spl_pipeline_info;

/**
 * Makes a pipeline with so many buffers. trace is where to note what ran when, 0 for nowhere. Fails
 * with SPL_INVALID_ARGUMENT for no buffers and more than 65536.
 */
spl_status spl_pipeline_make(spl_context context, const spl_pipeline_stages *stages, size_t buffers,
                             spl_trace trace, spl_pipeline *pipeline);

/**
 * Gives the next batch to the stages; the first of a run is batch 0. Waits only while all buffers
 * are in flight. Once a stage failed, this or spl_pipeline_finish waits for all that is in flight,
 * ends the run and answers the status of the first batch that failed: spl_last_error_info has the
 * batch and the stage. What comes next begins a new run.
 */
spl_status spl_pipeline_submit(spl_pipeline pipeline);

/** Waits until every batch has left a pipeline, and ends the run. Fails as spl_pipeline_submit. */
spl_status spl_pipeline_finish(spl_pipeline pipeline);

/** A run of so many batches. Fails as spl_pipeline_submit. */
spl_status spl_pipeline_run(spl_pipeline pipeline, size_t batches);

/** Writes to info what this run took as far as batches have left, or the last one. */
spl_status spl_pipeline_get(spl_pipeline pipeline, spl_pipeline_info *info);

/** Ends a pipeline. Waits for what is in flight. */
spl_status spl_pipeline_free(spl_pipeline pipeline);

#ifdef __cplusplus
}
#endif

#endif
