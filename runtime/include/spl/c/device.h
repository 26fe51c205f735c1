/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The backends and devices of this machine. A backend is named "cuda" or "cpu"; "auto" is the first
 * one that is available.
 *
 * No function here initialises the CUDA driver in this process, because a child process made by
 * fork could then not use CUDA. A short-lived child process queries the driver once instead.
 */
#ifndef SPL_C_DEVICE_H
#define SPL_C_DEVICE_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Whether a backend can be used on this machine. Its text is valid until the thread's next call of
 * spl_backend_at.
 */
typedef struct spl_backend_info {
  const char *name;
  int32_t available;  /**< 0 or 1 */
  const char *reason; /**< why not; empty if it is available */
} spl_backend_info;

/** One device of a backend. */
typedef struct spl_device_info {
  const char *backend;      /**< the backend's name; never freed */
  int32_t index;            /**< the index for spl_context_make */
  char name[256];           /**< the vendor's product name */
  char uuid[64];            /**< CUDA: hexadecimal; a MIG instance has its own. Empty on the
                                 CPU and with drivers before 11.4 */
  uint64_t memory_total;    /**< bytes */
  uint64_t memory_free;     /**< bytes; UINT64_MAX if unknown, as for CUDA without a context */
  int32_t compute_units;    /**< multiprocessors, or threads of the CPU */
  int32_t capability;       /**< CUDA: 10 * major + minor, as in sm_90; else 0 */
  int32_t driver_version;   /**< CUDA: 1000 * major + 10 * minor; else 0 */
  int64_t max_group_size;   /**< work-items in one group, all axes together */
  int64_t max_local[3];     /**< work-items in one group along each axis */
  int64_t max_groups[3];    /**< groups along each axis */
  int64_t max_shared_bytes; /**< shared memory of one group, in bytes */
  int64_t unit_size;        /**< work-items that a compute unit holds at once */
  char problem[256];        /**< why the device cannot be opened; empty if it can */
} spl_device_info;

/** Returns the number of backends, available or not. Never fails. */
size_t spl_backend_count(void);

/**
 * Writes to info whether a backend can be used on this machine. index counts the backends from 0 in
 * order of preference. Fails with SPL_INVALID_ARGUMENT for an index beyond spl_backend_count(), but
 * not for a backend that is not available.
 */
spl_status spl_backend_at(size_t index, spl_backend_info *info);

/**
 * Writes to name the backend of spl_context_make_default: the one that SPL_BACKEND names, or the
 * first one that is available. The text is never freed. Fails with SPL_INVALID_ARGUMENT for an
 * unknown name in SPL_BACKEND.
 */
spl_status spl_preferred_backend(const char **name);

/**
 * Writes to count the number of devices of a backend. Fails with SPL_INVALID_ARGUMENT for an
 * unknown name, and with SPL_BACKEND_UNAVAILABLE for a backend that cannot be used; the message has
 * the reason.
 */
spl_status spl_device_count(const char *backend, int32_t *count);

/**
 * Writes to info the description of a device of a backend. index counts the devices from 0. Opens
 * no device. Fails as spl_device_count fails, and with SPL_INVALID_ARGUMENT for an index beyond the
 * count.
 */
spl_status spl_device_at(const char *backend, int32_t index, spl_device_info *info);

#ifdef __cplusplus
}
#endif

#endif
