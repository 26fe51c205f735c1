/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A context is an open device. It allocates memory and runs kernels. Many threads may use a context
 * at once.
 *
 * A sticky error, such as a GPU's trap or an access to unmapped memory, makes the context unusable.
 * Each later call that reaches the device fails with SPL_DEVICE_LOST and the first error's message.
 * A fault that a kernel's own checks report is not sticky, except on CUDA (stream.h).
 */
#ifndef SPL_C_CONTEXT_H
#define SPL_C_CONTEXT_H

#include <spl/c/device.h>
#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Opens the device that the environment names: SPL_BACKEND (auto, or a backend's name) and
 * SPL_DEVICE (an index, 0 if unset). Fails with SPL_INVALID_ARGUMENT for an unknown value, and with
 * SPL_BACKEND_UNAVAILABLE for a backend or device that does not exist here.
 */
spl_status spl_context_make_default(spl_context *context);

/**
 * Opens a device of a backend, and never another one instead. "auto" is the first backend that is
 * available. Fails with SPL_INVALID_ARGUMENT for an unknown name, and with SPL_BACKEND_UNAVAILABLE
 * for a backend or device that cannot be used; the message has the reason.
 */
spl_status spl_context_make(const char *backend, int32_t device, spl_context *context);

/**
 * Opens a context like spl_context_make. On the CPU, at most cpu_threads threads run kernels at
 * once, for all streams of the context together. cpu_threads is 1 to 65536. Numbers beyond the
 * machine's threads mean all of them. With 0, the environment variable SPL_CPU_THREADS decides; if
 * it is not set, all threads run kernels. Fails with SPL_INVALID_ARGUMENT for other numbers.
 */
spl_status spl_context_make_limited(const char *backend, int32_t device, int32_t cpu_threads,
                                    spl_context *context);

/**
 * Opens the device that the config file names (spl_config_find). Ignores SPL_BACKEND and
 * SPL_DEVICE. Fails as spl_config_find and spl_context_make_with fail.
 */
spl_status spl_context_make_from_config(spl_context *context);

/**
 * Opens the device that a config names, or the first backend that is available if it names none.
 * Fails with SPL_BACKEND_UNAVAILABLE if the device does not exist; the message has the file's line
 * and the devices that exist.
 */
spl_status spl_context_make_with(spl_config config, spl_context *context);

/**
 * Writes to info the description of the context's device at the moment of the call, with its free
 * memory.
 */
spl_status spl_context_device(spl_context context, spl_device_info *info);

/**
 * Lets kernels and copies of a context access the memory of another one directly. Writes to reaches
 * whether the hardware supports that: 0 or 1.
 */
spl_status spl_context_enable_peer_access(spl_context context, spl_context other, int32_t *reaches);

/**
 * Waits for all work of all streams. Fails with the first asynchronous error, such as
 * SPL_KERNEL_FAULT. Fails with SPL_INVALID_ARGUMENT during a capture.
 */
spl_status spl_context_sync(spl_context context);

/** Frees a context. Objects that were made with it keep the device open. */
spl_status spl_context_free(spl_context context);

#ifdef __cplusplus
}
#endif

#endif
