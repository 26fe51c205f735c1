// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/conformance/Kernels.h"

#include "test/conformance/HostAbi.h"

#include <cmath>

namespace spl::test {

using Id = std::int64_t;

static void vectorAdd(void *const *params, const spl_cpu_launch *launch, Id begin, Id end) {
  auto *a = param<const float *>(params, 0);
  auto *b = param<const float *>(params, 2);
  auto *out = param<float *>(params, 4);
  auto count = param<Id>(params, 5);
  forEachWorkItem(launch, begin, end, [&](Id x, Id, Id) {
    if (x < count)
      out[x] = a[x] + b[x];
  });
}

static void saxpy(void *const *params, const spl_cpu_launch *launch, Id begin, Id end) {
  auto alpha = param<float>(params, 0);
  auto *in = param<const float *>(params, 1);
  auto *out = param<float *>(params, 3);
  auto count = param<Id>(params, 4);
  forEachWorkItem(launch, begin, end, [&](Id x, Id, Id) {
    if (x < count)
      out[x] = std::fma(alpha, in[x], out[x]);
  });
}

static void ids(void *const *params, const spl_cpu_launch *launch, Id begin, Id end) {
  auto *out = param<Id *>(params, 0);
  auto depth = param<Id>(params, 1), height = param<Id>(params, 2), width = param<Id>(params, 3);
  forEachWorkItem(launch, begin, end, [&](Id x, Id y, Id z) {
    if (x < width && y < height && z < depth)
      out[(z * height + y) * width + x] = x + 1000 * y + 1000000 * z;
  });
}

static void scalars(void *const *params, const spl_cpu_launch *launch, Id begin, Id end) {
  auto *out = param<double *>(params, 6);
  forEachWorkItem(launch, begin, end, [&](Id x, Id, Id) {
    if (x != 0)
      return;
    out[0] = param<bool>(params, 0);
    out[1] = param<std::int8_t>(params, 1);
    out[2] = param<std::uint16_t>(params, 2);
    out[3] = static_cast<double>(param<Id>(params, 3));
    out[4] = param<float>(params, 4);
    out[5] = param<double>(params, 5);
  });
}

static void shift(void *const *params, const spl_cpu_launch *launch, Id begin, Id end) {
  auto *bodies = param<Body *>(params, 0);
  auto count = param<Id>(params, 1);
  auto by = param<Body>(params, 2);
  auto velocity = param<std::array<float, 4>>(params, 3);
  auto level = param<std::int32_t>(params, 4);
  forEachWorkItem(launch, begin, end, [&](Id x, Id, Id) {
    if (x >= count)
      return;
    for (int lane = 0; lane < 4; ++lane)
      bodies[x].pos[lane] += velocity[lane];
    bodies[x].mass += by.mass;
    bodies[x].kind = static_cast<std::int16_t>(by.kind + level);
  });
}

std::vector<HostKernel> conformanceKernels() {
  return {
      {"vector_add(a: &[f32], b: &[f32], out: &mut [f32])", vectorAdd},
      {"saxpy(alpha: f32, x: &[f32], y: &mut [f32])", saxpy},
      {"ids(out: &mut [i64, 3])", ids},
      {"scalars(b: bool, i: i8, u: u16, n: i64, f: f32, g: f64, out: &mut [f64])", scalars},
      {"struct Body(pos: f32x4, mass: f32, kind: i16) enum Level(Low = 0, High = 10) "
       "shift(bodies: &mut [Body], by: Body, velocity: f32x4, level: Level)",
       shift},
  };
}

std::string conformancePtx() {
  static constexpr char text[] = {
#include "kernels.ptx.inc"
  };
  return {std::begin(text), std::end(text)};
}

std::string elementEntry(const std::string &name, const std::string &parameters,
                         const std::string &body) {
  return ".visible .entry " + name + "(" + parameters + R"()
{
.reg .pred %p; .reg .b32 %r<5>; .reg .b64 %rd<5>;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r1, %r2, %r3;
cvt.s64.s32 %rd1, %r4;
ld.param.b64 %rd2, [out_len];
setp.ge.s64 %p, %rd1, %rd2;
@%p ret;
ld.param.b64 %rd3, [out];
shl.b64 %rd4, %rd1, 2;
add.s64 %rd3, %rd3, %rd4;
)" + body +
         "ret;\n}\n";
}

} // namespace spl::test
