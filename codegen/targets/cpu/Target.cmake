# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What codegen/CMakeLists.txt adds to spl-codegen for the target.
target_sources(spl-codegen PRIVATE
  targets/cpu/Backend.cpp
  targets/cpu/Emit.cpp
  targets/cpu/Faults.cpp
  targets/cpu/Host.cpp
  targets/cpu/LlvmWorkarounds.cpp
  targets/cpu/Math.cpp
  targets/cpu/PoisonLanes.cpp
  targets/cpu/Scratch.cpp
  targets/cpu/Stats.cpp
  targets/cpu/Target.cpp)
