// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Empty: a target that has precompiled headers needs a source (SplHeaders.cmake).
