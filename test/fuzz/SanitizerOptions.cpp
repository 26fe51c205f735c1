// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's headers, compiled here with ASan, poison memory of allocators. libLLVM, compiled without
// ASan, does not unpoison it. This option prevents the resulting false reports.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
extern "C" const char *__ubsan_default_options() { return "print_stacktrace=1"; }
