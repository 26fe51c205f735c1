/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel compiled from source and launched from C, on the best device present. */
#include <spl/spl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: vector_add [VECTOR_ADD.SPL]\n"
    "Adds two arrays of four numbers on the best device present, or on SPL_BACKEND's, with the\n"
    "kernel of the file, or of examples/vector_add.spl, and prints the sums.\n";

static void check(spl_status status) {
  if (status == SPL_OK)
    return;
  fprintf(stderr, "%s\n", spl_last_error());
  exit(1);
}

int main(int argc, char **argv) {
  const int is_help = argc == 2 && strcmp(argv[1], "--help") == 0;
  if (is_help || argc > 2 || (argc > 1 && argv[1][0] == '-')) {
    fputs(usage, is_help ? stdout : stderr);
    return is_help ? 0 : 2;
  }
  const char *source = argc > 1 ? argv[1] : "examples/vector_add.spl";
  const int64_t extents[] = {4};
  const float x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8};
  float result[4];
  spl_context ctx;
  spl_array a, b, out;
  spl_module kernels;
  spl_kernel vector_add;

  check(spl_context_make_default(&ctx)); /* CUDA, else the CPU */
  check(spl_array_alloc_upload(ctx, "f32", 1, extents, x, &a));
  check(spl_array_alloc_upload(ctx, "f32", 1, extents, y, &b));
  check(spl_array_alloc(ctx, "f32", 1, extents, SPL_PLACE_DEVICE, &out));
  const spl_status loaded = spl_jit_load_file(ctx, source, NULL, &kernels);
  if (loaded == SPL_COMPILE_FAILED && argc == 1) { /* not run from the root of the checkout */
    fprintf(stderr, "%s\n%s", spl_last_error(), usage);
    return 1;
  }
  check(loaded);
  check(spl_module_kernel(kernels, "vector_add", &vector_add));

  const spl_launch_config config = {.axes = 1, .global = {4}};
  const spl_argument arguments[] = {{.array = a}, {.array = b}, {.array = out}};
  check(spl_launch(ctx, vector_add, &config, arguments, 3));
  check(spl_array_download(out, result, sizeof result));
  for (int i = 0; i < 4; ++i)
    printf("%g ", result[i]); /* 6 8 10 12 */
  printf("\n");

  check(spl_kernel_free(vector_add));
  check(spl_module_free(kernels));
  check(spl_array_free(out));
  check(spl_array_free(b));
  check(spl_array_free(a));
  check(spl_context_free(ctx));
  return 0;
}
