// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a kernel is launched: its geometry and its arguments. Both are short-lived values; an
/// Argument refers to a buffer and must not outlive it.
#ifndef SPL_LAUNCH_H
#define SPL_LAUNCH_H

#include <spl/Array.h>
#include <spl/ScalarType.h>
#include <spl/Shape.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>

namespace spl {

/// The geometry of a launch: {.global = {n}, .local = {256}}.
struct LaunchConfig {
  /// Work-items along x, y and z; rounded up to whole groups, so that a kernel can see ids beyond
  /// it. A 0 launches nothing and succeeds. Must be given.
  Dims global = {};

  /// Work-items of one group; by default 256, 16 x 16 or 8 x 8 x 4, by the axes of global.
  Dims local = {};

  /// Shared memory beyond what the kernel declares, in bytes.
  std::int64_t shared = 0;
};

/// A scalar whose type is known at run time; the value is in the low sizeOf(type) bytes.
struct ScalarValue {
  ScalarType type = ScalarType::I64;
  std::uint64_t bits = 0;
};

/// A buffer as an argument.
struct BufferUse {
  const Buffer *buffer = nullptr;
  bool writable = false; ///< whether a &mut parameter may take it
};

/// One argument of a launch. With a name it goes to the parameter of that name, without one to the
/// parameter at its position; one launch uses one way or the other.
struct Argument {
  std::string name;
  std::variant<ScalarValue, BufferUse> value;

  template <DeviceScalar T> Argument(T scalar) : value(valueOf(scalar)) {}
  template <DeviceScalar T>
  Argument(std::string name, T scalar) : name(std::move(name)), value(valueOf(scalar)) {}

  Argument(ScalarValue scalar) : value(scalar) {}
  Argument(std::string name, ScalarValue scalar) : name(std::move(name)), value(scalar) {}

  Argument(Buffer &buffer) : value(BufferUse{&buffer, true}) {}
  Argument(const Buffer &buffer) : value(BufferUse{&buffer, false}) {}
  Argument(std::string name, Buffer &buffer)
      : name(std::move(name)), value(BufferUse{&buffer, true}) {}
  Argument(std::string name, const Buffer &buffer)
      : name(std::move(name)), value(BufferUse{&buffer, false}) {}

private:
  template <DeviceScalar T> static ScalarValue valueOf(T scalar) {
    ScalarValue result{scalarTypeOf<T>(), 0};
    std::memcpy(&result.bits, &scalar, sizeof scalar);
    return result;
  }
};

} // namespace spl

#endif
