// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's allocators poison memory in their headers, built with ASan here, and unpoison it inside
// libLLVM, built without: this keeps them from crying wolf.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
extern "C" const char *__ubsan_default_options() { return "print_stacktrace=1"; }
