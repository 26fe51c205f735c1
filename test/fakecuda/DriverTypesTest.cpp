// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the runtime's declarations of the CUDA driver (DriverTable.def, DriverTypes.h) and the
// fake's results with the headers of a CUDA toolkit, if there is one. Each function is compared
// with the version of it that the runtime loads.
#include "runtime/backends/cuda/Driver.h"

#include <gtest/gtest.h>

#ifdef SPL_CUDA_TYPES
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstddef>
#include <type_traits>

using namespace spl::detail;

template <typename T>
concept Complete = requires { sizeof(T); };

template <typename Ours, typename Theirs> struct SameFunction;

/// Whether the calling convention passes values of both types alike.
template <typename Ours, typename Theirs> constexpr bool isSame() {
  if constexpr (std::is_same_v<Ours, Theirs>) {
    return true;
  } else if constexpr (std::is_function_v<Ours> && std::is_function_v<Theirs>) {
    return SameFunction<Ours, Theirs>::value;
  } else if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using To = std::remove_pointer_t<Ours>;
    using ToTheirs = std::remove_pointer_t<Theirs>;
    return std::is_const_v<To> == std::is_const_v<ToTheirs> &&
           isSame<std::remove_const_t<To>, std::remove_const_t<ToTheirs>>();
  } else if constexpr (std::is_class_v<Ours> && std::is_class_v<Theirs>) {
    if constexpr (Complete<Ours> && Complete<Theirs>)
      return sizeof(Ours) == sizeof(Theirs) && alignof(Ours) == alignof(Theirs);
    else
      // Incomplete types are used through pointers only.
      return !Complete<Ours> && !Complete<Theirs>;
  } else if constexpr (std::is_enum_v<Theirs> || std::is_enum_v<Ours>) {
    return std::is_scalar_v<Ours> && std::is_scalar_v<Theirs> && sizeof(Ours) == sizeof(Theirs);
  } else if constexpr (std::is_integral_v<Ours> && std::is_integral_v<Theirs>) {
    return sizeof(Ours) == sizeof(Theirs) && std::is_signed_v<Ours> == std::is_signed_v<Theirs>;
  } else {
    return false;
  }
}

template <typename Ours, typename... OurParameters, typename Theirs, typename... TheirParameters>
struct SameFunction<Ours(OurParameters...), Theirs(TheirParameters...)> {
  static constexpr bool compare() {
    if constexpr (sizeof...(OurParameters) == sizeof...(TheirParameters))
      return isSame<Ours, Theirs>() && (isSame<OurParameters, TheirParameters>() && ...);
    else
      return false;
  }
  static constexpr bool value = compare();
};

template <typename Row, typename Theirs> constexpr bool isSameRow() {
  return isSame<decltype(Row::function), Theirs>();
}

TEST(DriverTypes, AreThoseOfTheToolkit) {
  int functions = 0;
#define FUNCTION(MEMBER, TYPE)                                                                     \
  EXPECT_TRUE((isSameRow<decltype(Driver::MEMBER), TYPE>())) << #TYPE;                             \
  ++functions;
#define ABSENT(NAME, VERSION) ADD_FAILURE() << "the toolkit knows no " << NAME << ' ' << VERSION;
#define RESULT(CODE, NAME) EXPECT_EQ(CODE, static_cast<int>(NAME)) << #NAME;
#include SPL_CUDA_TYPES
  EXPECT_GT(functions, 50);
}

TEST(DriverTypes, TheComparisonCanFail) {
  using Ours = CuResult (*)(CuDevicePtr, const void *, std::size_t);
  EXPECT_TRUE((isSame<Ours, CUresult (*)(CUdeviceptr, const void *, size_t)>()));
  EXPECT_FALSE((isSame<Ours, CUresult (*)(CUdeviceptr, const void *)>()));
  EXPECT_FALSE((isSame<Ours, CUresult (*)(CUdeviceptr, void *, size_t)>()));
  EXPECT_FALSE((isSame<Ours, CUresult (*)(CUdeviceptr, const void *, unsigned)>()));
  EXPECT_FALSE((isSame<Ours, CUresult (*)(CUcontext, const void *, size_t)>()));
  EXPECT_FALSE((isSame<CuKernelNodeParams, CUDA_KERNEL_NODE_PARAMS_v2>()));
  EXPECT_FALSE((isSame<CuUuid *, CUcontext>()));
}

#define EXPECT_SAME_PLACE(OURS, MEMBER, THEIRS, THEIR_MEMBER)                                      \
  EXPECT_EQ(offsetof(OURS, MEMBER), offsetof(THEIRS, THEIR_MEMBER)) << #MEMBER;                    \
  EXPECT_TRUE((isSame<decltype(OURS::MEMBER), decltype(THEIRS::THEIR_MEMBER)>())) << #MEMBER

TEST(DriverTypes, RecordsAreLaidOutAsTheToolkits) {
  using Launch = CuKernelNodeParams;
  using TheirLaunch = CUDA_KERNEL_NODE_PARAMS_v1;
  EXPECT_SAME_PLACE(Launch, function, TheirLaunch, func);
  EXPECT_SAME_PLACE(Launch, gridX, TheirLaunch, gridDimX);
  EXPECT_SAME_PLACE(Launch, gridY, TheirLaunch, gridDimY);
  EXPECT_SAME_PLACE(Launch, gridZ, TheirLaunch, gridDimZ);
  EXPECT_SAME_PLACE(Launch, blockX, TheirLaunch, blockDimX);
  EXPECT_SAME_PLACE(Launch, blockY, TheirLaunch, blockDimY);
  EXPECT_SAME_PLACE(Launch, blockZ, TheirLaunch, blockDimZ);
  EXPECT_SAME_PLACE(Launch, sharedBytes, TheirLaunch, sharedMemBytes);
  EXPECT_SAME_PLACE(Launch, params, TheirLaunch, kernelParams);
  EXPECT_SAME_PLACE(Launch, extra, TheirLaunch, extra);
  EXPECT_SAME_PLACE(CuMemPoolProps, allocationType, CUmemPoolProps, allocType);
  EXPECT_SAME_PLACE(CuMemPoolProps, handleTypes, CUmemPoolProps, handleTypes);
  EXPECT_SAME_PLACE(CuMemPoolProps, locationType, CUmemPoolProps, location.type);
  EXPECT_SAME_PLACE(CuMemPoolProps, locationId, CUmemPoolProps, location.id);
  EXPECT_SAME_PLACE(CuMemPoolProps, securityAttributes, CUmemPoolProps, win32SecurityAttributes);
#if CUDA_VERSION >= 12020
  EXPECT_EQ(offsetof(CuMemPoolProps, maxSize), offsetof(CUmemPoolProps, maxSize));
#endif
  EXPECT_EQ(CuMemPoolProps().allocationType, static_cast<int>(CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT_EQ(CuMemPoolProps().locationType, static_cast<int>(CU_MEM_LOCATION_TYPE_DEVICE));
}

#else

TEST(DriverTypes, AreThoseOfTheToolkit) { GTEST_SKIP() << "no cudaTypedefs.h of a CUDA toolkit"; }

#endif
