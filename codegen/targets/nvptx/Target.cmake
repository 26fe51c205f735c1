# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The sources of the target. codegen/CMakeLists.txt includes this file.
target_sources(spl-codegen PRIVATE
  targets/nvptx/Archs.cpp
  targets/nvptx/Atomics.cpp
  targets/nvptx/Backend.cpp
  targets/nvptx/CacheHints.cpp
  targets/nvptx/Cubin.cpp
  targets/nvptx/DeviceMath.cpp
  targets/nvptx/FaultSites.cpp
  targets/nvptx/Faults.cpp
  targets/nvptx/GridBarrier.cpp
  targets/nvptx/Hooks.cpp
  targets/nvptx/IndexExtensions.cpp
  targets/nvptx/Kernels.cpp
  targets/nvptx/LastRounds.cpp
  targets/nvptx/LaunchIds.cpp
  targets/nvptx/LlvmWorkarounds.cpp
  targets/nvptx/LongRounds.cpp
  targets/nvptx/LoopCounters.cpp
  targets/nvptx/NarrowCounters.cpp
  targets/nvptx/NarrowIndices.cpp
  targets/nvptx/Optimizations.cpp
  targets/nvptx/Print.cpp
  targets/nvptx/Ptx.cpp
  targets/nvptx/PtxFeatures.cpp
  targets/nvptx/PtxasWorkarounds.cpp
  targets/nvptx/SaturatingCasts.cpp
  targets/nvptx/ShortLoops.cpp
  targets/nvptx/Sincos.cpp
  targets/nvptx/SmallQuotients.cpp
  targets/nvptx/Stats.cpp
  targets/nvptx/Target.cpp
  targets/nvptx/Toolkit.cpp
  targets/nvptx/UnneededPasses.cpp
  targets/nvptx/Warps.cpp
  targets/nvptx/WideProducts.cpp)
spl_add_device_code(spl-codegen "${PROJECT_SOURCE_DIR}/intrinsics/device/ShortestText.c")
spl_add_device_code(spl-codegen "${PROJECT_SOURCE_DIR}/intrinsics/device/LibclcCorrections.c")
