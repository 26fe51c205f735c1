// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs of arrays as arguments: a launch finds their fields by name, and its errors name them.
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <cstring>

using namespace spl;
using spl::test::thrownBy;

namespace {

struct Grid {
  Array<float> &cells;
  Array<float> &out;
  std::int32_t n = 0;
  SPL_FIELDS(cells, out, n)
};

struct Owned { // in another order than the kernel's
  std::int32_t n = 0;
  Array<float> out, cells;
  SPL_FIELDS(n, out, cells)
};

struct Nested {
  Grid near;
  std::array<std::reference_wrapper<Array<float>>, 2> rows;
  std::array<float, 3> weights;
  SPL_FIELDS(near, rows, weights)
};

struct Misspelt {
  Array<float> &cells;
  Array<float> &outt;
  std::int32_t n = 0;
  SPL_FIELDS(cells, outt, n)
};

struct Short {
  Array<float> &cells;
  SPL_FIELDS(cells)
};

struct Twice {
  Array<float> &cells;
  Array<float> &out;
  std::int32_t n = 0;
  SPL_FIELDS(cells, out, n, cells)
};

struct Plain {
  Array<float> &cells;
  Array<float> &out;
  std::int32_t n = 0;
};

static_assert(std::is_aggregate_v<Grid> && std::is_aggregate_v<Owned>);
static_assert(detail::LaunchArgument<Grid &> && detail::LaunchArgument<const Owned &>);
static_assert(!detail::LaunchArgument<std::array<std::string, 2>>);

const char *const step = "step(grid.cells: &[f32], grid.out: &mut [f32], grid.n: i32, by: f32)";
const char *const deep =
    "deep(g.near.cells: &[f32], g.near.out: &mut [f32], g.near.n: i32, g.rows[0]: &[f32], "
    "g.rows[1]: &[f32], g.weights: [f32; 3])";

std::vector<std::int64_t> lengths; ///< what the kernel got

class Fields : public testing::Test {
protected:
  Fields() { lengths.clear(); }

  Kernel kernel(const char *signature, spl_cpu_entry entry) {
    return Module::load(context, HostCode{{{signature, entry}}, nullptr}).kernels()[0];
  }
  Kernel kernelOf(const char *signature) {
    return kernel(signature, [](void *const *, const spl_cpu_launch *, int64_t, int64_t) {
      lengths.push_back(-1);
    });
  }
  template <typename... Args> std::string refusal(const char *signature, Args &&...arguments) {
    Kernel target = kernelOf(signature);
    Error error = thrownBy(
        [&] { context.launch(target, {.global = {1}}, std::forward<Args>(arguments)...); });
    EXPECT_TRUE(lengths.empty());
    return error.what();
  }

  Context context = Context::make(Backend::Cpu);
  Array<float> four = context.allocZeros<float>(4);
  Array<float> five = context.allocZeros<float>(5);
  Array<float> six = context.allocZeros<float>(6);
  Array<double> doubles = context.allocZeros<double>(4);
};

template <typename T> T valueAt(void *const *params, std::size_t index) {
  T value;
  std::memcpy(&value, params[index], sizeof value);
  return value;
}

/// Notes the lengths and the number that `step` got.
void noteStep(void *const *params, const spl_cpu_launch *, int64_t, int64_t) {
  lengths = {valueAt<std::int64_t>(params, 1), valueAt<std::int64_t>(params, 3),
             valueAt<std::int32_t>(params, 4)};
}

void noteDeep(void *const *params, const spl_cpu_launch *, int64_t, int64_t) {
  lengths = {
      valueAt<std::int64_t>(params, 1), valueAt<std::int64_t>(params, 3),
      valueAt<std::int32_t>(params, 4), valueAt<std::int64_t>(params, 6),
      valueAt<std::int64_t>(params, 8), std::int64_t(valueAt<std::array<float, 3>>(params, 9)[2])};
}

} // namespace

TEST_F(Fields, AreFoundByName) {
  const std::vector<std::int64_t> expected = {4, 5, 7};
  context.launch(kernel(step, noteStep), {.global = {1}}, Grid{four, five, 7}, 1.0f);
  EXPECT_EQ(lengths, expected);
  lengths.clear();
  Grid grid{four, five, 7};
  const Grid &constant = grid; // the arrays are not constant
  context.launch(kernel(step, noteStep), {.global = {1}}, constant, 1.0f);
  EXPECT_EQ(lengths, expected);
  lengths.clear();
  Owned owned{7, context.allocZeros<float>(5), context.allocZeros<float>(4)};
  context.launch(kernel(step, noteStep), {.global = {1}}, owned, 1.0f);
  EXPECT_EQ(lengths, expected);
  lengths.clear();
  context.launch(kernel(step, noteStep), {.global = {1}}, Argument("by", 1.0f),
                 Argument("grid", grid));
  EXPECT_EQ(lengths, expected);
  lengths.clear();
  context.launch(kernel(step, noteStep), {.global = {1}}, four, five, 7, 1.0f); // one by one
  EXPECT_EQ(lengths, expected);
  lengths.clear();
  context.launch(kernel(step, noteStep), {.global = {1}}, Argument("by", 1.0f),
                 Argument("grid.n", 7), Argument("grid.out", five), Argument("grid.cells", four));
  EXPECT_EQ(lengths, expected);
}

TEST_F(Fields, MayBeStructsAndArrays) {
  context.launch(kernel(deep, noteDeep), {.global = {1}},
                 Nested{{four, five, 7}, {six, four}, {1, 2, 3}});
  EXPECT_EQ(lengths, (std::vector<std::int64_t>{4, 5, 7, 6, 4, 3}));
  lengths.clear();
  std::array<Array<float>, 2> rows = {context.allocZeros<float>(4), context.allocZeros<float>(5)};
  context.launch(kernel("rows(r[0]: &[f32], r[1]: &mut [f32], n: i32)", noteStep), {.global = {1}},
                 rows, 3);
  EXPECT_EQ(lengths, (std::vector<std::int64_t>{4, 5, 3}));
}

TEST_F(Fields, AreCheckedAndNamedInErrors) {
  struct Doubles {
    Array<double> &cells;
    Array<float> &out;
    std::int32_t n;
    SPL_FIELDS(cells, out, n)
  };
  struct Wide {
    Array<float> &cells;
    Array<float> &out;
    std::int64_t n;
    SPL_FIELDS(cells, out, n)
  };
  EXPECT_EQ(refusal(step, Doubles{doubles, four, 1}, 1.0f),
            "parameter 'grid.cells' of step is &[f32]; got an array of f64");
  EXPECT_EQ(refusal(step, Wide{four, five, 1}, 1.0f),
            "parameter 'grid.n' of step is i32; got i64; arguments are not converted: pass a value "
            "of exactly that type");
  const Owned owned{7, context.allocZeros<float>(5), context.allocZeros<float>(4)};
  EXPECT_EQ(refusal(step, owned, 1.0f),
            "parameter 'grid.out' of step is &mut [f32]; got a read-only array of f32");
  EXPECT_EQ(refusal(step, Misspelt{four, five, 1}, 1.0f),
            "step has no parameter 'grid.outt'; did you mean 'grid.out'?; its parameters are "
            "grid.cells, grid.out, grid.n and by");
  EXPECT_EQ(refusal(step, Short{four}, 1.0f), "parameter 'grid.out' of step is not given");
  EXPECT_EQ(refusal(step, Twice{four, five, 1}, 1.0f),
            "parameter 'grid.cells' of step is given twice");
  EXPECT_EQ(refusal(step, Grid{four, four, 1}, 1.0f),
            "parameters 'grid.cells' and 'grid.out' of step share memory, and 'grid.out' is &mut "
            "[f32]; give the kernel a separate array for what it writes, or write #[alias] before "
            "the parameter 'grid'");
}

TEST_F(Fields, AreCountedByStruct) {
  EXPECT_EQ(refusal(step, Grid{four, five, 1}), "step takes 2 arguments (grid, by); got 1");
  EXPECT_EQ(refusal(step, Grid{four, five, 1}, 1.0f, 2.0f),
            "step takes 2 arguments (grid, by); got 3");
  EXPECT_EQ(refusal("plain(x: f32)", Short{four}),
            "plain has no parameter 'x.cells'; its parameters are x");
  EXPECT_EQ(refusal(step, Plain{four, five, 1}, 1.0f),
            "step takes 4 arguments (grid.cells, grid.out, grid.n, by); got 2; a struct with "
            "SPL_FIELDS(field, ...) is the argument of all of its fields");
  EXPECT_EQ(refusal("k(g.cells: &[f32])", Plain{four, five, 1}),
            "parameter 'g.cells' of k is &[f32]; got a value of type C++ class (24 bytes, aligned "
            "to 8); write SPL_FIELDS(field, ...) in the class, so that its fields are arguments");
}
