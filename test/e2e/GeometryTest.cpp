// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests ids and sizes on one, two and three axes, in groups of several shapes.
#include "test/e2e/Harness.h"

#include <array>

using namespace spl::e2e;

namespace {

using Triple = std::array<std::int64_t, 3>;

/// The expected value of field \p field for the work-item with index \p place in the launch.
std::int64_t idOf(std::int64_t place, std::size_t field, const Triple &groups,
                  const Triple &local) {
  const std::size_t axis = field % 3;
  const Triple size = {groups[0] * local[0], groups[1] * local[1], groups[2] * local[2]};
  const Triple id = {place % size[0], place / size[0] % size[1], place / size[0] / size[1]};
  const std::int64_t fields[] = {
      id[axis],    id[axis] % local[axis], id[axis] / local[axis], size[axis], local[axis],
      groups[axis]};
  return fields[field / 3];
}

} // namespace

TEST(Geometry, IdsAndSizesOnEveryAxis) {
  const struct {
    Triple global, local;
  } shapes[] = {{{1, 1, 1}, {1, 1, 1}},   {{31, 1, 1}, {256, 1, 1}},  {{1025, 1, 1}, {33, 1, 1}},
                {{70, 5, 1}, {32, 2, 1}}, {{3, 100, 1}, {16, 16, 1}}, {{10, 9, 8}, {4, 3, 5}},
                {{1, 1, 40}, {1, 1, 7}},  {{5, 4, 3}, {1, 1, 1}},     {{64, 2, 3}, {64, 1, 2}}};
  forEachBuild({"geometry.spl"}, everyOption(), [&](const Build &build) {
    for (const auto &[global, local] : shapes) {
      Triple groups;
      for (int axis = 0; axis != 3; ++axis)
        groups[axis] = (global[axis] + local[axis] - 1) / local[axis];
      const std::int64_t items = groups[0] * local[0] * groups[1] * local[1] * groups[2] * local[2];
      std::vector<std::int64_t> out(static_cast<std::size_t>(items * 18), -1);
      build.run(
          "ids",
          {.global = {global[0], global[1], global[2]}, .local = {local[0], local[1], local[2]}},
          out);
      expectFields(
          out, 18,
          [&](auto i, auto k) { return idOf(static_cast<std::int64_t>(i), k, groups, local); },
          "id");
    }
  });
}

TEST(Geometry, AxesLeftOut) {
  forEachBuild({"geometry.spl"}, everyOption(), [](const Build &build) {
    std::vector<std::int64_t> out(100 * 6, -1);
    build.run("default_axis", {.global = {100}, .local = {32}}, out);
    expectFields(
        out, 6,
        [](std::size_t i, std::size_t k) {
          const std::size_t fields[] = {i, i % 32, i / 32, 128, 32, 4};
          return fields[k];
        },
        "id");

    // Two axes: the default local size is 16 x 16, and 1 on the third axis.
    std::vector<std::int64_t> planes(16 * 32 * 18, -1);
    build.run("ids", {.global = {10, 17}}, planes);
    expectFields(
        planes, 18,
        [](std::size_t i, std::size_t k) {
          return idOf(static_cast<std::int64_t>(i), k, {1, 2, 1}, {16, 16, 1});
        },
        "id");
  });
}

TEST(Geometry, TwoAxesOverAMatrix) {
  forEachBuild({"geometry.spl"}, everyOption(), [](const Build &build) {
    for (auto [rows, columns] :
         {std::pair<std::size_t, std::size_t>{1, 1}, {31, 33}, {1023, 65}, {0, 4}}) {
      const auto source = plainFloats<float>(rows * columns, 4);
      std::vector<float> target(rows * columns);
      build.run("transpose", {.global = {columns, rows}}, std::int64_t(rows), std::int64_t(columns),
                source, target);
      expectEach(
          target, [&](auto at) { return source[at % rows * columns + at / rows]; }, "transposed");
    }
  });
}

TEST(Geometry, GroupsThatAllStoreTheSame) {
  forEachBuild({"geometry.spl"}, everyOption(), [](const Build &build) {
    std::vector<std::int32_t> out(77, -1);
    build.run("only_group_ids", {.global = {77}, .local = {1}}, out);
    expectEach(out, [](auto i) { return 77000 + i; }, "group");
  });
}
