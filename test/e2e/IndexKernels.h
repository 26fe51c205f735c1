// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels made at random of computations with indices, loops, guards and accesses to slices. Each
// is made together with its meaning: what one work-item after the other does, in exact arithmetic
// that is cut to the type, and with every check made. The meaning knows nothing of compilers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace spl::e2e::indices {

__extension__ typedef __int128 Wide; ///< any number of any integer type, and sums of two

struct Type {
  unsigned bits = 64;
  bool isSigned = true;

  bool operator==(const Type &) const = default;
  Wide least() const { return isSigned ? -(Wide{1} << (bits - 1)) : 0; }
  Wide most() const { return (Wide{1} << (isSigned ? bits - 1 : bits)) - 1; }
  Wide wrapped(Wide value) const;
  std::string name() const { return (isSigned ? "i" : "u") + std::to_string(bits); }
};

inline constexpr Type i64{64, true};
inline constexpr Type allTypes[] = {{8, true},  {16, true},  {32, true},  {64, true},
                                    {8, false}, {16, false}, {32, false}, {64, false}};

/// The slices that every kernel has. Of `p` all that is written is 1; the last two are added to.
struct SliceParameter {
  const char *name;
  Type element;
  unsigned rank;
  bool isMutable = false;
};
inline constexpr SliceParameter sliceParameters[] = {
    {"a", {32, true}, 1},       {"b", i64, 1},       {"m", {32, false}, 2},
    {"p", {8, false}, 1, true}, {"s", i64, 2, true}, {"out", i64, 1, true}};
inline constexpr std::size_t sliceCount = std::size(sliceParameters);
inline constexpr std::size_t scalarCount = 4;

/// A check that failed, and a work-item that takes longer than anyone expects to wait.
struct Faulted {};
struct TooLong {};

/// A launch and the memory that it is about.
struct Launch {
  std::array<std::int64_t, 3> groups{1, 1, 1}, local{1, 1, 1};
  struct Slice {
    std::array<std::int64_t, 2> extents{1, 1};
    std::vector<std::int64_t> elements;
  };
  std::array<Slice, sliceCount> slices;
  std::array<std::int64_t, scalarCount> scalars{}; ///< the bits
};

/// A slice, or a row or a part of one.
struct View {
  std::size_t slice = 0;
  std::int64_t offset = 0;
  std::array<std::int64_t, 2> extents{1, 1}; ///< of the last one only where it is a row
};

/// One work-item on its way through a kernel.
struct Item {
  Launch &launch;
  std::array<std::int64_t, 3> group{}, local{};
  std::vector<Wide> values;
  std::vector<View> views;
  std::array<Wide, 8> own{}; ///< its array
  int patience = 4000;

  void wait() {
    if (--patience < 0)
      throw TooLong();
  }
  std::int64_t globalId(unsigned axis) const {
    return group[axis] * launch.local[axis] + local[axis];
  }
};

enum class Way { Next, Break, Continue, Return };

struct Kernel {
  std::string name, text; ///< with a line for each parameter type
  std::array<Type, scalarCount> scalars;
  std::array<std::int64_t, 3> block{}; ///< zeros: any
  std::size_t values = 0, views = 0;
  std::function<Way(Item &)> run;
};

/// What the kernels call: once in a file, before them.
extern const char *const prelude;

/// The same for the same seed, by the same compiler of this test.
Kernel makeKernel(std::uint64_t seed);

/// One that the kernel may do well with; or one that is nasty.
Launch makeLaunch(const Kernel &kernel, std::mt19937_64 &random);

enum class Outcome { Done, Fault, TooLong };
/// Changes the launch's memory to what the kernel leaves, unless it faults.
Outcome interpret(const Kernel &kernel, Launch &launch);

} // namespace spl::e2e::indices
