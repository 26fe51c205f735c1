// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of streams that other libraries make or use.
#include "test/conformance/Conformance.h"
#include "test/unit/runtime/Thrown.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

using namespace spl;
using namespace spl::test;

namespace {

class WrappedStreams : public Conformance {};

} // namespace

TEST_P(WrappedStreams, TakeWork) {
  int released = 0;
  Stream own = context->makeStream();
  const std::uint64_t native = own.native();
  EXPECT_EQ(native == 0, GetParam().backend == Backend::Cpu);
  auto array = context->allocZeros<std::int32_t>(3);
  std::optional<Stream> wrapped = context->wrapStream(native, [&] { ++released; });
  EXPECT_EQ(wrapped->native(), native);
  array.fillAsync(7, *wrapped);
  wrapped->sync();
  EXPECT_TRUE(wrapped->query());
  EXPECT_EQ(array.download(), std::vector<std::int32_t>(3, 7));
  EXPECT_EQ(released, 0);
  wrapped.reset();
  EXPECT_EQ(released, 1);
  own.sync(); // the stream still exists
}

TEST_P(WrappedStreams, KeepTheirOrder) {
  if (GetParam().backend == Backend::Cpu)
    GTEST_SKIP() << "cpu: no other library has streams of it";
  Stream own = context->makeStream();
  Stream wrapped = context->wrapStream(own.native());
  auto array = context->allocZeros<std::int32_t>(3);
  auto target = context->allocPinned<std::int32_t>(3);
  Gate gate;
  gate.hold(own);
  array.fillAsync(5, own);
  array.downloadAsync(target.host(), wrapped);
  EXPECT_FALSE(wrapped.query());
  gate.open();
  wrapped.sync();
  EXPECT_EQ(target.host()[2], 5);
}

TEST_P(WrappedStreams, AreKeptWhileMemoryNeedsThem) {
  if (GetParam().backend == Backend::Cpu)
    GTEST_SKIP() << "cpu: no other library has streams of it";
  int released = 0;
  Stream own = context->makeStream();
  auto array = context->allocZeros<std::int32_t>(3);
  array.fillAsync(9, context->wrapStream(own.native(), [&] { ++released; }));
  EXPECT_EQ(released, 0);
  EXPECT_EQ(array.download(), std::vector<std::int32_t>(3, 9)); // waits for the stream
  EXPECT_EQ(released, 1);
}

TEST_P(WrappedStreams, ZeroIsTheDefaultStream) {
  int released = 0;
  {
    Stream stream = context->wrapStream(0, [&] { ++released; });
    EXPECT_EQ(stream.backend().get(), context->defaultStream().backend().get());
    EXPECT_EQ(stream.native(), 0u);
    EXPECT_EQ(context->defaultStream().native(), 0u);
    stream.sync();
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

TEST_P(WrappedStreams, RefuseWhatIsNone) {
  int released = 0;
  auto wrap = [&](std::uint64_t native) { context->wrapStream(native, [&] { ++released; }); };
  if (GetParam().backend == Backend::Cpu) {
    const Error error = thrownBy([&] { wrap(64); });
    EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget);
    EXPECT_EQ(error.message(), "wrapStream: the cpu backend has no streams of other libraries");
  } else {
    wrap(1); // cudaStreamLegacy
    EXPECT_EQ(std::exchange(released, 0), 1);
    const Error error = thrownBy([&] { wrap(2); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_EQ(error.message(), "wrapStream: cudaStreamPerThread is another stream in each thread");
  }
  EXPECT_EQ(released, 0);
}

SPL_ON_EVERY_BACKEND(WrappedStreams);
