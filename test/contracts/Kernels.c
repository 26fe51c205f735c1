/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two kernels as the compiler emits them. tell(a: &[i32], out: &mut [i32]) has an entry with checks
 * and one without. Each writes its own number to the first element. only_checked() has no second
 * entry. */
#include <spl/cpu_abi.h>

static void write(void *const *params, int32_t number) { **(int32_t **)params[2] = number; }

void spl_entry_only_checked(void *const *params, const spl_cpu_launch *launch, int64_t begin,
                            int64_t end);
void spl_entry_tell(void *const *params, const spl_cpu_launch *launch, int64_t begin, int64_t end);
void unchecked(void *const *params, const spl_cpu_launch *launch, int64_t begin,
               int64_t end) __asm__("spl_entry_tell$unchecked");

void spl_entry_tell(void *const *params, const spl_cpu_launch *launch, int64_t begin, int64_t end) {
  (void)launch, (void)begin, (void)end;
  write(params, 1);
}

void unchecked(void *const *params, const spl_cpu_launch *launch, int64_t begin, int64_t end) {
  (void)launch, (void)begin, (void)end;
  write(params, 2);
}

void spl_entry_only_checked(void *const *params, const spl_cpu_launch *launch, int64_t begin,
                            int64_t end) {
  (void)params, (void)launch, (void)begin, (void)end;
}
