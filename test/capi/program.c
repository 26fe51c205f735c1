/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each concept of the C interface, used as a program in C would: program [leave]. It checks its own
   results. With "leave" it ends with work in flight and nothing freed. */
#include <spl/spl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(CALL) ((CALL) == SPL_OK ? (void)0 : fail(__LINE__, #CALL, spl_last_error()))
#define EXPECT(WHAT) ((WHAT) ? (void)0 : fail(__LINE__, #WHAT, "is not so"))

enum { SIZE = 1025, BUFFERS = 3, BATCHES = 7 };

static const char *const source = "#[gpu]\n"
                                  "fn scale_add(alpha: f32, x: &[f32], y: &mut [f32]):\n"
                                  "    val i = gpu.global_id()\n"
                                  "    if i < y.len():\n"
                                  "        y[i] = alpha * x[i] + y[i]\n"
                                  "\n"
                                  "struct Body:\n"
                                  "    pos: f32x4\n"
                                  "    mass: f32\n"
                                  "\n"
                                  "#[gpu]\n"
                                  "fn heavier(by: Body, bodies: &mut [Body]):\n"
                                  "    val i = gpu.global_id()\n"
                                  "    if i < bodies.len():\n"
                                  "        bodies[i].mass += by.mass\n";

static const int64_t extents[] = {SIZE};
static const spl_launch_config config = {.axes = 1, .global = {SIZE}};

static void fail(int line, const char *what, const char *why) {
  fprintf(stderr, "line %d: %s: %s\n", line, what, why);
  exit(1);
}

/* The state that the parts of the program share. */
typedef struct Program {
  spl_context context;
  spl_module module;
  spl_kernel scale_add;
  spl_stream stream;
  spl_array x, y;
  float alpha;
} Program;

static float valueAt(int64_t i) { return (float)(i % 97) / 4; }

static spl_status launchInStream(void *user) {
  Program *program = user;
  const spl_argument arguments[] = {{.name = "y", .array = program->y},
                                    {.name = "alpha", .type = "f32", .value = &program->alpha},
                                    {.name = "x", .array = program->x, .read_only = 1}};
  return spl_launch_async(program->context, program->stream, program->scale_add, &config, arguments,
                          3);
}

static void begin(Program *program) {
  float values[SIZE];
  spl_device_info device;
  const char *preferred;
  for (int i = 0; i < SIZE; ++i)
    values[i] = valueAt(i);
  CHECK(spl_context_make_default(&program->context));
  CHECK(spl_context_device(program->context, &device));
  CHECK(spl_preferred_backend(&preferred));
  EXPECT(strcmp(device.backend, preferred) == 0);
  EXPECT(device.name[0] && device.max_group_size > 0);
  CHECK(spl_jit_load_source(program->context, source, "program.spl", NULL, &program->module));
  CHECK(spl_module_kernel(program->module, "scale_add", &program->scale_add));
  CHECK(spl_stream_make(program->context, 0, &program->stream));
  CHECK(spl_array_alloc_upload(program->context, "f32", 1, extents, values, &program->x));
  CHECK(spl_array_alloc_zeros(program->context, "f32", 1, extents, &program->y));
  program->alpha = 2;
}

static void end(Program *program) {
  CHECK(spl_array_free(program->y));
  CHECK(spl_array_free(program->x));
  CHECK(spl_stream_free(program->stream));
  CHECK(spl_kernel_free(program->scale_add));
  CHECK(spl_module_free(program->module));
  CHECK(spl_context_free(program->context));
}

/* Checks that y[i] is factor * x[i]. */
static void expectScaled(Program *program, float factor) {
  float values[SIZE];
  CHECK(spl_array_download(program->y, values, sizeof values));
  for (int i = 0; i < SIZE; ++i)
    EXPECT(values[i] == factor * valueAt(i));
}

static void streams(Program *program) {
  spl_event before, after;
  double ms = -1;
  int32_t done = -1;
  CHECK(spl_event_make(program->context, &before));
  CHECK(spl_event_make(program->context, &after));
  CHECK(spl_stream_record(program->stream, before));
  CHECK(launchInStream(program));
  CHECK(spl_stream_record(program->stream, after));
  CHECK(spl_event_sync(after));
  CHECK(spl_event_query(after, &done));
  EXPECT(done == 1);
  CHECK(spl_event_elapsed_ms(after, before, &ms));
  EXPECT(ms >= 0);
  expectScaled(program, 2);
  CHECK(spl_event_free(before));
  CHECK(spl_event_free(after));
}

static void kernels(Program *program) {
  spl_kernel_info info;
  spl_parameter parameter;
  size_t count = 0;
  spl_kernel heavier;
  CHECK(spl_module_kernel_count(program->module, &count));
  EXPECT(count == 2);
  CHECK(spl_kernel_get(program->scale_add, &info));
  EXPECT(strcmp(info.name, "scale_add") == 0 && info.parameters == 3 && info.block_rank == 0);
  CHECK(spl_kernel_parameter(program->scale_add, 2, &parameter));
  EXPECT(strcmp(parameter.name, "y") == 0 && strcmp(parameter.type, "&mut [f32]") == 0);
  EXPECT(parameter.rank == 1 && parameter.is_mutable && parameter.element_bytes == 4);

  /* A kernel with a struct, whose definition is in the source of the kernel. */
  typedef struct Body {
    float pos[4];
    float mass;
    float padding[3];
  } Body;
  const char *type = "struct Body(pos: f32x4, mass: f32) Body";
  Body bodies[3] = {{.mass = 1}, {.mass = 2.5f}, {.mass = -4}};
  const Body by = {.mass = 10};
  const int64_t three[] = {3};
  size_t bytes = 0, align = 0;
  spl_array array;
  CHECK(spl_element_layout(type, &bytes, &align));
  EXPECT(bytes == sizeof(Body) && align == 16);
  CHECK(spl_module_kernel_at(program->module, 1, &heavier));
  CHECK(spl_kernel_get(heavier, &info));
  EXPECT(strstr(info.signature, "struct Body(pos: f32x4, mass: f32) ") == info.signature);
  CHECK(spl_array_alloc_upload(program->context, type, 1, three, bodies, &array));
  const spl_argument arguments[] = {{.type = "bytes(32, 16)", .value = &by}, {.array = array}};
  const spl_launch_config three_items = {.axes = 1, .global = {3}, .local = {32}};
  CHECK(spl_launch(program->context, heavier, &three_items, arguments, 2));
  CHECK(spl_array_download(array, bodies, sizeof bodies));
  EXPECT(bodies[0].mass == 11 && bodies[1].mass == 12.5f && bodies[2].mass == 6);
  CHECK(spl_array_free(array));
  CHECK(spl_kernel_free(heavier));
}

static void released(void *user) { ++*(int *)user; }

static void memory(Program *program) {
  const int64_t shape[] = {4, 5};
  float values[4][5], *host;
  spl_array pinned, view, reshaped, borrowed, copy;
  spl_array_info info;
  struct DLManagedTensor *tensor;
  int releases = 0;
  CHECK(spl_array_alloc(program->context, "f32", 2, shape, SPL_PLACE_PINNED, &pinned));
  CHECK(spl_array_host(pinned, (void **)&host));
  for (int i = 0; i < 20; ++i)
    host[i] = (float)i;
  CHECK(spl_array_view(pinned, 1, 2, 1, &view));
  CHECK(spl_array_get(view, &info));
  EXPECT(info.rank == 2 && info.extents[0] == 2 && info.extents[1] == 5 && info.read_only);
  EXPECT(strcmp(info.element, "f32") == 0 && info.size_bytes == 40);
  CHECK(spl_array_free(pinned)); /* the view keeps the memory */
  const int64_t flat[] = {10};
  CHECK(spl_array_reshape(view, 1, flat, &reshaped));
  CHECK(spl_array_download(reshaped, values, 40));
  EXPECT(values[0][0] == 5 && values[1][4] == 14);
  CHECK(spl_array_free(reshaped));
  CHECK(spl_array_alloc(program->context, "f32", 2, info.extents, SPL_PLACE_DEVICE, &copy));
  CHECK(spl_array_copy(view, copy));
  CHECK(spl_array_download(copy, values, 40));
  EXPECT(values[0][0] == 5 && values[1][4] == 14);
  CHECK(spl_array_borrow(program->context, info.address, "f32", 2, info.extents, released,
                         &releases, &borrowed));
  CHECK(spl_array_download(borrowed, values, 40));
  EXPECT(values[1][0] == 10 && releases == 0);
  CHECK(spl_array_free(borrowed));
  EXPECT(releases == 1);
  CHECK(spl_array_to_dlpack(copy, &tensor));
  CHECK(spl_array_free(copy)); /* the tensor keeps the memory */
  CHECK(spl_array_from_dlpack(program->context, tensor, &copy));
  memset(values, 0, sizeof values);
  CHECK(spl_array_download(copy, values, 40));
  EXPECT(values[0][0] == 5 && values[1][4] == 14);
  CHECK(spl_array_free(copy));
  CHECK(spl_array_free(view));
}

static void pools(Program *program) {
  spl_pool pool;
  spl_array array, more;
  spl_pool_info info;
  const float one = 1;
  float values[SIZE];
  CHECK(spl_pool_make(program->context, sizeof values, 0, &pool));
  CHECK(spl_pool_alloc(pool, "f32", 1, extents, program->stream, &array));
  EXPECT(spl_pool_alloc(pool, "f32", 1, extents, program->stream, &more) == SPL_OUT_OF_MEMORY);
  CHECK(spl_array_fill_async(array, &one, sizeof one, program->stream));
  CHECK(spl_array_download_async(array, values, sizeof values, program->stream));
  CHECK(spl_stream_sync(program->stream));
  EXPECT(values[0] == 1 && values[SIZE - 1] == 1);
  CHECK(spl_pool_get(pool, &info));
  EXPECT(info.arrays == 1 && info.used >= sizeof values);
  CHECK(spl_array_free(array));
  CHECK(spl_pool_trim(pool, 0));
  CHECK(spl_pool_free(pool));
}

static void graphs(Program *program) {
  spl_graph graph;
  spl_graph_exec exec;
  spl_kernel kernel;
  spl_kernel_info info;
  size_t launches = 0;
  const float minus = -1;
  CHECK(spl_graph_capture(program->stream, launchInStream, program, &graph));
  expectScaled(program, 2); /* it only recorded */
  CHECK(spl_graph_launch_count(graph, &launches));
  CHECK(spl_graph_kernel_at(graph, 0, &kernel));
  CHECK(spl_kernel_get(kernel, &info));
  EXPECT(launches == 1 && strcmp(info.name, "scale_add") == 0);
  CHECK(spl_graph_instantiate(graph, &exec));
  CHECK(spl_graph_free(graph));
  CHECK(spl_graph_exec_launch(exec, program->stream));
  CHECK(spl_graph_exec_launch(exec, program->stream));
  expectScaled(program, 6);
  const spl_argument arguments[] = {
      {.type = "f32", .value = &minus}, {.array = program->x}, {.array = program->y}};
  CHECK(spl_graph_exec_set_launch(exec, 0, NULL, arguments, 3));
  CHECK(spl_graph_exec_launch(exec, program->stream));
  CHECK(spl_stream_sync(program->stream));
  expectScaled(program, 5);
  CHECK(spl_kernel_free(kernel));
  CHECK(spl_graph_exec_free(exec));
}

/* Batches for a loader and a pipeline. The result of batch b is 2 * b + 1. */
typedef struct Batches {
  Program *program;
  spl_loader loader;
  spl_array src[BUFFERS], dst[BUFFERS];
  float *inputs[BUFFERS], results[BATCHES][SIZE];
  int dropped;
} Batches;

static spl_status produce(void *user, size_t index, void **batch, int32_t *there) {
  (void)user;
  *there = index < BATCHES;
  if (!*there)
    return SPL_OK;
  float *values = malloc(SIZE * sizeof *values);
  for (int i = 0; i < SIZE; ++i)
    values[i] = valueAt(i) + (float)index;
  *batch = values;
  return SPL_OK;
}

static void drop(void *user, void *batch) {
  ++((Batches *)user)->dropped;
  free(batch);
}

static spl_status upload(void *user, size_t batch, size_t buffer, spl_stream stream) {
  Batches *batches = user;
  int32_t there;
  (void)batch;
  free(batches->inputs[buffer]); /* of the batch that left this buffer */
  batches->inputs[buffer] = NULL;
  const spl_status status =
      spl_loader_next(batches->loader, (void **)&batches->inputs[buffer], &there);
  if (status != SPL_OK)
    return status;
  return spl_array_upload_async(batches->src[buffer], batches->inputs[buffer], SIZE * sizeof(float),
                                stream);
}

static spl_status compute(void *user, size_t batch, size_t buffer, spl_stream stream) {
  Batches *batches = user;
  const float one = 1, two = 2;
  (void)batch;
  const spl_status status = spl_array_fill_async(batches->dst[buffer], &one, sizeof one, stream);
  if (status != SPL_OK)
    return status;
  const spl_argument arguments[] = {{.type = "f32", .value = &two},
                                    {.array = batches->src[buffer]},
                                    {.array = batches->dst[buffer]}};
  return spl_launch_async(batches->program->context, stream, batches->program->scale_add, &config,
                          arguments, 3);
}

static spl_status download(void *user, size_t batch, size_t buffer, spl_stream stream) {
  Batches *batches = user;
  return spl_array_download_async(batches->dst[buffer], batches->results[batch],
                                  sizeof batches->results[batch], stream);
}

static void pipelines(Program *program, const char *timeline) {
  static Batches batches;
  const spl_pipeline_stages stages = {upload, compute, download, &batches};
  spl_pipeline pipeline;
  spl_pipeline_info info;
  spl_loader_info loaded;
  spl_trace trace;
  int32_t lane;
  batches.program = program;
  CHECK(spl_trace_make(&trace));
  CHECK(spl_trace_add_lane(trace, "program", &lane));
  const spl_loader_options options = {produce, drop, &batches, 4, 2, trace};
  CHECK(spl_loader_make(&options, &batches.loader));
  for (int i = 0; i < BUFFERS; ++i) {
    CHECK(spl_array_alloc(program->context, "f32", 1, extents, SPL_PLACE_DEVICE, &batches.src[i]));
    CHECK(spl_array_alloc(program->context, "f32", 1, extents, SPL_PLACE_DEVICE, &batches.dst[i]));
  }
  const int64_t start = spl_trace_now();
  CHECK(spl_pipeline_make(program->context, &stages, BUFFERS, trace, &pipeline));
  CHECK(spl_pipeline_run(pipeline, BATCHES - 2));
  CHECK(spl_pipeline_get(pipeline, &info));
  EXPECT(info.batches == BATCHES - 2 && info.wall_ms > 0);
  CHECK(spl_trace_span(trace, lane, "run", start, spl_trace_now(), -1));
  for (int batch = 0; batch < BATCHES - 2; ++batch)
    for (int i = 0; i < SIZE; ++i)
      EXPECT(batches.results[batch][i] == 2 * (valueAt(i) + (float)batch) + 1);
  CHECK(spl_trace_save(trace, timeline));
  CHECK(spl_pipeline_free(pipeline));
  CHECK(spl_loader_get(batches.loader, &loaded));
  EXPECT(loaded.batches == BATCHES - 2);
  CHECK(spl_loader_free(batches.loader));
  EXPECT(batches.dropped <= 2); /* those that were made and not taken */
  CHECK(spl_trace_free(trace));
  for (int i = 0; i < BUFFERS; ++i) {
    free(batches.inputs[i]);
    CHECK(spl_array_free(batches.src[i]));
    CHECK(spl_array_free(batches.dst[i]));
  }
}

static spl_status waitForever(void *user) {
  volatile const int *forever = user;
  while (*forever)
    ;
  return SPL_OK;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    printf("usage: spl-c-program [FILE.json | leave]\n"
           "Tests the C interface; FILE.json, or program.json, is written.\n");
    return 0;
  }
  Program program;
  begin(&program);
  if (argc > 1 && strcmp(argv[1], "leave") == 0) {
    static int forever = 1;
    spl_loader loader;
    const spl_loader_options options = {produce, NULL, NULL, 2, 2, 0};
    CHECK(spl_loader_make(&options, &loader));
    CHECK(launchInStream(&program));
    CHECK(spl_stream_call(program.stream, waitForever, &forever));
    return 0;
  }
  streams(&program);
  kernels(&program);
  memory(&program);
  pools(&program);
  graphs(&program);
  pipelines(&program, argc > 1 ? argv[1] : "program.json");
  end(&program);
  EXPECT(spl_handle_count() == 0);
  printf("all is well\n");
  return 0;
}
