/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Device memory with an element type and a shape. An array and its views share the memory, and the
 * last of them frees it.
 *
 * Element types are text in the kernel language:
 *
 * - scalars: "bool", "i8" to "i64", "u8" to "u64", "f16", "bf16", "f32", "f64"; a bool is one byte,
 *   0 or 1
 * - vectors, "f32x4", and arrays, "[f32; 3]"
 * - structs and enums with the layout of C; the definitions precede the name: "struct Body(pos:
 *   f32x4, mass: f32) Body"
 * - "bytes(32, 16)": any struct of 32 bytes that is aligned to 16
 *
 * Transfers without a stream are complete when they return. They wait for the work of all streams
 * that use the array, and for the default stream.
 *
 * Transfers with a stream return before they are complete. The host memory must not change until
 * the stream's work is done. On CUDA, a transfer from or to host memory that is not pinned returns
 * only when it is complete.
 *
 * Transfers fail with SPL_INVALID_ARGUMENT if the sizes do not match. A transfer that waits for
 * work also fails with the asynchronous error of that work.
 */
#ifndef SPL_C_ARRAY_H
#define SPL_C_ARRAY_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;

/** The kind of an array's memory: a number of spl_memory_place. */
typedef int32_t spl_place;

/** The kinds of memory. */
enum spl_memory_place {
  SPL_PLACE_DEVICE = 0,
  SPL_PLACE_UNIFIED = 1, /**< used by the host and by the device */
  SPL_PLACE_PINNED = 2,  /**< host memory that the device can use over the bus */
};

/** The description of an array. */
typedef struct spl_array_info {
  const char *element;     /**< the element type's name; lasts as long as the array's handle */
  size_t element_bytes;    /**< the size of one element */
  int32_t rank;            /**< 1 to 4 */
  int64_t extents[4];      /**< in elements, outermost first (row-major) */
  int64_t size;            /**< the number of elements */
  size_t size_bytes;       /**< the number of bytes */
  uint64_t address;        /**< the device address of the first element; 0 if there is none */
  int32_t host_accessible; /**< whether spl_array_host may be called: 0 or 1 */
  int32_t read_only;       /**< whether kernels may not write to it: 0 or 1 */
} spl_array_info;

/**
 * Writes the size of an element type to bytes and its alignment to align. Fails with
 * SPL_INVALID_ARGUMENT for an unknown type.
 */
spl_status spl_element_layout(const char *element, size_t *bytes, size_t *align);

/**
 * Allocates an array with rank extents, outermost first. An extent may be 0. The contents are
 * undefined. Fails with
 *
 * - SPL_INVALID_ARGUMENT for an unknown type, a rank other than 1 to 4, a negative extent or a size
 *   beyond 2^63 bytes
 * - SPL_OUT_OF_MEMORY; the message has the requested and the free size
 * - SPL_UNSUPPORTED_ON_TARGET if the device has no memory of that kind
 */
spl_status spl_array_alloc(spl_context context, const char *element, int32_t rank,
                           const int64_t *extents, spl_place place, spl_array *array);

/** As spl_array_alloc for device memory; sets every byte to zero. */
spl_status spl_array_alloc_zeros(spl_context context, const char *element, int32_t rank,
                                 const int64_t *extents, spl_array *array);

/**
 * As spl_array_alloc for device memory; copies the array's elements from source. source may be null
 * if the array has no elements.
 */
spl_status spl_array_alloc_upload(spl_context context, const char *element, int32_t rank,
                                  const int64_t *extents, const void *source, spl_array *array);

/**
 * Makes an array in memory of another owner, without a copy. The device must be able to use the
 * memory at address. The memory must stay valid until the array and its views are freed and the
 * work of their streams is done. If release is not null, it is then called with user, once and on
 * any thread. release is not called if this function fails.
 */
spl_status spl_array_borrow(spl_context context, uint64_t address, const char *element,
                            int32_t rank, const int64_t *extents, void (*release)(void *user),
                            void *user, spl_array *array);

/**
 * Makes an array of another library's tensor (dlpack.h) without a copy. Takes ownership of the
 * tensor and calls its deleter once, unless this function fails. Fails with SPL_INVALID_ARGUMENT if
 * the tensor is on another device, has more than 4 axes, has an element type that the language
 * lacks, or is not row-major.
 */
spl_status spl_array_from_dlpack(spl_context context, struct DLManagedTensor *tensor,
                                 spl_array *array);

/**
 * Makes a tensor for another library and writes it to tensor. The tensor shares the array's memory,
 * and the other library must call its deleter. Waits for the work that uses the array. Fails with
 * SPL_INVALID_ARGUMENT for an element type that DLPack lacks.
 */
spl_status spl_array_to_dlpack(spl_array array, struct DLManagedTensor **tensor);

/** Writes the description of an array to info. */
spl_status spl_array_get(spl_array array, spl_array_info *info);

/**
 * Writes to data the host's address of the elements, or null if there are none. The host may use
 * the elements while no work uses them. The address is valid as long as the memory. Fails with
 * SPL_INVALID_ARGUMENT if the host cannot use the memory.
 */
spl_status spl_array_host(spl_array array, void **data);

/**
 * Makes a view of extent rows along the first axis, from row begin. It shares the memory. If
 * read_only is not 0, kernels may not write to the view. Fails with SPL_INVALID_ARGUMENT if the
 * rows exceed the array.
 */
spl_status spl_array_view(spl_array array, int64_t begin, int64_t extent, int32_t read_only,
                          spl_array *view);

/**
 * Makes a view of the same elements with another row-major shape. It shares the memory. Fails with
 * SPL_INVALID_ARGUMENT if the number of elements differs.
 */
spl_status spl_array_reshape(spl_array array, int32_t rank, const int64_t *extents,
                             spl_array *view);

/** Copies the whole array from host memory. bytes must be the array's size. */
spl_status spl_array_upload(spl_array array, const void *source, size_t bytes);

/** As spl_array_upload, in a stream. */
spl_status spl_array_upload_async(spl_array array, const void *source, size_t bytes,
                                  spl_stream stream);

/** Copies the whole array to host memory. bytes must be the array's size. */
spl_status spl_array_download(spl_array array, void *target, size_t bytes);

/** As spl_array_download, in a stream. */
spl_status spl_array_download_async(spl_array array, void *target, size_t bytes, spl_stream stream);

/** Sets every element to the value at element. bytes must be the size of the element type. */
spl_status spl_array_fill(spl_array array, const void *element, size_t bytes);

/** As spl_array_fill, in a stream. The value at element may change after the call. */
spl_status spl_array_fill_async(spl_array array, const void *element, size_t bytes,
                                spl_stream stream);

/** Copies the whole array into target, of the same context, element type and size. */
spl_status spl_array_copy(spl_array array, spl_array target);

/** As spl_array_copy, in a stream. */
spl_status spl_array_copy_async(spl_array array, spl_array target, spl_stream stream);

/**
 * Copies the whole array into target, an array of another context. Copies from device to device if
 * the hardware can, else through the host.
 */
spl_status spl_array_copy_to_peer(spl_array array, spl_array target);

/**
 * As spl_array_copy_to_peer, in a stream of the array's context. Both contexts must be of one
 * backend.
 */
spl_status spl_array_copy_to_peer_async(spl_array array, spl_array target, spl_stream stream);

/**
 * Frees an array, and its memory unless other arrays share it. On CUDA this waits for the device,
 * except for memory of a pool.
 */
spl_status spl_array_free(spl_array array);

#ifdef __cplusplus
}
#endif

#endif
