# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The sources of the target. test/unit/codegen/CMakeLists.txt includes this file.
target_sources(spl-null-target PRIVATE "${CMAKE_CURRENT_LIST_DIR}/Target.cpp")
