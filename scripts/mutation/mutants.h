// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program with mutants compiled in chooses one. scripts/mutate puts this into its copy of the
// tree; no program of the project itself includes it.
//   MUTANT=17               behaves as mutant 17; without it, as the project
//   MUTANTS_REACHED=FILE    appends the number of each mutant that is reached, in four bytes
#pragma once
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace spl_mutants {

inline constexpr unsigned maxNumber = 1u << 18;

inline int openReached() {
  const char *path = std::getenv("MUTANTS_REACHED");
  return path ? ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
}

inline unsigned readChosen() {
  const char *number = std::getenv("MUTANT");
  return number ? static_cast<unsigned>(std::strtoul(number, nullptr, 10)) : 0;
}

__attribute__((noinline)) inline bool isOn(unsigned number) {
  static const unsigned chosen = readChosen();
  static const int reached = openReached();
  static std::atomic<bool> seen[maxNumber];
  if (reached >= 0 && !seen[number].exchange(true))
    (void)!::write(reached, &number, sizeof(number));
  return number == chosen;
}

} // namespace spl_mutants
