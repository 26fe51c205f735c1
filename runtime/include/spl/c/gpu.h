/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A small set of functions for interpreters. They use one context for the process. The first call
 * makes the context, as spl_context_make_default does. A child process made by fork makes its own
 * context. If the parent used CUDA, the child's context is on the CPU, and making it fails if
 * SPL_BACKEND is cuda.
 *
 * The functions take and return only numbers and pointers. A call that fails returns a handle of 0,
 * or a negative number: the status with its sign changed. spl_last_error() has the details. The
 * functions of the other headers accept the handles of arrays and streams.
 */
#ifndef SPL_C_GPU_H
#define SPL_C_GPU_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns 1 if the functions use a GPU. Returns 0 if they use the CPU because there is no GPU or
 * SPL_BACKEND is cpu. Returns a negative number if SPL_BACKEND names a backend that cannot be used.
 * Opens no device.
 */
int32_t spl_gpu_available(void);

/** Returns the name of the backend in use, such as "cuda"; null if the call failed. */
const char *spl_gpu_backend_name(void);

/** Returns the number of devices of that backend. */
int32_t spl_gpu_device_count(void);

/**
 * Makes a handle of the context for the functions of the other headers. Returns 0 if the call
 * failed.
 */
spl_context spl_gpu_context(void);

/**
 * Allocates an array of rank 1 with count elements and sets them to zero. element is an element
 * type as for spl_array_alloc. Returns the array's handle, or 0.
 */
spl_array spl_gpu_alloc_zeros(const char *element, int64_t count);

/**
 * As spl_gpu_alloc_zeros, but sets the elements to one. element must be a scalar type: "f32",
 * "i64", "bool" and so on.
 */
spl_array spl_gpu_alloc_ones(const char *element, int64_t count);

/** Frees an array. Returns 0. */
int32_t spl_gpu_free(spl_array array);

/** Makes a stream. Returns the stream's handle, or 0. */
spl_stream spl_gpu_stream_create(void);

/** Waits for all work of a stream. Returns 0, or its asynchronous error. */
int32_t spl_gpu_stream_sync(spl_stream stream);

/** Returns 1 if all work of a stream is done, 0 if not. */
int32_t spl_gpu_stream_query(spl_stream stream);

/** Frees a stream's handle, as spl_stream_free. Returns 0. */
int32_t spl_gpu_stream_free(spl_stream stream);

/**
 * Uploads host memory to several arrays in one stream: bytes[i] bytes from sources[i] to arrays[i],
 * for each i below count. The number of bytes must be the array's size. If that does not hold for
 * one array, nothing is uploaded. The host memory must not change until the stream's work is done.
 * Returns 0.
 */
int32_t spl_gpu_async_upload_batch(const spl_array *arrays, const void *const *sources,
                                   const size_t *bytes, size_t count, spl_stream stream);

#ifdef __cplusplus
}
#endif

#endif
