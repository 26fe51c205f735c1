// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the ABI header as C, as any compiler may use it. Checks the numbers that compiled code
// uses.
#include <spl/cpu_abi.h>

#include <stddef.h>

_Static_assert(sizeof(spl_cpu_launch) == 80, "six extents, two pointers, a size and a flag");
_Static_assert(offsetof(spl_cpu_launch, localSize) == 24, "after the numbers of groups");
_Static_assert(offsetof(spl_cpu_launch, faultSink) == 48, "after the extents");
_Static_assert(offsetof(spl_cpu_launch, sharedBytes) == 56, "where compiled code reads it");
_Static_assert(offsetof(spl_cpu_launch, hasStopped) == 64, "where compiled code reads it");
_Static_assert(offsetof(spl_cpu_launch, detector) == 72, "after all that compiled code reads");
_Static_assert(sizeof(spl_cpu_fault_site) == 32, "three numbers, padding and two pointers");
_Static_assert(offsetof(spl_cpu_called_fault_site, caller) == 32, "behind the site");
_Static_assert(offsetof(spl_cpu_call, file) == 8 && offsetof(spl_cpu_call, caller) == 16,
               "two numbers and two pointers");
_Static_assert(offsetof(spl_cpu_fault_site, file) == 16, "after kind, line and column");
_Static_assert(SPL_FAULT_IndexOutOfBounds == 0, "the table's numbers");
_Static_assert(SPL_FAULT_MisalignedVector == 6, "the table's numbers");
