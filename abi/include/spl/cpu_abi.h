// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/**
 * \file
 * The contract between kernels compiled for the host and the CPU backend that runs them. Plain C
 * without dependencies, so that every compiler of kernels can include it. Nothing here allocates;
 * all memory belongs to the runtime and lives as long as the call it is passed to.
 */
#ifndef SPL_CPU_ABI_H
#define SPL_CPU_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The geometry of one launch, shared by all its groups. Counts are in work-items and groups, x
 * first. */
typedef struct spl_cpu_launch {
  int64_t numGroups[3];
  int64_t localSize[3];
  void *faultSink;     /**< the runtime's own; compiled code only passes it on */
  int64_t sharedBytes; /**< of dynamic shared memory, for each group */
  /** Other than 0 once the launch is to end: its time limit is over, or a work-item has failed.
   * Written by other threads while kernels run; code that was compiled to be interruptible reads it
   * in each loop, atomically, and reports a fault of kind TimeLimit. An object file of such code
   * defines the symbol spl_interruptible, a byte. */
  int64_t hasStopped;
} spl_cpu_launch;

/**
 * A kernel compiled for the host. Runs the groups [groupBegin, groupEnd), numbered with x fastest:
 * group = x + numGroups[0] * (y + numGroups[1] * z).
 *
 * params holds one pointer for each parameter of the kernel ABI, in source order: for a slice of
 * rank r a pointer to its address and r pointers to its int64_t extents, for a scalar a pointer to
 * its value (bool: one byte, 0 or 1). Called from several threads at once.
 */
typedef void (*spl_cpu_entry)(void *const *params, const spl_cpu_launch *launch, int64_t groupBegin,
                              int64_t groupEnd);

/** What a failed check reports. The names are those of FaultKinds.def. */
typedef enum spl_cpu_fault_kind {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE) SPL_FAULT_##NAME = NUMBER,
#include "spl/FaultKinds.def"
} spl_cpu_fault_kind;

/** In the kind of a site: the value that the check reports is the bits of a uint64_t. */
enum { SPL_CPU_UNSIGNED_VALUE = 0x100 };

/** Where a check is in the source: a constant that the compiler emits for each check. */
typedef struct spl_cpu_fault_site {
  int32_t kind;   /**< an spl_cpu_fault_kind, and SPL_CPU_UNSIGNED_VALUE or not */
  int32_t line;   /**< from 1 */
  int32_t column; /**< from 1 */
  const char *file;
  const char *subject; /**< the slice's name, an assertion's text, or "" */
} spl_cpu_fault_site;

/**
 * Called by compiled code where a check fails: records the first fault of the launch and leaves the
 * kernel; it does not return. value and bound are the index and the length, the exponent, or 0;
 * workItem holds the three global ids. The CPU backend provides it. It leaves by longjmp, so no
 * frame between the entry and this call may need unwinding.
 */
#ifdef __cplusplus
[[noreturn]]
#elif __STDC_VERSION__ >= 201112L
_Noreturn
#endif
void spl_cpu_fault(const spl_cpu_launch *launch, const spl_cpu_fault_site *site, int64_t value,
                   int64_t bound, const int64_t workItem[3]);

/**
 * Called by compiled code for each print: writes one line to standard output as a whole. In the
 * size bytes of format a byte 1 is before what is no text: a letter and a byte with the digits
 * after the point plus one, or 0 for as many as read back; or two more bytes 1 for a byte 1 itself.
 * The letters take the values in their order: i and u an int64 and a uint64, b a bool, f the bits
 * of a float, d those of a double, h and t those of f16 and bf16. With isMessage nothing is
 * written: the line is what a fault of kind AssertionFailed says that the same thread reports next
 * with an empty subject. The CPU backend provides it.
 */
void spl_cpu_print(const spl_cpu_launch *launch, const char *format, int64_t size,
                   const uint64_t *values, int32_t isMessage);

/**
 * Called by compiled code at the start of an entry: memory for one group at a time, of at least so
 * many bytes and launch->sharedBytes more, aligned to 64. It is the calling thread's until the
 * entry returns; what it holds is undefined. Where there is no such memory it leaves the kernel, as
 * spl_cpu_fault does. The CPU backend provides it.
 */
void *spl_cpu_scratch(const spl_cpu_launch *launch, int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
