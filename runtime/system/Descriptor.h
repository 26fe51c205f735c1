// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file descriptor.
#ifndef SPL_RUNTIME_SYSTEM_DESCRIPTOR_H
#define SPL_RUNTIME_SYSTEM_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace spl::detail {

/// Owns a file descriptor and closes it. -1 means no descriptor.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  int get() const { return number; }

private:
  int number;
};

} // namespace spl::detail

#endif
