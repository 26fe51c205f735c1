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
  spl_cpu_entry unchecked; /**< of a signature with a launch contract, for the launches for which it
                                holds; else null */
} spl_host_kernel;

/** The description of a kernel. Its text lasts as long as the kernel's handle. */
typedef struct spl_kernel_info {
  const char *name;
  const char *signature; /**< in the language, with the structs and enums that it needs, and the
                            launch contract */
  const char *prototype; /**< the same without those, for people */
  const char *contract;  /**< the launch contract, "" if it has none */
  size_t parameters;     /**< how many there are for spl_kernel_parameter */
  int32_t block_rank; /**< axes of the group size that every launch must have; 0 if any will do */
  int64_t block[3];   /**< that group size */
} spl_kernel_info;

/** A parameter of a kernel. Its text lasts as long as the kernel's handle. */
typedef struct spl_parameter {
  const char *name;
  const char *type;     /**< as in the source: "f32", "&[f32]", "&mut [f32, 2]" */
  const char *element;  /**< of a slice its element type, else the type itself */
  size_t element_bytes; /**< the size of that */
  int32_t rank;         /**< of a slice 1 to 4, else 0 */
  int32_t is_mutable;   /**< whether it is a &mut slice: 0 or 1 */
  int32_t is_alias;     /**< whether it may share memory with any other: 0 or 1 */
} spl_parameter;

/** The resources that a kernel needs. On the CPU only group_size is known. */
typedef struct spl_kernel_attributes_info {
  int32_t registers;      /**< per work-item */
  int64_t shared_bytes;   /**< declared in the kernel, per group */
  int64_t local_bytes;    /**< local arrays and spilled registers, per work-item */
  int64_t constant_bytes; /**< of constants */
  int64_t group_size;     /**< the maximum number of work-items of a group */
} spl_kernel_attributes_info;

/**
 * Loads the size bytes at image: a bundle, of which it loads the code for the device, or for a GPU
 * PTX, a cubin or a fatbin. Bundles and PTX contain the signatures of their kernels; a binary needs
 * count strings at signatures. Fails with SPL_UNSUPPORTED_ON_TARGET if there is no code for the
 * device, and SPL_INVALID_IMAGE, with the driver's message if there is one, for a damaged image.
 */
spl_status spl_module_load(spl_context context, const void *image, size_t size,
                           const char *const *signatures, size_t count, spl_module *module);

/**
 * Loads count kernels of this process for the CPU. release, where it is not null, is called once
 * with user when the module and its kernels have ended; until then the entries must stay. It is not
 * called where this fails. Fails with SPL_UNSUPPORTED_ON_TARGET on a GPU, SPL_INVALID_IMAGE for a
 * signature that is wrong and where an unchecked entry is missing or not asked for.
 */
spl_status spl_module_load_host(spl_context context, const spl_host_kernel *kernels, size_t count,
                                void (*release)(void *user), void *user, spl_module *module);

/** Writes to count how many kernels a module has. */
spl_status spl_module_kernel_count(spl_module module, size_t *count);

/** Makes a handle of the kernel at index, from 0, in the image's order. */
spl_status spl_module_kernel_at(spl_module module, size_t index, spl_kernel *kernel);

/**
 * Makes a handle of the kernel called name, an instance of a generic one by either of its names
 * ("scale[f32]", "scale__f32"). Fails with SPL_UNKNOWN_KERNEL, which names the nearest and all
 * there are.
 */
spl_status spl_module_kernel(spl_module module, const char *name, spl_kernel *kernel);

/** Frees a module. Its kernels stay usable. */
spl_status spl_module_free(spl_module module);

/** Writes the description of a kernel to info. */
spl_status spl_kernel_get(spl_kernel kernel, spl_kernel_info *info);

/** Writes the description of the parameter at index, from 0, to parameter. */
spl_status spl_kernel_parameter(spl_kernel kernel, size_t index, spl_parameter *parameter);

/** Writes the resources that a kernel needs to attributes. */
spl_status spl_kernel_attributes(spl_kernel kernel, spl_kernel_attributes_info *attributes);

/**
 * Writes the occupancy with groups of group_size work-items and shared_bytes of dynamic shared
 * memory each: to groups_per_unit the number of groups that a compute unit runs at once, to
 * of_work_items their work-items as a part of the unit's maximum, 0 to 1. Fails with
 * SPL_INVALID_ARGUMENT for a group size below 1 or a negative number of bytes.
 */
spl_status spl_kernel_occupancy(spl_kernel kernel, int64_t group_size, int64_t shared_bytes,
                                int32_t *groups_per_unit, double *of_work_items);

/**
 * Writes to group_size the group size with the best occupancy; the kernel's own if it is fixed.
 * Fails with SPL_INVALID_ARGUMENT for a negative number of bytes.
 */
spl_status spl_kernel_suggested_group_size(spl_kernel kernel, int64_t shared_bytes,
                                           int64_t *group_size);

/** Frees a kernel's handle. */
spl_status spl_kernel_free(spl_kernel kernel);

#ifdef __cplusplus
}
#endif

#endif
