# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What test/unit/codegen/CMakeLists.txt adds to spl-null-target.
target_sources(spl-null-target PRIVATE "${CMAKE_CURRENT_LIST_DIR}/Target.cpp")
