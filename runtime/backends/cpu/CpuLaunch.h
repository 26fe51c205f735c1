// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the groups of one launch on the threads of its context, and reports faults of compiled code.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPULAUNCH_H
#define SPL_RUNTIME_BACKENDS_CPU_CPULAUNCH_H

#include "runtime/backends/BackendContext.h"
#include "runtime/backends/cpu/CpuThreads.h"

#include "spl/Signature.h"

#include <string>

namespace spl::detail {

/// Runs every group, and returns when all have run. After a fault, does not start further groups,
/// and throws KernelFault with the first fault.
void runGroups(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
               CpuThreads &threads, const std::string &kernel, const std::string &device);

/// The same for a kernel with grid barriers, of at most CooperativeGroups::maxCount groups. Throws
/// KernelFault of kind GridBarrierMissed if some groups wait at a grid barrier and others do not.
void runCooperative(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
                    CpuThreads &threads, const std::string &kernel, const std::string &device);

/// The same for code that reports its accesses (jit::Options::instrument). Runs the groups one
/// after the other, in the order of their flat ids. A group ends with its first fault. Throws
/// KernelFault with the first fault if all findings are faults, else CheckFailed, both with all
/// findings.
void runChecked(spl_cpu_entry entry, const Geometry &geometry, void *const *params,
                CpuThreads &threads, const Signature &kernel, const std::string &device);

} // namespace spl::detail

#endif
