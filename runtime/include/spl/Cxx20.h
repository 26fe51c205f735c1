// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Says in one error that the headers for C++ need C++20. Each of them includes this first. Those
/// in spl/c need no more than C99 or C++11.
#ifndef SPL_CXX20_H
#define SPL_CXX20_H

#if __cplusplus < 202002L
#error "Simple GPU's C++ headers need C++20: compile with -std=c++20 or newer"
// This file does not exist, which ends the compilation: what would follow are hundreds of errors of
// the same cause.
#include <spl/needs-c++20>
#endif

#endif
