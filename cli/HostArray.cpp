// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/HostArray.h"
#include "runtime/system/HostInfo.h"
#include <new>
#include <spl/Error.h>
#include <stdexcept>

namespace spl::cli {

void HostArray::allocate(std::size_t count) {
  const auto fail = [&] {
    throw Error({.code = ErrorCode::OutOfMemory,
                 .message = "out of memory: " + std::to_string(count) + " bytes asked, " +
                            std::to_string(detail::memoryState().free) + " free"});
  };
  try {
    bytes.resize(count);
  } catch (const std::bad_alloc &) {
    fail();
  } catch (const std::length_error &) {
    fail();
  }
}

} // namespace spl::cli
