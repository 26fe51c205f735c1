/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A small set for interpreters, on one context of the process that is made at first use, as
 * spl_context_make_default does; a child made by fork makes its own, on the CPU if its parent used
 * CUDA, unless SPL_BACKEND asks for cuda, which then fails. There are only numbers and pointers: a
 * handle that is 0 and a number below 0, which is a status with its sign changed, say that a call
 * failed; spl_last_error() says why. The handles are ordinary ones of arrays and streams, and every
 * other function takes them.
 */
#ifndef SPL_C_GPU_H
#define SPL_C_GPU_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Answers 1 if the set works on a GPU, 0 if on the CPU, because there is no GPU or the
 * environment's SPL_BACKEND says so, a number below 0 if that asks for a backend that cannot be
 * used. Opens no device.
 */
int32_t spl_gpu_available(void);

/** Answers the name of the backend that the set works on, such as "cuda"; null if it failed. */
const char *spl_gpu_backend_name(void);

/** Answers how many devices that backend has. */
int32_t spl_gpu_device_count(void);

/** Makes a handle of the set's context, for the functions that take one; 0 if it failed. */
spl_context spl_gpu_context(void);

/**
 * Allocates an array of rank 1 with count elements, each zero; element is a type as of
 * spl_array_alloc. Answers its handle, or 0.
 */
spl_array spl_gpu_alloc_zeros(const char *element, int64_t count);

/** The same with each element one; element is a scalar type: "f32", "i64", "bool" and so on. */
spl_array spl_gpu_alloc_ones(const char *element, int64_t count);

/** Ends an array. Answers 0. */
int32_t spl_gpu_free(spl_array array);

/** Makes a stream. Answers its handle, or 0. */
spl_stream spl_gpu_stream_create(void);

/** Waits for all of a stream's work. Answers 0, or what that left as an error. */
int32_t spl_gpu_stream_sync(spl_stream stream);

/** Answers 1 if all of a stream's work is done, 0 if not. */
int32_t spl_gpu_stream_query(spl_stream stream);

/** Ends a stream's handle, as spl_stream_free. Answers 0. */
int32_t spl_gpu_stream_free(spl_stream stream);

/**
 * Uploads a batch: to each of count arrays what is at its source, of its number of bytes, which
 * must be the array's size; all in one stream. The host memory must stay as it is until the
 * stream's work is done. Nothing is uploaded if any of it does not fit. Answers 0.
 */
int32_t spl_gpu_async_upload_batch(const spl_array *arrays, const void *const *sources,
                                   const size_t *bytes, size_t count, spl_stream stream);

#ifdef __cplusplus
}
#endif

#endif
