/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Pools of memory that is allocated and freed in the order of streams. No call waits for the
 * device. The pool uses freed memory for later arrays.
 */
#ifndef SPL_C_POOL_H
#define SPL_C_POOL_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The memory of a pool, in bytes. */
typedef struct spl_pool_info {
  size_t used;      /**< in live arrays */
  size_t used_high; /**< the maximum of used so far */
  size_t reserved;  /**< taken from the device, used or not */
  size_t arrays;    /**< the number of live arrays */
} spl_pool_info;

/**
 * Makes a pool. max_bytes is the maximum of its live memory; 0 means all memory of the device.
 * keep_bytes is the unused memory that a sync leaves in the pool. Fails with
 * SPL_UNSUPPORTED_ON_TARGET if the driver has no pools.
 */
spl_status spl_pool_make(spl_context context, size_t max_bytes, size_t keep_bytes, spl_pool *pool);

/**
 * Allocates an array, as spl_array_alloc does, for operations that are enqueued in stream after
 * this call. Other streams must wait for an event recorded in stream after this call. The memory is
 * freed in the order of the streams that used it. Fails with SPL_OUT_OF_MEMORY also if the pool
 * would exceed max_bytes.
 */
spl_status spl_pool_alloc(spl_pool pool, const char *element, int32_t rank, const int64_t *extents,
                          spl_stream stream, spl_array *array);

/** Writes to info the state of a pool's memory. */
spl_status spl_pool_get(spl_pool pool, spl_pool_info *info);

/** Returns a pool's unused memory to the device, except keep_bytes. */
spl_status spl_pool_trim(spl_pool pool, size_t keep_bytes);

/** Frees a pool. Its memory is freed with the last of its arrays. */
spl_status spl_pool_free(spl_pool pool);

#ifdef __cplusplus
}
#endif

#endif
