// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sanitizers cost time and memory, so tests that measure either are skipped under them.
#pragma once

#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool isUnderSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool isUnderSanitizer = true;
#else
inline constexpr bool isUnderSanitizer = false;
#endif
#else
inline constexpr bool isUnderSanitizer = false;
#endif

/// Skips the test in a build with a sanitizer. \p what names the measured quantity.
#define SPL_SKIP_UNDER_SANITIZERS(what)                                                            \
  if (isUnderSanitizer)                                                                            \
  GTEST_SKIP() << "under a sanitizer " what " says nothing"
