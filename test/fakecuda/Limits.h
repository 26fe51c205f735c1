// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of a multiprocessor by compute capability, from the technical specifications in
// NVIDIA's CUDA programming guide.
#pragma once

namespace spl::fake {

struct Limits {
  int warps, blocks;
  int sharedBytes;
  int registers = 65536;
};

/// The number of multiprocessors of a device.
constexpr int multiprocessors = 132;

inline Limits limitsOf(int capability) {
  if (capability < 80)
    return {32, 16, 64 << 10};
  if (capability == 80)
    return {64, 32, 164 << 10};
  if (capability < 87)
    return {48, 16, 100 << 10};
  if (capability == 87)
    return {48, 16, 164 << 10};
  if (capability == 89)
    return {48, 24, 100 << 10};
  if (capability < 120)
    return {64, 32, 228 << 10};
  return {48, 24, 100 << 10};
}

} // namespace spl::fake
