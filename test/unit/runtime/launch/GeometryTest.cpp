// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/Geometry.h"
#include "test/unit/runtime/Thrown.h"

#include <limits>

using namespace spl;
using spl::detail::Geometry;
using spl::test::textOf;
using spl::test::thrownBy;

static const DeviceLimits limits = {.groupSize = 1024,
                                    .localSize = {1024, 1024, 64},
                                    .numGroups = {2147483647, 65535, 65535},
                                    .sharedBytes = 49152};

static std::optional<Geometry> geometry(const LaunchConfig &config) {
  return detail::geometryOf(config, limits, Signature::parse("k()"));
}

using Sizes = std::array<std::int64_t, 3>;

TEST(Geometry, HasADefaultLocalForEachNumberOfAxes) {
  EXPECT_EQ(geometry({.global = {1}})->localSize, (Sizes{256, 1, 1}));
  EXPECT_EQ(geometry({.global = {1, 1}})->localSize, (Sizes{16, 16, 1}));
  EXPECT_EQ(geometry({.global = {1, 1, 1}})->localSize, (Sizes{8, 8, 4}));
}

TEST(Geometry, TakesTheKernelsOwnGroupSize) {
  const Signature kernel = Signature::parse("#[gpu(block: [32, 2])] k()");
  auto with = [&](const LaunchConfig &config) {
    return detail::geometryOf(config, limits, kernel);
  };
  EXPECT_EQ(with({.global = {100}})->localSize, (Sizes{32, 2, 1}));
  EXPECT_EQ(with({.global = {100}})->numGroups, (Sizes{4, 1, 1}));
  EXPECT_EQ(with({.global = {100}, .local = {32, 2, 1}})->localSize, (Sizes{32, 2, 1}));
  for (const Dims &local : {Dims{32}, Dims{2, 32}, Dims{32, 2, 2}, Dims{64}}) {
    Error error = thrownBy([&] { with({.global = {100}, .local = local}); });
    EXPECT_EQ(error.code(), ErrorCode::LaunchRefused);
    EXPECT_NE(textOf([&] {
                with({.global = {100}, .local = local});
              }).find("the kernel is compiled for groups of 32 x 2"),
              std::string::npos);
  }
}

TEST(Geometry, RoundsUpToWholeGroups) {
  EXPECT_EQ(geometry({.global = {1}})->numGroups, (Sizes{1, 1, 1}));
  EXPECT_EQ(geometry({.global = {256}})->numGroups, (Sizes{1, 1, 1}));
  EXPECT_EQ(geometry({.global = {257}})->numGroups, (Sizes{2, 1, 1}));
  EXPECT_EQ(geometry({.global = {10, 7, 5}, .local = {4, 4, 4}})->numGroups, (Sizes{3, 2, 2}));
  EXPECT_EQ(geometry({.global = {5}, .local = {2, 3}})->numGroups, (Sizes{3, 1, 1}));
}

TEST(Geometry, TakesTheLargestLaunch) {
  Geometry largest = *geometry({.global = {2147483647LL * 1024, 65535, 65535}, .local = {1024}});
  EXPECT_EQ(largest.numGroups, (Sizes{2147483647, 65535, 65535}));
  EXPECT_EQ(geometry({.global = {1}, .local = {1}, .shared = 49152})->sharedBytes, 49152);
}

TEST(Geometry, AZeroLaunchesNothing) {
  EXPECT_FALSE(geometry({.global = {0}}));
  EXPECT_FALSE(geometry({.global = {5, 0, 5}}));
}

TEST(Geometry, AZeroDoesNotHideAnError) {
  EXPECT_EQ(thrownBy([] { geometry({.global = {0, -1}}); }).code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(thrownBy([] { geometry({.global = {0}, .local = {2000}}); }).code(),
            ErrorCode::LaunchRefused);
}

TEST(Geometry, RefusesWhatMakesNoSense) {
  EXPECT_EQ(textOf([] { geometry({}); }), "launch of k: global is not given; give the number of "
                                          "work-items along 1 to 3 axes");
  EXPECT_EQ(textOf([] { geometry({.global = {4, -2}}); }),
            "launch of k: global y is -2; give a number of work-items, 0 or more");
  EXPECT_EQ(textOf([] { geometry({.global = {4}, .local = {4, 1, 0}}); }),
            "launch of k: local z is 0; a group has at least 1 work-item along each axis");
  EXPECT_EQ(textOf([] { geometry({.global = {4}, .shared = -1}); }),
            "launch of k: shared is -1; give a number of bytes, 0 or more");
  EXPECT_EQ(thrownBy([] { geometry({.global = {4}, .local = {-1}}); }).code(),
            ErrorCode::InvalidArgument);
}

TEST(Geometry, RefusesWhatTheDeviceCannotRun) {
  auto refused = [](const LaunchConfig &config) {
    Error error = thrownBy([&] { geometry(config); });
    EXPECT_EQ(error.code(), ErrorCode::LaunchRefused);
    return error.message();
  };
  EXPECT_EQ(refused({.global = {4}, .local = {1025}}),
            "launch of k: local x is 1025; the device takes at most 1024");
  EXPECT_EQ(refused({.global = {4}, .local = {1, 1, 65}}),
            "launch of k: local z is 65; the device takes at most 64");
  EXPECT_EQ(refused({.global = {4}, .local = {1024, 1024, 64}}),
            "launch of k: the size of a group (1024 x 1024 x 64) is 67108864; the device takes at "
            "most 1024");
  EXPECT_EQ(refused({.global = {33, 32}, .local = {33, 32}}),
            "launch of k: the size of a group (33 x 32) is 1056; the device takes at most 1024");
  EXPECT_EQ(refused({.global = {2147483648}, .local = {1}}),
            "launch of k: the number of groups along x is 2147483648; the device takes at most "
            "2147483647");
  EXPECT_EQ(refused({.global = {1, 65536}, .local = {1}}),
            "launch of k: the number of groups along y is 65536; the device takes at most 65535");
  EXPECT_EQ(refused({.global = {std::numeric_limits<std::uint64_t>::max()}}),
            "launch of k: the number of groups along x is 36028797018963968; the device takes at "
            "most 2147483647");
  EXPECT_EQ(refused({.global = {4}, .shared = 49153}),
            "launch of k: shared is 49153; the device takes at most 49152");
}

TEST(Dims, AreMadeFromAListOfOneToThree) {
  std::vector<std::int64_t> list = {1, 2, 3, 4};
  EXPECT_EQ(Dims::of(std::span(list).first(2)), (Dims{1, 2}));
  EXPECT_EQ(Dims::of(std::span(list).first(3)).str(), "1 x 2 x 3");
  EXPECT_EQ(textOf([&] { Dims::of(list); }), "1 to 3 extents are possible; got 4");
  EXPECT_EQ(textOf([&] { Dims::of({}); }), "1 to 3 extents are possible; got 0");
}
