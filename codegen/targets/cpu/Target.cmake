# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The sources of the target. codegen/CMakeLists.txt includes this file.
target_sources(spl-codegen PRIVATE
  targets/cpu/Backend.cpp
  targets/cpu/Emit.cpp
  targets/cpu/Entry.cpp
  targets/cpu/Faults.cpp
  targets/cpu/GatherIndices.cpp
  targets/cpu/Host.cpp
  targets/cpu/LlvmWorkarounds.cpp
  targets/cpu/Math.cpp
  targets/cpu/OneThreadAtomics.cpp
  targets/cpu/PoisonLanes.cpp
  targets/cpu/PrivateCopies.cpp
  targets/cpu/Scratch.cpp
  targets/cpu/Stats.cpp
  targets/cpu/StridedStores.cpp
  targets/cpu/Target.cpp)
