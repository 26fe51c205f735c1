// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what the process writes to its standard output.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace spl::random {

/// From its creation on, standard output goes to a file in memory. The destructor ends this. The
/// constructor throws std::system_error.
class Output {
public:
  Output() {
    std::fflush(stdout);
    file = memfd_create("output", 0);
    outer = dup(STDOUT_FILENO);
    if (file < 0 || outer < 0 || dup2(file, STDOUT_FILENO) < 0)
      throw std::system_error(errno, std::generic_category(), "standard output");
  }
  ~Output() {
    std::fflush(stdout);
    dup2(outer, STDOUT_FILENO);
    close(outer);
    close(file);
  }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  std::string text() const {
    std::fflush(stdout);
    std::string all;
    std::array<char, 4096> part;
    for (off_t at = 0;;) {
      const ssize_t count = pread(file, part.data(), part.size(), at);
      if (count <= 0)
        return all;
      all.append(part.data(), static_cast<std::size_t>(count));
      at += count;
    }
  }

private:
  int file = -1, outer = -1;
};

} // namespace spl::random
