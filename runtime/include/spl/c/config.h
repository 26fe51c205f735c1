/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * The settings of the config file, dl.config.sdn, which docs/runtime.md describes. Reading a file
 * opens no device and prints nothing. An error in a file is SPL_INVALID_ARGUMENT. Its message
 * starts with "FILE:LINE: ".
 */
#ifndef SPL_C_CONFIG_H
#define SPL_C_CONFIG_H

#include <spl/c/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The settings of a config. Text that is not set is empty. The text is valid as long as the
 * config's handle.
 */
typedef struct spl_config_info {
  const char *file;    /**< the file that was read; empty if none was found */
  const char *backend; /**< of `device` or `backend`; empty if neither is set */
  int32_t device;      /**< the index that `device` names, 0 if it names none */
  int32_t use_gpu;     /**< `use_gpu`: 0 or 1; -1 if it is not set */
  const char *dtype;   /**< `dtype`, such as "f32"; empty if it is not set */
  const char *place;   /**< the line that sets the backend, as "FILE:LINE"; empty if no line does */
  size_t warnings;     /**< the number of texts of spl_config_warning */
  int32_t cpu_threads; /**< `cpu_threads`, 1 to 65536; 0 if it is not set */
} spl_config_info;

/**
 * Reads the file that SPL_CONFIG names. Without SPL_CONFIG, reads dl.config.sdn in the working
 * directory or the nearest parent that has one. If there is no such file, the config has no
 * settings. Fails as spl_config_load fails, and with SPL_INVALID_ARGUMENT if the file that
 * SPL_CONFIG names is missing.
 */
spl_status spl_config_find(spl_config *config);

/**
 * Reads the file at path. Fails with SPL_INVALID_ARGUMENT if the file cannot be read, is not a
 * regular file, is larger than 64 KiB, or has an error.
 */
spl_status spl_config_load(const char *path, spl_config *config);

/**
 * Reads text. Messages use name as the name of the file. Fails with SPL_INVALID_ARGUMENT for the
 * first wrong line, and for settings that contradict each other.
 */
spl_status spl_config_parse(const char *text, const char *name, spl_config *config);

/** Writes the settings of a config to info. */
spl_status spl_config_get(spl_config config, spl_config_info *info);

/**
 * Writes to text the sentence about one unknown key. index counts the unknown keys from 0, in the
 * order of the file. Fails with SPL_INVALID_ARGUMENT beyond spl_config_info.warnings.
 */
spl_status spl_config_warning(spl_config config, size_t index, const char **text);

/** Frees a config. */
spl_status spl_config_free(spl_config config);

#ifdef __cplusplus
}
#endif

#endif
