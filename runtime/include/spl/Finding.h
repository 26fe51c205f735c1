// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a checked launch found (jit::Options::instrument). Findings are values, which several
/// threads may read at once.
#ifndef SPL_FINDING_H
#define SPL_FINDING_H

#include <spl/Cxx20.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

/// What is wrong (FindingKinds.def).
enum class FindingKind {
#define SPL_FINDING_KIND(NAME, TEXT, MEANING) NAME,
#include "spl/FindingKinds.def"
};

/// How far apart the two work-items of a race are (RaceScopes.def). A farther one is greater.
enum class RaceScope {
#define SPL_RACE_SCOPE(NAME, WHO, REMEDY) NAME,
#include "spl/RaceScopes.def"
};

/// A call in the source, through which a kernel reaches a place in a function.
struct FindingCall {
  std::string file;
  std::int32_t line = 0;   ///< from 1
  std::int32_t column = 0; ///< from 1

  /// "file:line:column".
  std::string where() const;
  bool operator==(const FindingCall &) const = default;
};

/// A place of the source, and the work-item that was there.
struct FindingPlace {
  std::string note; ///< what the work-item did there: "loads", "stores", "adds atomically"
  std::string file;
  std::int32_t line = 0;                  ///< from 1; 0 if unknown
  std::int32_t column = 0;                ///< from 1; 0 if unknown
  std::array<std::int64_t, 3> workItem{}; ///< global ids, x first
  std::array<std::int64_t, 3> group{};    ///< group ids, x first
  std::vector<FindingCall> calls;         ///< the innermost first; empty in a kernel
  /// The kernel, if the place is in a function that was not inlined, whose calls are not known.
  std::string kernel;

  /// "file:line:column".
  std::string where() const;
  /// "work-item (3, 0, 0) of group (0, 0, 0) loads".
  std::string sentence() const;
};

/// One error of a kernel. Occurrences at the same lines are one finding, with the work-items of the
/// first. Of a race it is the first of those with the largest scope.
struct Finding {
  FindingKind kind = FindingKind::RaceShared;
  std::string name;    ///< of the kind, or of the fault: "race-shared", "index-out-of-bounds"
  std::string message; ///< one sentence without a full stop
  RaceScope scope = RaceScope::Warp; ///< of a race
  std::string element; ///< the element that was accessed, "tile[3, 4]"; empty if there is none
  /// The place of the error, and of a race the earlier access. Never empty.
  std::vector<FindingPlace> places;
  std::uint64_t count = 1; ///< how often it occurred

  /// "file:line:column: error: MESSAGE [NAME]".
  std::string diagnostic() const;
};

} // namespace spl

#endif
