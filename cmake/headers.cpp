// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Empty. A target with precompiled headers needs a source (SplHeaders.cmake).
