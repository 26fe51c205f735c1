/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * Loaded code and its kernels. A module and each kernel of it keep the code loaded. Both may be
 * used from several threads at once. Kernels from source are in <spl/c/jit.h>.
 */
#ifndef SPL_C_MODULE_H
#define SPL_C_MODULE_H

#include <spl/c/types.h>
#include <spl/cpu_abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A kernel that is compiled into this process. */
typedef struct spl_host_kernel {
  const char *signature; /**< such as "fill(out: &mut [f32], value: f32)" */
  spl_cpu_entry entry;
  spl_cpu_entry unchecked; /**< for launches that meet the signature's launch contract; null if the
                                signature has no contract; other launches run entry */
} spl_host_kernel;

/** The description of a kernel. The text is valid as long as the kernel's handle. */
typedef struct spl_kernel_info {
  const char *name;
  const char *signature; /**< with the structs and enums that the kernel needs, and the launch
                            contract */
  const char *prototype; /**< the signature without structs, enums and contract, for messages */
  const char *contract;  /**< the launch contract; "" if there is none */
  size_t parameters;     /**< the number of parameters */
  int32_t block_rank;    /**< the number of axes of block; 0 if the group size is not fixed */
  int64_t block[3];      /**< the group size that every launch must have */
} spl_kernel_info;

/** A parameter of a kernel. The text is valid as long as the kernel's handle. */
typedef struct spl_parameter {
  const char *name;
  const char *type;     /**< as in the source: "f32", "&[f32]", "&mut [f32, 2]" */
  const char *element;  /**< the element type of a slice, else the type itself */
  size_t element_bytes; /**< the size of element */
  int32_t rank;         /**< 1 to 4 for a slice, else 0 */
  int32_t is_mutable;   /**< whether it is a &mut slice: 0 or 1 */
  int32_t is_alias;     /**< whether it may share memory with any other parameter: 0 or 1 */
} spl_parameter;

/** The resources that a kernel needs. On the CPU only group_size is known. */
typedef struct spl_kernel_attributes_info {
  int32_t registers;      /**< per work-item */
  int64_t shared_bytes;   /**< declared in the kernel, per group */
  int64_t local_bytes;    /**< local arrays and spilled registers, per work-item */
  int64_t constant_bytes; /**< the size of its constants */
  int64_t group_size;     /**< the maximum number of work-items of a group */
} spl_kernel_attributes_info;

/**
 * Loads the image at image, which has size bytes. The image is a bundle, or for a GPU also PTX, a
 * cubin or a fatbin. Of a bundle, only the code for the device is loaded. Bundles and PTX contain
 * the signatures of their kernels. For a cubin or a fatbin, pass count signatures. Fails with
 * SPL_UNSUPPORTED_ON_TARGET if there is no code for the device, and with SPL_INVALID_IMAGE for a
 * damaged image; the message has the driver's text if there is one.
 */
spl_status spl_module_load(spl_context context, const void *image, size_t size,
                           const char *const *signatures, size_t count, spl_module *module);

/**
 * Loads count kernels that are compiled into this process, for the CPU. The entry points must stay
 * valid until the module and its kernels are freed. If release is not null, it is then called once
 * with user. release is not called if this function fails. Fails with SPL_UNSUPPORTED_ON_TARGET on
 * a GPU. Fails with SPL_INVALID_IMAGE for a wrong signature, for a launch contract without an
 * unchecked entry point, and for an unchecked entry point without a launch contract.
 */
spl_status spl_module_load_host(spl_context context, const spl_host_kernel *kernels, size_t count,
                                void (*release)(void *user), void *user, spl_module *module);

/** Writes to count the number of kernels of a module. */
spl_status spl_module_kernel_count(spl_module module, size_t *count);

/** Makes a handle of one kernel. index counts the kernels from 0 in the image's order. */
spl_status spl_module_kernel_at(spl_module module, size_t index, spl_kernel *kernel);

/**
 * Makes a handle of the kernel called name. An instance of a generic kernel has two names,
 * "scale[f32]" and "scale__f32". Fails with SPL_UNKNOWN_KERNEL for another name; the message has
 * the most similar kernel and all kernels.
 */
spl_status spl_module_kernel(spl_module module, const char *name, spl_kernel *kernel);

/** Frees a module. Its kernels stay usable. */
spl_status spl_module_free(spl_module module);

/** Writes the description of a kernel to info. */
spl_status spl_kernel_get(spl_kernel kernel, spl_kernel_info *info);

/** Writes the description of one parameter to parameter. index counts the parameters from 0. */
spl_status spl_kernel_parameter(spl_kernel kernel, size_t index, spl_parameter *parameter);

/** Writes to attributes the resources that a kernel needs. */
spl_status spl_kernel_attributes(spl_kernel kernel, spl_kernel_attributes_info *attributes);

/**
 * Computes the occupancy with groups of group_size work-items and shared_bytes of dynamic shared
 * memory each. Writes to groups_per_unit the number of groups that a compute unit runs at once.
 * Writes to of_work_items the number of work-items in these groups divided by the unit's maximum, 0
 * to 1. Fails with SPL_INVALID_ARGUMENT for a group size below 1 or a negative number of bytes.
 */
spl_status spl_kernel_occupancy(spl_kernel kernel, int64_t group_size, int64_t shared_bytes,
                                int32_t *groups_per_unit, double *of_work_items);

/**
 * Writes to group_size the group size with the best occupancy. If the kernel fixes its group size,
 * writes that size. Fails with SPL_INVALID_ARGUMENT for a negative number of bytes.
 */
spl_status spl_kernel_suggested_group_size(spl_kernel kernel, int64_t shared_bytes,
                                           int64_t *group_size);

/**
 * Writes to groups the number of groups of group_size work-items and shared_bytes of dynamic shared
 * memory each that a cooperative launch may have, because the device runs them at once. If the
 * kernel has a grid barrier, a launch of more groups is refused. Fails with
 * SPL_UNSUPPORTED_ON_TARGET for a device without cooperative launches, and with
 * SPL_INVALID_ARGUMENT for a group size below 1 or a negative number of bytes.
 */
spl_status spl_kernel_max_cooperative_groups(spl_kernel kernel, int64_t group_size,
                                             int64_t shared_bytes, int64_t *groups);

/** Frees a kernel's handle. */
spl_status spl_kernel_free(spl_kernel kernel);

#ifdef __cplusplus
}
#endif

#endif
