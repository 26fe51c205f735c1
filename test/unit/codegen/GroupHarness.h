// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels with collectives on the CPU in groups of every shape. Compares each work-item's
// result with that of a sequential reference.
#pragma once

#include "test/unit/codegen/Harness.h"
#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>

namespace spl::test {

using Ints = std::vector<int64_t>;
using Shape = std::array<int64_t, 3>;

/// The start of every kernel. %in and %out have an element for each work-item of the launch. %flat
/// is the index of the work-item in the group, %id in the launch, %lane in the warp. %size is the
/// size of the group.
inline constexpr const char *opening = R"mir(
    (%in: !spl.slice<i64> {spl.name = "in"}, %out: !spl.slice<i64, mut> {spl.name = "out"}, %n: i64)
    attributes {signature = #spl.signature<"k(in: &[i64], out: &mut [i64], n: i64)">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c5 = arith.constant 5 : i64
  %x = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %y = spl.intrinsic "gpu.local_id" axis 1 : () -> i64
  %z = spl.intrinsic "gpu.local_id" axis 2 : () -> i64
  %sx = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %sy = spl.intrinsic "gpu.local_size" axis 1 : () -> i64
  %sz = spl.intrinsic "gpu.local_size" axis 2 : () -> i64
  %zy = arith.muli %z, %sy : i64
  %yz = arith.addi %zy, %y : i64
  %rows = arith.muli %yz, %sx : i64
  %flat = arith.addi %rows, %x : i64
  %szy = arith.muli %sz, %sy : i64
  %size = arith.muli %szy, %sx : i64
  %group = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %first = arith.muli %group, %size : i64
  %id = arith.addi %first, %flat : i64
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %mine = spl.load %in[%id] : <i64>
)mir";
inline constexpr const char *closing = R"mir(
  spl.store %result, %out[%id] : <i64, mut>
  spl.return
})mir";

inline constexpr int64_t groups = 3;

/// The work-items of one group, for the reference.
struct Group {
  Shape shape;
  const int64_t *in; ///< points to the input of the first work-item
  int64_t n;
  int64_t size() const { return shape[0] * shape[1] * shape[2]; }

  /// The flat ids in the warp of the work-item \p flat.
  std::vector<int64_t> warp(int64_t flat) const {
    std::vector<int64_t> ids;
    for (int64_t id = flat / 32 * 32; id < std::min(size(), flat / 32 * 32 + 32); ++id)
      ids.push_back(id);
    return ids;
  }
  /// The flat ids in that warp for which \p holds returns true.
  std::vector<int64_t> warp(int64_t flat, const std::function<bool(int64_t)> &holds) const {
    std::vector<int64_t> ids = warp(flat);
    std::erase_if(ids, [&](int64_t id) { return !holds(id); });
    return ids;
  }
  int64_t sum(const std::vector<int64_t> &ids) const {
    int64_t total = 0;
    for (int64_t id : ids)
      total += in[id];
    return total;
  }
};

using Reference = std::function<int64_t(const Group &, int64_t flat)>;

class Groups : public testing::TestWithParam<std::tuple<Shape, unsigned>> {
protected:
  void expect(const std::string &body, const Reference &reference, int64_t sharedBytes = 0) {
    auto [shape, level] = GetParam();
    codegen::Options options = optionsFor("cpu");
    options.optLevel = level;
    HostCode code("spl.kernel @k" + (opening + body) + closing, options);
    int64_t size = shape[0] * shape[1] * shape[2], n = 7;
    Ints in(groups * size), out(groups * size, -1);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = int64_t(i * 2654435761u % 1000) - 300;
    void *inData = in.data(), *outData = out.data();
    int64_t extent = int64_t(in.size());
    spl_cpu_launch launch{{groups, 1, 1}, {shape[0], shape[1], shape[2]}, nullptr, sharedBytes, 0};
    auto fault = code.run("k", {&inData, &extent, &outData, &extent, &n}, launch, 0, groups);
    ASSERT_EQ(fault, nullptr) << fault->site.line;
    for (int64_t id = 0; id < extent; ++id) {
      Group group{shape, in.data() + id / size * size, n};
      ASSERT_EQ(out[id], reference(group, id % size)) << "work-item " << id;
    }
  }
};

inline const auto everyShape = testing::Combine(
    testing::Values(Shape{1, 1, 1}, Shape{31, 1, 1}, Shape{33, 1, 1}, Shape{64, 1, 1},
                    Shape{255, 1, 1}, Shape{1024, 1, 1}, Shape{5, 7, 3}, Shape{3, 1, 11}),
    testing::Values(0u, 3u));

} // namespace spl::test
