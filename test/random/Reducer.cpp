// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deletes parts of the text, and keeps a change if the program is still valid and still differs.
// The launches do not change, as they depend only on the seed and the parameters.
#include "test/random/Reducer.h"

#include "test/random/Processes.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace spl::random {
namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line;
  return text;
}

bool isCrash(const std::string &end) { return end.starts_with("crash") || end == "no end"; }

/// How compare() crashes for one program, if it does.
std::optional<Mismatch> compareInProcess(const generator::Program &program, const Plan &plan) {
  const std::string end = inProcess([&]() -> std::string {
    Counts counts;
    try {
      compare({program}, plan, counts);
    } catch (const std::exception &) { // an error of the compiler is no crash
    }
    return "";
  });
  if (!isCrash(end))
    return std::nullopt;
  return Mismatch{program, plan.builds.front(), false, "", end, true};
}

std::size_t indentOf(const std::string &line) { return line.find_first_not_of(' '); }

/// The end of the lines that are nested below the line \p first.
std::size_t endOf(const std::vector<std::string> &lines, std::size_t first) {
  std::size_t end = first + 1;
  while (end != lines.size() && lines[end] != "\n" && indentOf(lines[end]) > indentOf(lines[first]))
    ++end;
  return end;
}

/// The texts without a part of the lines, from halves to sixteenths.
std::vector<std::string> withoutParts(const std::string &text) {
  std::vector<std::string> made;
  const std::vector<std::string> lines = linesOf(text);
  for (std::size_t size = lines.size() / 2; size > 1 && size >= lines.size() / 16; size /= 2)
    for (std::size_t end = lines.size(); end >= size; end -= size) {
      std::vector<std::string> rest = lines;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(end - size),
                 rest.begin() + static_cast<std::ptrdiff_t>(end));
      made.push_back(joined(rest));
    }
  return made;
}

/// For each statement, the text without it. For each compound statement, also the text with its
/// body in its place.
std::vector<std::string> withoutStatements(const std::string &text) {
  std::vector<std::string> made;
  const std::vector<std::string> lines = linesOf(text);
  for (std::size_t i = lines.size(); i-- != 0;) {
    const std::size_t end = endOf(lines, i);
    std::vector<std::string> rest = lines;
    const auto at = [&](std::size_t line) {
      return rest.begin() + static_cast<std::ptrdiff_t>(line);
    };
    rest.erase(at(i), at(end));
    made.push_back(joined(rest));
    if (end == i + 1)
      continue;
    rest = lines;
    for (std::size_t k = i + 1; k != end; ++k)
      rest[k].erase(0, 4);
    rest.erase(at(i));
    made.push_back(joined(rest));
  }
  return made;
}

/// The texts in which the right side of one assignment is a simple value.
std::vector<std::string> withSmallerValues(const std::string &text) {
  std::vector<std::string> made;
  const std::vector<std::string> lines = linesOf(text);
  for (std::size_t i = 0; i != lines.size(); ++i) {
    const std::size_t at = lines[i].find(" = ");
    if (at == std::string::npos || lines[i].size() < at + 8)
      continue;
    for (const char *value : {"1\n", "gpu.global_id()\n", "(gpu.global_id() as i32)\n"}) {
      std::vector<std::string> changed = lines;
      changed[i] = lines[i].substr(0, at + 3) + value;
      made.push_back(joined(changed));
    }
  }
  return made;
}

/// The texts in which one expression in parentheses is replaced by a part of it, or by a number.
std::vector<std::string> withSmallerExpressions(const std::string &text) {
  std::vector<std::string> made;
  std::vector<std::size_t> open;
  std::vector<std::pair<std::size_t, std::size_t>> groups; ///< inner groups come first
  for (std::size_t i = 0; i != text.size(); ++i) {
    if (text[i] == '(')
      open.push_back(i);
    if (text[i] != ')' || open.empty())
      continue;
    groups.emplace_back(open.back(), i + 1);
    open.pop_back();
  }
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const auto [first, end] = *group;
    auto replace = [&](const std::string &by) {
      made.push_back(text.substr(0, first) + by + text.substr(end));
    };
    if (end - first > 4)
      replace("(1)");
    for (const auto &[from, to] : groups)
      if (from > first && to < end && to - from > 3)
        replace(text.substr(from, to - from));
  }
  return made;
}

class Reducer {
public:
  Reducer(const Mismatch &mismatch, int launches)
      : smallest(mismatch), plan{{mismatch.options}, launches} {}

  Mismatch run() {
    pass(withoutParts);
    while (pass(withoutStatements) || pass(withSmallerValues) || pass(withSmallerExpressions)) {
    }
    return smallest;
  }

private:
  /// Tries the texts that \p make returns, and keeps the first that still differs. Repeats this on
  /// the result. Returns whether a text was kept.
  bool pass(std::vector<std::string> (*make)(const std::string &)) {
    bool isShorter = false;
    for (bool found = true; found && tries < maxTries;) {
      found = false;
      for (const std::string &text : make(smallest.program.text)) {
        if (!keep(text))
          continue;
        isShorter = found = true;
        break;
      }
    }
    return isShorter;
  }

  bool keep(const std::string &text) {
    generator::Program program = smallest.program;
    program.text = text;
    if (tries >= maxTries || Clock::now() > end || !seen.insert(text).second || !isProgram(program))
      return false;
    ++tries;
    try {
      Counts counts;
      if (std::optional<Mismatch> found =
              smallest.isCrash ? compareInProcess(program, plan) : compare({program}, plan, counts);
          found && !found->readsUnwritten) {
        smallest = std::move(*found);
        return true;
      }
    } catch (const std::exception &) { // another error than the one to be reduced
    }
    return false;
  }

  static bool isProgram(const generator::Program &program) {
    const Source source{Text({program})};
    return source.isCorrect() && source.hasKernel(program);
  }

  using Clock = std::chrono::steady_clock;
  static constexpr int maxTries = 2000;
  const Clock::time_point end = Clock::now() + std::chrono::minutes(5);
  Mismatch smallest;
  Plan plan;
  std::set<std::string> seen;
  int tries = 0;
};

} // namespace

std::string withReduced(const Mismatch &mismatch, int launches) {
  if (mismatch.isCrash && mismatch.what == "no end") // each try would take as long
    return mismatch.str();
  const Mismatch small = Reducer(mismatch, launches).run();
  const auto lines = std::ranges::count_if(linesOf(small.program.text),
                                           [](const std::string &line) { return line != "\n"; });
  return mismatch.str() + "reduced to " + std::to_string(lines) + " lines: " + small.str();
}

std::optional<Mismatch> findCrash(const std::vector<generator::Program> &programs,
                                  const Plan &plan) {
  for (const generator::Program &program : programs)
    for (const BuildOptions &build : plan.builds)
      if (auto found = compareInProcess(program, {{build}, plan.launches}))
        return found;
  return std::nullopt;
}

} // namespace spl::random
