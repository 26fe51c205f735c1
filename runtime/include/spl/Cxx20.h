// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reports with one error that the C++ headers need C++20. Each of them includes this file first.
/// The headers in spl/c need only C99 or C++11.
#ifndef SPL_CXX20_H
#define SPL_CXX20_H

#if __cplusplus < 202002L
#error "Simple GPU's C++ headers need C++20: compile with -std=c++20 or newer"
// The file below does not exist. Its absence stops the compilation, which would report hundreds of
// further errors of the same cause.
#include <spl/needs-c++20>
#endif

#endif
