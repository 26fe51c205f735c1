// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the reference interpreter with small programs whose results are easy to see.
#include "test/reference/Reference.h"

#include "frontend/diag/Engine.h"
#include "frontend/sema/Check.h"
#include "frontend/syntax/FileSet.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace spl;

namespace {

/// A program with a kernel `k`, which runs on slices of i64 and on scalars.
class Interpreted {
public:
  explicit Interpreted(const std::string &text) : engine(sources) {
    files.load("test.spl", sources.addBuffer("test.spl", text), /*isFile=*/false);
    program = sema::check(files, {}, engine);
  }

  template <class T> Interpreted &slice(const std::vector<T> &values) {
    auto memory = std::make_shared<reference::Memory>(values.size() * sizeof(T));
    std::memcpy(memory->data(), values.data(), memory->size());
    launch.arguments.push_back({memory, {static_cast<std::int64_t>(values.size())}});
    return *this;
  }

  template <class T> std::vector<T> run(std::size_t count, std::int64_t local = 1) {
    launch.local[0] = local;
    slice(std::vector<T>(count));
    if (!program)
      throw std::runtime_error("the program is wrong: " + engine.all().front().text);
    result = reference::interpret(*program, *reference::findKernel(*program, "k"), launch);
    std::vector<T> out(count);
    const reference::Memory &memory = *launch.arguments.back().bytes;
    std::memcpy(out.data(), memory.data(), memory.size());
    return out;
  }

  std::string placeOf(const reference::Fault &fault) const {
    const diag::Position at = sources.position(fault.place);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
  }

  diag::SourceManager sources;
  diag::Engine engine;
  syntax::FileSet files{sources, engine, {}};
  std::unique_ptr<sema::Program> program;
  reference::Launch launch;
  reference::Result result;
};

using Numbers = std::vector<std::int64_t>;

/// The values of i64 expressions, one per element.
Numbers valuesOf(const std::vector<std::string> &expressions) {
  std::string text = "#[gpu]\nfn k(out: &mut [i64]):\n    val one = out.len() / out.len()\n";
  for (std::size_t i = 0; i != expressions.size(); ++i)
    text += "    out[" + std::to_string(i) + "] = " + expressions[i] + "\n";
  return Interpreted(text).run<std::int64_t>(expressions.size());
}

} // namespace

TEST(Reference, Integers) {
  EXPECT_EQ(valuesOf({"(200u8 + 100u8 * (one as u8)) as i64", "-7 / (2 * one)", "-7 % (2 * one)",
                      "(-128i8 / -(one as i8)) as i64", "(1u32 << (33 * one)) as i64",
                      "(-1i32 >> (one + 70)) as i64", "3 ** (4 * one)", "(-1i8 as u32) as i64"}),
            (Numbers{44, -3, -1, -128, 2, -1, 81, 4294967295}));
}

TEST(Reference, Floats) {
  EXPECT_EQ(
      valuesOf({"math.bitcast[u32](1.0f32 / ((one as f32) - 1.0)) as i64",
                "(1e30f32 * (one as f32)) as i64", "(math.NAN as i32) as i64",
                "math.bitcast[u16]((0.1f16 + (one as f16)) * 3.0) as i64",
                "math.bitcast[u16](1.0bf16) as i64", "math.min(-0.0, (one as f32) - 1.0) as i64",
                "math.bitcast[u32](math.min(-0.0, (one as f32) - 1.0)) as i64"}),
      (Numbers{0x7f800000, INT64_MAX, 0, 0x4299, 0x3f80, 0, 0x80000000}));
}

TEST(Reference, StructsAndArraysHaveSlices) {
  const char *text = R"(
struct Pair:
    a: &[i64]
    n: i64
    own: [i64; 2]
fn sum(p: Pair) -> i64:
    var total = p.n + p.own[0] + p.own[1]
    for x in p.a: total += x
    return total
#[gpu]
fn k(p: Pair, rows: [&[i64]; 2], out: &mut [i64]):
    var q = p
    q.a = rows[out.len() % 2]
    q.n += 1
    q.own[1] = 50
    val chosen = q if out.len() > 2 else p
    var all = [chosen, p]
    all[out.len() % 2].a = rows[0][1..]
    out[0] = sum(p)
    out[1] = sum(q)
    out[2] = sum(all[0])
    out[3] = sum(all[1])
    out[4] = rows[1].len()
)";
  auto interpreted = Interpreted(text);
  interpreted.slice(Numbers{1, 2, 3});
  interpreted.launch.arguments.push_back(
      {std::make_shared<reference::Memory>(sizeof(std::int64_t), std::byte{0}), {}});
  interpreted.launch.arguments.push_back(
      {std::make_shared<reference::Memory>(2 * sizeof(std::int64_t), std::byte{1}), {}});
  interpreted.slice(Numbers{10, 20}).slice(Numbers{100});
  const std::int64_t ones = 0x0101010101010101;
  EXPECT_EQ(interpreted.run<std::int64_t>(5),
            (Numbers{6 + 2 * ones, 100 + 1 + ones + 50, 100 + 1 + ones + 50, 20 + 2 * ones, 1}));
}

TEST(Reference, AggregatesAreValues) {
  const char *text = R"(
struct Pair:
    a: i16
    b: i64 = 7
fn changed(p: Pair) -> (Pair, i64):
    var q = p
    q.b += 1
    return (q, p.b)
#[gpu]
fn k(out: &mut [i64]):
    var p = Pair(3)
    val (q, before) = changed(p)
    p.a = 9
    var grid = [[1i32; 2]; 3]
    grid[1][1] = 5
    val copy = grid
    grid[1][1] = 6
    var v = i32x4(1, 2, 3, 4)
    v.y *= 10
    out[0] = q.b
    out[1] = before
    out[2] = q.a as i64
    out[3] = copy[1][1] as i64
    out[4] = (v + 1).y as i64
)";
  EXPECT_EQ(Interpreted(text).run<std::int64_t>(5), (Numbers{8, 7, 3, 5, 21}));
}

TEST(Reference, LoopsAndExits) {
  const char *text = R"(
#[gpu]
fn k(out: &mut [i64]):
    var n = 0
    for i in 250u8..=255u8: n += i as i64
    out[0] = n
    n = 0
    for i in 9..=0 step -3:
        if i == 6: continue
        for j in 0..10:
            if j == 2: break
            n = n * 10 + i
    out[1] = n
    while true:
        n += 1
        match n & 3:
            case 0: break
            case 1 | 2: continue
            case _: pass
    out[2] = n & 3
)";
  EXPECT_EQ(Interpreted(text).run<std::int64_t>(3), (Numbers{1515, 993300, 0}));
}

TEST(Reference, LanesThatCameTheSameWayTakePart) {
  const char *text = R"(
fn sum(x: i64) -> i64:
    if x == 2: return 100
    return gpu.warp_sum(x)
#[gpu]
fn k(out: &mut [i64]):
    val id = gpu.local_id()
    var x = id
    if id < 3:
        x = gpu.warp_sum(1)
    else:
        x = gpu.warp_sum(10)
    out[id] = x + gpu.warp_sum(1000)
    var left = id & 3
    while left > 0:
        left -= 1
        if left == 1: continue
        out[id] += gpu.warp_sum(100000)
    out[id] += sum(id) * 10000000
)";
  Numbers expected;
  for (std::int64_t id = 0; id != 6; ++id) {
    std::int64_t value = (id < 3 ? 3 : 30) + 6000;
    // Work-items 1, 3 and 5 reach the sum in the first iteration, then 2 alone, then 3 alone.
    constexpr std::int64_t inLoop[] = {0, 300000, 100000, 400000};
    value += inLoop[id & 3];
    value += id == 2 ? 1000000000 : 130000000;
    expected.push_back(value);
  }
  EXPECT_EQ(Interpreted(text).run<std::int64_t>(6, 6), expected);
}

TEST(Reference, GroupsShareMemoryBetweenBarriers) {
  const char *text = R"(
#[gpu]
fn k(out: &mut [i64]):
    val tile = gpu.shared[i64](40)
    val id = gpu.local_id()
    tile[id] = id * id
    gpu.barrier()
    out[id] = tile[39 - id] + 1000 * gpu.group_sum(1) + gpu.group_broadcast(id * 10000, 3)
    gpu.atomic_add(&mut tile[0], 1)
    gpu.barrier()
    if id == 0: out[0] = tile[0]
)";
  Numbers expected;
  for (std::int64_t id = 0; id != 40; ++id)
    expected.push_back(id == 0 ? 40 : (39 - id) * (39 - id) + 40000 + 30000);
  EXPECT_EQ(Interpreted(text).run<std::int64_t>(40, 40), expected);
}

TEST(Reference, FaultsOfEachWorkItem) {
  const char *text = R"(#[gpu]
fn k(a: &[i64], out: &mut [i64]):
    val i = gpu.global_id()
    out[a[i]] = 100 / (a[i] - 2)
)";
  Interpreted program(text);
  program.slice(Numbers{0, 1, 2, 3, 4}).run<std::int64_t>(3, 5);
  ASSERT_EQ(program.result.faults.size(), 3u);
  std::vector<std::string> faults;
  for (const reference::Fault &fault : program.result.faults)
    faults.push_back(std::to_string(int(fault.kind)) + " at " + program.placeOf(fault) + " " +
                     std::to_string(fault.value) + " of " + std::to_string(fault.bound) + " in " +
                     std::to_string(fault.workItem[0]));
  EXPECT_EQ(faults, (std::vector<std::string>{"0 at 4:5 3 of 3 in 3", "0 at 4:5 4 of 3 in 4",
                                              "1 at 4:17 0 of 0 in 2"}));
}

// Work-items that do not wait for one with a fault have their own faults.
TEST(Reference, FaultsOfWarpsAndBranches) {
  const char *text = R"(#[gpu]
fn k(out: &mut [i64]):
    val id = gpu.local_id()
    var x = 0
    if id < 3:
        x = gpu.warp_sum(1)
        out[1000 + id] = x
    else:
        if id >= 32: x = gpu.warp_sum(1)
        out[2000 + id] = x
    x = gpu.group_sum(x)
    out[3000] = x
)";
  Interpreted program(text);
  program.run<std::int64_t>(1, 40);
  EXPECT_EQ(program.result.faults.size(), 40u);
}

// Nobody goes from one arm of a branch to the other, so nobody waits there for one with a fault.
TEST(Reference, FaultsOfBothArms) {
  const char *text = R"(#[gpu]
fn k(out: &mut [i64]):
    val id = gpu.local_id()
    if id < 3:
        out[1000 + id] = 0
    else:
        for i in 0..2:
            val sum = gpu.warp_sum(1)
            if i == 1: out[2000 + sum] = 0
)";
  Interpreted program(text);
  program.run<std::int64_t>(1, 40);
  EXPECT_EQ(program.result.faults.size(), 40u);
}

// A later iteration, and what comes behind a branch, can be reached from an earlier one.
TEST(Reference, FaultsThatOthersWaitForBehindBranches) {
  const char *text = R"(#[gpu]
fn k(out: &mut [i64]):
    val id = gpu.local_id()
    for i in 0..3:
        if id == 3 and i == 1: out[1000] = 0
        out[0] = gpu.warp_sum(1)
        if i == 2: out[2000 + gpu.warp_sum(1)] = 0
)";
  Interpreted program(text);
  program.run<std::int64_t>(1, 40);
  EXPECT_EQ(program.result.faults.size(), 9u); // of work-item 3, and of those in the other warp
}

// After the sum of a warp, and for the lane that it waits for.
TEST(Reference, FaultsThatOthersWaitFor) {
  const char *text = R"(#[gpu]
fn k(out: &mut [i64]):
    val id = gpu.local_id()
    if id == 3: out[1000] = 0
    out[2000 + gpu.warp_sum(1)] = 0
)";
  Interpreted program(text);
  program.run<std::int64_t>(1, 40);
  EXPECT_EQ(program.result.faults.size(), 9u); // of work-item 3, and of those in the other warp
}

TEST(Reference, PrintsTheShortestTexts) {
  const std::vector<std::pair<std::string, std::string>> values = {
      {"-3i8", "-3"},
      {"18446744073709551615u64", "18446744073709551615"},
      {"1 < 2", "true"},
      {"Level.High", "10"},
      {"f32x2(0.1, -0.0)", "(0.1, -0)"},
      {"0.1f64", "0.1"},
      {"1e-5", "1e-05"},
      {"0.001", "0.001"},
      {"100000.0", "1e+05"},
      {"123456792.0f32", "123456792"},
      {"1e22f64", "1e+22"},
      {"9007199254740993.0f64", "9007199254740992"},
      {"math.bitcast[f32](1u32)", "1e-45"},
      {"math.bitcast[f64](1i64)", "5e-324"},
      {"math.bitcast[bf16](1i16)", "1e-40"},
      {"65504.0f16", "65504"},
      {"math.bitcast[f32](0x7f7fffffu32)", "3.4028235e+38"},
      {"math.bitcast[f32](0x0c800000u32)", "1.9721523e-31"}, // a power of two
      {"9.765625e-4f64", "0.0009765625"},
      {"-math.INF as f16", "-inf"},
      {"-(math.NAN as bf16)", "nan"},
      {"2.5:.0", "2"},
      {"1.5bf16:.3", "1.500"},
      {"-0.0f16:.1", "-0.0"},
  };
  std::string text = "enum Level:\n    Low\n    High = 10\n#[gpu]\nfn k(out: &mut [i64]):\n";
  for (const auto &[value, expected] : values)
    text += "    print \"{{" + value + "}} = {" + value + "}\"\n";
  Interpreted program(text);
  program.run<std::int64_t>(1);
  ASSERT_EQ(program.result.lines.size(), values.size());
  for (std::size_t i = 0; i != values.size(); ++i)
    EXPECT_EQ(program.result.lines[i], "{" + values[i].first + "} = " + values[i].second);
}

TEST(Reference, EndlessOutputIsTooLong) {
  Interpreted program("#[gpu]\nfn k(out: &mut [i64]):\n    for i in 0..100: print \"{i}\"\n");
  program.launch.maxLines = 100;
  program.run<std::int64_t>(1);
  EXPECT_FALSE(program.result.isTooLong);
  EXPECT_EQ(program.result.lines.back(), "99");
  program.run<std::int64_t>(1, 2);
  EXPECT_TRUE(program.result.isTooLong);
}

TEST(Reference, EndlessLoopsAreTooLong) {
  Interpreted program("#[gpu]\nfn k(out: &mut [i64]):\n    while out[0] == 0: pass\n");
  program.run<std::int64_t>(1);
  EXPECT_TRUE(program.result.isTooLong);
}

TEST(Reference, AGroupIsTooLongIfOnlySomeWorkItemsAre) {
  Interpreted program("#[gpu]\nfn k(out: &mut [i64]):\n    if gpu.global_id() == 0:\n"
                      "        for i in 0..100: print \"{i}\"\n    gpu.barrier()\n");
  program.launch.maxLines = 50;
  program.run<std::int64_t>(1, 64);
  EXPECT_TRUE(program.result.isTooLong);
}
