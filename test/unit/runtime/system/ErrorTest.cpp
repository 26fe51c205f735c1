// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <spl/Error.h>
#include <spl/cpu_abi.h>

#include <gtest/gtest.h>

#include <type_traits>

using namespace spl;

static_assert(std::is_nothrow_copy_constructible_v<Error>);

TEST(Error, SaysAllItKnows) {
  Error error({.code = ErrorCode::OutOfMemory,
               .message = "out of memory",
               .call = "cuMemAlloc",
               .native = 2,
               .nativeName = "CUDA_ERROR_OUT_OF_MEMORY",
               .context = "cuda device 0 (H200)",
               .hint = "free arrays"});
  EXPECT_STREQ(error.what(), "out of memory (cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY, 2); cuda device "
                             "0 (H200); free arrays");
  EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(error.message(), "out of memory");
  EXPECT_EQ(error.call(), "cuMemAlloc");
  EXPECT_EQ(error.nativeCode(), 2);
  EXPECT_EQ(error.nativeName(), "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(error.context(), "cuda device 0 (H200)");
  EXPECT_EQ(error.hint(), "free arrays");
  EXPECT_EQ(error.fault(), nullptr);
  EXPECT_STREQ(Error({.message = "only this"}).what(), "only this");
}

TEST(Error, NamesItsCodesInKebabCase) {
  EXPECT_EQ(toString(ErrorCode::InvalidArgument), "invalid-argument");
  EXPECT_EQ(toString(ErrorCode::BackendUnavailable), "backend-unavailable");
  EXPECT_EQ(toString(ErrorCode::UnsupportedOnTarget), "unsupported-on-target");
  EXPECT_EQ(toString(ErrorCode::OverlappingArguments), "overlapping-arguments");
  EXPECT_EQ(toString(ErrorCode::KernelFault), "kernel-fault");
}

TEST(Fault, IsPrintedAsADiagnostic) {
  Fault fault;
  fault.file = "k.spl";
  fault.line = 4;
  fault.column = 9;
  auto diagnostic = [&](FaultKind kind, std::int64_t value, std::int64_t bound,
                        const char *subject) {
    fault.kind = kind;
    fault.value = value;
    fault.bound = bound;
    fault.subject = subject;
    return fault.diagnostic();
  };
  EXPECT_EQ(diagnostic(FaultKind::IndexOutOfBounds, 277, 277, "src"),
            "k.spl:4:9: error: index 277 is out of bounds for 'src' of length 277 "
            "[index-out-of-bounds]");
  EXPECT_EQ(diagnostic(FaultKind::IndexOutOfBounds, -1, 3, ""),
            "k.spl:4:9: error: index -1 is out of bounds for a slice of length 3 "
            "[index-out-of-bounds]");
  EXPECT_EQ(diagnostic(FaultKind::IndexOutOfBounds, 4, 3, "axis 1 of m"),
            "k.spl:4:9: error: index 4 is out of bounds for axis 1 of 'm' of length 3 "
            "[index-out-of-bounds]");
  EXPECT_EQ(diagnostic(FaultKind::DivisionByZero, 0, 0, ""),
            "k.spl:4:9: error: division by zero [division-by-zero]");
  EXPECT_EQ(diagnostic(FaultKind::AssertionFailed, 0, 0, ""),
            "k.spl:4:9: error: assertion failed [assertion-failed]");
  EXPECT_EQ(diagnostic(FaultKind::AssertionFailed, 0, 0, "n > 0"),
            "k.spl:4:9: error: assertion failed: n > 0 [assertion-failed]");
  EXPECT_EQ(diagnostic(FaultKind::Trap, 0, 0, "no way out"),
            "k.spl:4:9: error: trap: no way out [trap]");
  EXPECT_EQ(diagnostic(FaultKind::StepZero, 0, 0, ""),
            "k.spl:4:9: error: the step of a range is zero [step-zero]");
  EXPECT_EQ(diagnostic(FaultKind::NegativeExponent, -1, 0, ""),
            "k.spl:4:9: error: negative exponent -1 [negative-exponent]");
  EXPECT_EQ(diagnostic(FaultKind::MisalignedVector, 3, 4, "a"),
            "k.spl:4:9: error: index 3 of 'a' is not aligned for an access of 4 at once "
            "[misaligned-vector]");
}

TEST(Fault, SaysWhichWorkItemAndGroup) {
  Fault fault;
  fault.kind = FaultKind::DivisionByZero;
  fault.file = "k.spl";
  fault.workItem = {70000000000, 5, 1};
  fault.group = {8, 2, 0};
  EXPECT_EQ(fault.inWorkItem(), "in work-item (70000000000, 5, 1) of group (8, 2, 0)");
  const Error error(
      {.code = ErrorCode::KernelFault, .message = "division by zero", .fault = fault});
  EXPECT_EQ(error.what(), fault.diagnostic() + "; " + fault.inWorkItem());
  EXPECT_EQ(error.message(), "division by zero");
}

TEST(Fault, SaysThatTheLaunchWasRoundedUp) {
  Fault fault;
  fault.workItem = {1000, 0, 0};
  fault.group = {3, 0, 0};
  fault.requested = {1001, 1, 1};
  fault.localSize = {256, 1, 1};
  EXPECT_FALSE(fault.isBeyondLaunch());
  EXPECT_EQ(fault.inWorkItem(), "in work-item (1000, 0, 0) of group (3, 0, 0)");
  fault.requested = {1000, 1, 1};
  EXPECT_TRUE(fault.isBeyondLaunch());
  EXPECT_EQ(fault.inWorkItem(),
            "in work-item (1000, 0, 0) of group (3, 0, 0); the launch of 1000 work-items was "
            "rounded up to 1024, 4 groups of 256");
  fault.workItem = {5, 0, 0};
  fault.group = {0, 0, 0};
  fault.requested = {5, 1, 1};
  EXPECT_EQ(fault.inWorkItem(), "in work-item (5, 0, 0) of group (0, 0, 0); the launch of 5 "
                                "work-items was rounded up to 256, 1 group of 256");
  fault.workItem = {3, 20, 0};
  fault.group = {0, 1, 0};
  fault.requested = {30, 20, 1};
  fault.localSize = {16, 16, 1};
  EXPECT_EQ(fault.inWorkItem(), "in work-item (3, 20, 0) of group (0, 1, 0); the launch of 30 x 20 "
                                "work-items was rounded up to 32 x 32, 2 x 2 groups of 16 x 16");
  fault.workItem = {0, 0, 3};
  fault.requested = {1, 1, 3};
  fault.localSize = {1, 1, 4};
  EXPECT_EQ(fault.inWorkItem(),
            "in work-item (0, 0, 3) of group (0, 1, 0); the launch of 1 x 1 x 3 "
            "work-items was rounded up to 1 x 1 x 4, 1 x 1 x 1 group of 1 x 1 "
            "x 4");
}

TEST(Fault, SaysHowToGuardAnIndex) {
  Fault fault;
  fault.kind = FaultKind::IndexOutOfBounds;
  fault.value = fault.bound = 1000;
  fault.subject = "src";
  fault.workItem = {1000, 0, 0};
  fault.requested = {1000, 1, 1};
  fault.localSize = {256, 1, 1};
  const std::string guard = "4 groups of 256; guard the access with an 'if' that compares its "
                            "index with 'src.len()'";
  auto isGuarded = [&] { return fault.inWorkItem().ends_with(guard); };
  EXPECT_TRUE(isGuarded());
  const Fault guarded = fault;
  fault.value = -1; // no guard of the end helps
  EXPECT_FALSE(isGuarded());
  fault = guarded;
  fault.subject = "gpu.shared_dyn";
  EXPECT_TRUE(fault.inWorkItem().ends_with("4 groups of 256"));
  fault.subject = "";
  EXPECT_TRUE(fault.inWorkItem().ends_with("4 groups of 256"));
  fault = guarded;
  fault.kind = FaultKind::MisalignedVector;
  EXPECT_FALSE(isGuarded());
  fault = guarded;
  fault.requested = {1000, 2, 1}; // several axes
  EXPECT_TRUE(fault.inWorkItem().ends_with("4 x 2 groups of 256 x 1"));
  fault.subject = "axis 1 of m";
  EXPECT_TRUE(fault.inWorkItem().ends_with("that compares its index with 'm.dim(1)'"));
  fault = guarded;
  fault.requested = {1001, 1, 1}; // within the launch
  EXPECT_FALSE(isGuarded());
}
