// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sanitizers cost time and memory, so tests that measure either are skipped under them.
#pragma once

#include <gtest/gtest.h>

/// Skips the test in a build with a sanitizer. \p what names the measured quantity.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPL_SKIP_UNDER_SANITIZERS(what) GTEST_SKIP() << "under a sanitizer " what " says nothing"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SPL_SKIP_UNDER_SANITIZERS(what) GTEST_SKIP() << "under a sanitizer " what " says nothing"
#endif
#endif
#ifndef SPL_SKIP_UNDER_SANITIZERS
#define SPL_SKIP_UNDER_SANITIZERS(what) (void)0
#endif
