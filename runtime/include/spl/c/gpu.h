/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A small set of functions for interpreters, on one context of the process. The first call makes
 * it, as spl_context_make_default does. A child made by fork makes its own context, on the CPU if
 * its parent used CUDA; if SPL_BACKEND is cuda, that fails.
 *
 * The functions take and return only numbers and pointers. A handle of 0 and a negative number,
 * which is a status with its sign changed, mean that the call failed; spl_last_error() says why.
 * All other functions accept the handles of arrays and streams.
 */
#ifndef SPL_C_GPU_H
#define SPL_C_GPU_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns 1 if the functions use a GPU, and 0 if they use the CPU because there is no GPU or
 * SPL_BACKEND says so. Returns a negative number if SPL_BACKEND names a backend that cannot be
 * used. Opens no device.
 */
int32_t spl_gpu_available(void);

/** Returns the name of the backend in use, such as "cuda"; null if the call failed. */
const char *spl_gpu_backend_name(void);

/** Returns the number of devices of that backend. */
int32_t spl_gpu_device_count(void);

/** Makes a handle of the context, for other functions; 0 if the call failed. */
spl_context spl_gpu_context(void);

/**
 * Allocates an array of rank 1 with count elements, each zero; element is a type as of
 * spl_array_alloc. Returns its handle, or 0.
 */
spl_array spl_gpu_alloc_zeros(const char *element, int64_t count);

/** The same with each element one; element is a scalar type: "f32", "i64", "bool" and so on. */
spl_array spl_gpu_alloc_ones(const char *element, int64_t count);

/** Frees an array. Returns 0. */
int32_t spl_gpu_free(spl_array array);

/** Makes a stream. Returns its handle, or 0. */
spl_stream spl_gpu_stream_create(void);

/** Waits for all work of a stream. Returns 0, or its asynchronous error. */
int32_t spl_gpu_stream_sync(spl_stream stream);

/** Returns 1 if all work of a stream is done, 0 if not. */
int32_t spl_gpu_stream_query(spl_stream stream);

/** Frees a stream's handle, as spl_stream_free. Returns 0. */
int32_t spl_gpu_stream_free(spl_stream stream);

/**
 * Uploads a batch in one stream: to each of count arrays the bytes at its source. The number of
 * bytes must be the array's size. The host memory must not change until the stream's work is done.
 * Uploads nothing if one of the arrays does not match. Returns 0.
 */
int32_t spl_gpu_async_upload_batch(const spl_array *arrays, const void *const *sources,
                                   const size_t *bytes, size_t count, spl_stream stream);

#ifdef __cplusplus
}
#endif

#endif
