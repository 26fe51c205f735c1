// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/**
 * \file
 * How code for a GPU reports a failed check. Plain C without dependencies. Compiler and runtime
 * both include it, so that neither has numbers of its own.
 *
 * A kernel with checks takes the address of a record as its last parameter. The launcher owns the
 * record, in memory that the device writes and the host reads, and clears it. The first work-item
 * that fails fills it; every work-item that fails then ends, and the others go on. With a null
 * address a failed check is a trap.
 *
 * The record holds numbers only. Their meaning is in the image, in the variable
 * SPL_FAULT_TABLE_NAME: a spl_fault_table with the sites and the texts. Both are little-endian.
 */
#ifndef SPL_FAULT_RECORD_H
#define SPL_FAULT_RECORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the record and of the table. It changes whenever one of them does. */
#define SPL_FAULT_VERSION 1u

/** In the seal of a record that is complete. */
#define SPL_FAULT_SEAL (0xfa017000u + SPL_FAULT_VERSION)

/** The first word of a table of any version. */
#define SPL_FAULT_TABLE_MAGIC 0x53467374u

/** The symbol of the table in an image. */
#define SPL_FAULT_TABLE_NAME "spl$faults"

/** What a work-item reports. A record of zeros is empty. The fields are those of FaultRecord.def.
 */
typedef struct spl_fault_record {
#define SPL_FAULT_FIELD(TYPE, NAME, COUNT) TYPE NAME[COUNT];
#include "spl/FaultRecord.def"
} spl_fault_record;

/** The beginning of a table. What follows are numbers in ULEB128: the count of sites, the fields of
 * each site, the count of texts and the size in bytes of each; and then the bytes of the texts. */
typedef struct spl_fault_table {
  uint32_t magic;   /**< SPL_FAULT_TABLE_MAGIC */
  uint32_t version; /**< SPL_FAULT_VERSION; what follows is that version's */
} spl_fault_table;

/** A check in the source. The fields are those of FaultSite.def. */
typedef struct spl_fault_site {
#define SPL_FAULT_SITE_FIELD(NAME) uint32_t NAME;
#include "spl/FaultSite.def"
} spl_fault_site;

#ifdef __cplusplus
}
#endif

#endif
