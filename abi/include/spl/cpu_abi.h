// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/**
 * \file
 * The ABI between kernels compiled for the CPU and the CPU backend, which runs them. The header is
 * plain C without dependencies. All memory belongs to the runtime, and is valid during the call
 * that it is passed to.
 */
#ifndef SPL_CPU_ABI_H
#define SPL_CPU_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The sizes of one launch, shared by all its groups. numGroups counts groups and localSize counts
 * work-items, x first. */
typedef struct spl_cpu_launch {
  int64_t numGroups[3];
  int64_t localSize[3];
  void *faultSink;     /**< belongs to the runtime; compiled code only passes it on */
  int64_t sharedBytes; /**< bytes of dynamic shared memory of each group */
  /** Not 0 if the launch must end, because its time limit has passed or a work-item has failed.
   * Other threads write it while kernels run. Code that is compiled as interruptible reads it
   * atomically in each loop, and reports a fault of kind TimeLimit if it is not 0. The object file
   * of such code defines a one-byte symbol spl_interruptible. */
  int64_t hasStopped;
  void *detector; /**< the runtime's own, of a checked launch; else null */
} spl_cpu_launch;

/**
 * A kernel compiled for the CPU. Runs the groups [groupBegin, groupEnd). The number of a group is x
 * + numGroups[0] * (y + numGroups[1] * z).
 *
 * params holds pointers to the values of the parameters, in source order. A slice of rank r has one
 * pointer to its address and r pointers to its int64_t extents. A scalar has one pointer to its
 * value (bool: one byte, 0 or 1). Several threads call the kernel at once.
 */
typedef void (*spl_cpu_entry)(void *const *params, const spl_cpu_launch *launch, int64_t groupBegin,
                              int64_t groupEnd);

/** The kind of a fault. FaultKinds.def lists them. */
typedef enum spl_cpu_fault_kind {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE) SPL_FAULT_##NAME = NUMBER,
#include "spl/FaultKinds.def"
} spl_cpu_fault_kind;

/** Flags in spl_cpu_fault_site.kind. */
enum {
  /** The value that the check reports is the bits of a uint64_t. */
  SPL_CPU_UNSIGNED_VALUE = 0x100,
  /** The site is the first member of an spl_cpu_called_fault_site. */
  SPL_CPU_HAS_CALLER = 0x200
};

/** The place of a check in the source. The compiler emits a constant of this type for each check.
 */
typedef struct spl_cpu_fault_site {
  int32_t kind;   /**< an spl_cpu_fault_kind, optionally with flags */
  int32_t line;   /**< from 1 */
  int32_t column; /**< from 1 */
  const char *file;
  const char *subject; /**< "a", "axis 1 of a", an assertion's text, or "" */
} spl_cpu_fault_site;

/** The place of a call in the source, through which a function was inlined. */
typedef struct spl_cpu_call {
  int32_t line;   /**< from 1; 0 if the function was not inlined, and its calls are not known */
  int32_t column; /**< from 1 */
  const char *file;
  const struct spl_cpu_call *caller; /**< of the function with this call; null in a kernel */
} spl_cpu_call;

/** In code that is compiled for checked launches: the place of a check in a function that a kernel
 * calls. */
typedef struct spl_cpu_called_fault_site {
  spl_cpu_fault_site site;
  const spl_cpu_call *caller;
} spl_cpu_called_fault_site;

/**
 * Records the fault if it is the first of the launch, and leaves the kernel. Compiled code calls it
 * if a check fails. It does not return. value and bound are the two numbers of the fault kind, such
 * as the index and the length; a number that the kind does not have is 0. workItem holds the three
 * global ids. It leaves by longjmp, so no frame between the entry and this call may need unwinding.
 * The CPU backend provides it.
 */
#ifdef __cplusplus
[[noreturn]]
#elif __STDC_VERSION__ >= 201112L
_Noreturn
#endif
void spl_cpu_fault(const spl_cpu_launch *launch, const spl_cpu_fault_site *site, int64_t value,
                   int64_t bound, const int64_t workItem[3]);

/**
 * Writes one line to standard output as a whole. Compiled code calls it for each print.
 *
 * format has size bytes. It is text, except where a byte 1 begins one of these sequences of three
 * bytes:
 * - 1, a letter, a byte: the next of the values. The byte is the number of digits after the point
 *   plus one, or 0 for the fewest digits that read back as the same value.
 * - 1, 1, 1: a byte 1 of the text.
 *
 * The letter is the type of the value: i is int64_t, u is uint64_t, b is bool. f, d, h and t are
 * the bits of an f32, f64, f16 and bf16.
 *
 * If isMessage is not 0, the line is not written. It is then the message of the next fault that
 * this thread reports with the kind AssertionFailed and an empty subject. The CPU backend provides
 * it.
 */
void spl_cpu_print(const spl_cpu_launch *launch, const char *format, int64_t size,
                   const uint64_t *values, int32_t isMessage);

/**
 * Returns memory for one group at a time, of at least bytes + launch->sharedBytes bytes, aligned to
 * 64. Compiled code calls it at the start of an entry. The calling thread may use the memory until
 * the entry returns. Its contents are undefined. If the allocation fails, it leaves the kernel as
 * spl_cpu_fault does. The CPU backend provides it.
 */
void *spl_cpu_scratch(const spl_cpu_launch *launch, int64_t bytes);

/**
 * Waits until each group of the launch has called it at the same site. Compiled code calls it once
 * for each group at a grid barrier. A kernel that does so has #[cooperative] in its signature. Its
 * entry is then called for one group at a time, on a stack of its own, and may be called or
 * continue on any thread. If a work-item has failed, or not all groups call it, it does not return.
 * The CPU backend provides it.
 */
void spl_cpu_grid_barrier(const spl_cpu_launch *launch, const spl_cpu_fault_site *site);

/** What instrumented code reports, the kind of a spl_cpu_trace_site. */
typedef enum spl_cpu_trace_kind {
  SPL_TRACE_LOAD = 0,
  SPL_TRACE_STORE = 1,
  SPL_TRACE_ATOMIC_LOAD = 2,
  SPL_TRACE_ATOMIC_STORE = 3,
  SPL_TRACE_ATOMIC_UPDATE = 4, /**< value is 0 for a compare-and-swap that stored nothing */
  SPL_TRACE_FENCE = 5,
  SPL_TRACE_ARRIVE = 6,      /**< at a barrier; all arrive before any leaves */
  SPL_TRACE_LEAVE = 7,       /**< the barrier */
  SPL_TRACE_WARP_ARRIVE = 8, /**< at a barrier of the active lanes of a warp */
  SPL_TRACE_WARP_LEAVE = 9,
  SPL_TRACE_UNIFORM = 10,     /**< value must be the same for all work-items of the group */
  SPL_TRACE_SHARED = 11,      /**< names the shared array at the address, with value elements */
  SPL_TRACE_GRID_UNIFORM = 12 /**< as SPL_TRACE_UNIFORM, for all work-items of the launch */
} spl_cpu_trace_kind;

/** In spl_cpu_trace_site.detail. */
enum { SPL_TRACE_IS_DYNAMIC = -1 };

/** In spl_cpu_trace_site.detail: the atomic that does what a load, an operation and a store do. */
typedef enum spl_cpu_trace_update {
  SPL_TRACE_NO_UPDATE = 0,
  SPL_TRACE_ADD = 1,
  SPL_TRACE_SUB = 2,
  SPL_TRACE_MIN = 3,
  SPL_TRACE_MAX = 4,
  SPL_TRACE_AND = 5,
  SPL_TRACE_OR = 6,
  SPL_TRACE_XOR = 7
} spl_cpu_trace_update;

/** What is traced, and where it is in the source: a constant that the compiler emits. */
typedef struct spl_cpu_trace_site {
  int32_t number; /**< from 0; those of one kernel are different */
  int32_t kind;   /**< an spl_cpu_trace_kind */
  int32_t bytes;  /**< of the access; of SPL_TRACE_SHARED, of an element */
  int32_t order;  /**< of an atomic: 0 relaxed, 1 acquire, 2 release, 3 both */
  int32_t scope;  /**< of an atomic or a fence: 0 group, 1 device, 2 system */
  int32_t line;   /**< from 1 */
  int32_t column; /**< from 1 */
  /** Of SPL_TRACE_UNIFORM and SPL_TRACE_GRID_UNIFORM: the line of a barrier under a condition that
   * follows from the value, or 0. Of SPL_TRACE_SHARED: the extents along the last two axes, or 0;
   * SPL_TRACE_IS_DYNAMIC first for dynamic shared memory. Of SPL_TRACE_LOAD and SPL_TRACE_STORE:
   * first an spl_cpu_trace_update, if what is stored is computed from what the element was. */
  int32_t detail[2];
  const char *file;
  const char *subject;        /**< what the source calls the slice, or the atomic's name, or "" */
  const spl_cpu_call *caller; /**< null in a kernel */
} spl_cpu_trace_site;

/**
 * Called by instrumented code for each access, synchronisation and promise, by the work-item with
 * that flat id in its group. The CPU backend provides it. It does nothing where the launch is not
 * checked.
 */
void spl_cpu_trace(const spl_cpu_launch *launch, const spl_cpu_trace_site *site,
                   const void *address, int64_t item, int64_t value);

#ifdef __cplusplus
}
#endif

#endif
