// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Comparison.h"

#include "frontend/diag/Engine.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Leaves.h"
#include "frontend/syntax/FileSet.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

namespace spl::random {

std::string Mismatch::str() const {
  return "seed " + std::to_string(program.seed) + ", " + options.str() +
         (meetsContract ? ", contract met" : "") + ", launch " + launch + ": " + what + "\n" +
         program.text;
}

std::string Counts::str() const {
  char text[400];
  std::snprintf(text, sizeof text,
                "%zu programs, %zu with contracts; %zu launches, %zu met one, %zu fault, %zu of "
                "those that met one, %zu too long; %zu runs; compiling %.0f s, interpreting %.0f, "
                "running %.0f",
                programs, contracts, launches, met, faults, metFaults, tooLong, runs, compiling,
                interpreting, running);
  return text;
}

Counts &Counts::operator+=(const Counts &other) {
  programs += other.programs;
  contracts += other.contracts;
  launches += other.launches;
  runs += other.runs;
  met += other.met;
  faults += other.faults;
  metFaults += other.metFaults;
  tooLong += other.tooLong;
  compiling += other.compiling;
  interpreting += other.interpreting;
  running += other.running;
  return *this;
}

//===-- The reference --===//

struct Source::State {
  diag::SourceManager sources;
  diag::Engine engine{sources};
  syntax::FileSet files;
  std::unique_ptr<sema::Program> program;

  explicit State(const Text &text) : files(sources, engine, text.includes()) {}
};

Source::Source(const Text &text) : state(std::make_unique<State>(text)) {
  state->files.load("random.spl", state->sources.addBuffer("random.spl", text.main),
                    /*isFile=*/false);
  state->program = sema::check(state->files, {.instances = text.instances}, state->engine);
}

Source::~Source() = default;

bool Source::isCorrect() const { return state->program != nullptr; }

/// The size of the parameter or the part of one, or of its elements.
static std::size_t sizeOf(const sema::Leaf &leaf) {
  return (leaf.type.isSlice() ? leaf.type.element() : leaf.type).layout().size;
}

bool Source::hasKernel(const generator::Program &program) const {
  auto isThere = [&](const std::string &entry) {
    const sema::Function *kernel = reference::findKernel(*state->program, entry);
    if (!kernel)
      return false;
    std::vector<sema::Leaf> leaves;
    for (const sema::Local *parameter : kernel->parameters)
      for (sema::Leaf &leaf : sema::leavesOf(parameter->type))
        leaves.push_back(std::move(leaf));
    return std::ranges::equal(leaves, program.parameters, {}, &sizeOf, &elementBytes);
  };
  if (program.instances.empty())
    return isThere(program.kernel);
  return std::ranges::all_of(program.instances,
                             [&](const auto &instance) { return isThere(instance.entry); });
}

reference::Result Source::interpret(const std::string &entry,
                                    const reference::Launch &launch) const {
  return reference::interpret(*state->program, *reference::findKernel(*state->program, entry),
                              launch);
}

ReportedFault Source::reported(const reference::Fault &fault) const {
  const diag::Position at = state->sources.position(fault.place);
  return {static_cast<int>(fault.kind),
          at.file.str(),
          static_cast<int>(at.line),
          static_cast<int>(at.column),
          fault.value,
          fault.bound,
          fault.workItem,
          fault.group};
}

//===-- Comparing --===//

namespace {

bool isNaN(generator::Type type, std::uint64_t bits) {
  switch (type.scalar) {
  case generator::Scalar::F16:
    return (bits & 0x7fff) > 0x7c00;
  case generator::Scalar::BF16:
    return (bits & 0x7fff) > 0x7f80;
  case generator::Scalar::F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  case generator::Scalar::F64:
    return (bits & ~std::uint64_t{0} >> 1) > 0x7ff0000000000000;
  default:
    return false;
  }
}

/// Describes the first difference between the slices. All NaN are equal.
std::string difference(const generator::Program &program, const reference::Launch &actual,
                       const reference::Launch &expected) {
  for (std::size_t k = 0; k != program.parameters.size(); ++k) {
    if (!isSlice(program.parameters[k]))
      continue;
    const std::vector<Part> parts = partsOf(program.parameters[k]);
    const std::size_t size = elementBytes(program.parameters[k]);
    for (std::size_t i = 0; i != actual.arguments[k].bytes->size() / size * parts.size(); ++i) {
      const auto [offset, type] = parts[i % parts.size()];
      const std::size_t at = i / parts.size() * size + offset;
      std::uint64_t actualBits = 0, expectedBits = 0;
      std::memcpy(&actualBits, actual.arguments[k].bytes->data() + at, type.bits() / 8);
      std::memcpy(&expectedBits, expected.arguments[k].bytes->data() + at, type.bits() / 8);
      if (actualBits == expectedBits || (isNaN(type, actualBits) && isNaN(type, expectedBits)))
        continue;
      char text[160];
      std::snprintf(text, sizeof text, "number %zu of %s is %#lx, not %#lx", i,
                    program.parameters[k].name.c_str(), actualBits, expectedBits);
      return text;
    }
  }
  return "";
}

std::string faultDifference(const Source &source, const RunResult &actual,
                            const reference::Result &expected) {
  if (expected.faults.empty())
    return "a fault where there is none" + (actual.fault ? ": " + actual.fault->str() : "");
  if (!actual.fault)
    return "";
  std::string all;
  for (const reference::Fault &fault : expected.faults) {
    const std::string possible = source.reported(fault).str();
    if (possible == actual.fault->str())
      return "";
    all += "\n  " + possible;
  }
  return actual.fault->str() + "; possible are" + all;
}

/// Adds the time until the end of the scope to a counter.
class Timer {
public:
  explicit Timer(double &seconds) : seconds(seconds) {}
  ~Timer() { seconds += std::chrono::duration<double>(Clock::now() - start).count(); }
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  double &seconds;
  Clock::time_point start = Clock::now();
};

/// One launch of a program.
struct Case {
  const generator::Program &program;
  const Source &source;
  std::string entry;
  reference::Launch launch, expected;
  reference::Result result;
};

/// The lines, sorted. Lines of one work-item that begin with its number stay in their order.
std::vector<std::string> sortedLines(const std::string &text) {
  std::multimap<std::string, std::string> byKey; // lines of one key stay in their order
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    byKey.emplace(line.starts_with('#') ? line.substr(0, line.find(':')) : line, line);
    at = end + 1;
  }
  std::vector<std::string> lines;
  for (const auto &[key, line] : byKey)
    lines.push_back(line);
  return lines;
}

/// Whether a constant is not what its function returns. All targets use the front end's constant,
/// so they agree with each other.
bool hasWrongConstant(const reference::Result &result) {
  return std::ranges::any_of(result.faults, [](const reference::Fault &fault) {
    return std::string_view(fault.place).starts_with(generator::constantCheck);
  });
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

std::string outputDifference(const std::string &actual, const std::vector<std::string> &expected) {
  const std::vector<std::string> actualLines = sortedLines(actual),
                                 expectedLines = sortedLines(joined(expected));
  if (actualLines == expectedLines)
    return "";
  const auto [a, b] = std::ranges::mismatch(actualLines, expectedLines);
  auto shown = [](const auto &at, const auto &lines) {
    return at == lines.end() ? "nothing" : "'" + *at + "'";
  };
  return "prints " + shown(a, actualLines) + ", not " + shown(b, expectedLines) + " (" +
         std::to_string(actualLines.size()) + " and " + std::to_string(expectedLines.size()) +
         " lines)";
}

/// Whether the results depend on shared memory that nothing has written.
bool readsUnwritten(const Case &tried) {
  reference::Launch other = copyOf(tried.launch);
  other.sharedFilling = std::byte{0x3c};
  const reference::Result result = tried.source.interpret(tried.entry, other);
  return result.isTooLong || result.faults != tried.result.faults ||
         result.lines != tried.result.lines ||
         !difference(tried.program, other, tried.expected).empty();
}

std::string difference(const Case &tried, Build &build) {
  const reference::Launch actual = copyOf(tried.launch);
  const RunResult result = build.run(tried.program, tried.entry, actual);
  if (!result.error.empty())
    return result.error;
  if (result.isFault)
    return faultDifference(tried.source, result, tried.result);
  if (!tried.result.faults.empty())
    return "no fault where there is one: " +
           tried.source.reported(*tried.result.faults.begin()).str();
  const std::string what = difference(tried.program, actual, tried.expected);
  return what.empty() ? outputDifference(result.output, tried.result.lines) : what;
}

} // namespace

std::optional<Mismatch> compare(const std::vector<generator::Program> &programs, const Plan &plan,
                                Counts &counts) {
  const Text text(programs);
  const Source source(text);
  std::vector<std::unique_ptr<Build>> builds;
  for (const BuildOptions &options : plan.builds) {
    const Timer timer(counts.compiling);
    builds.push_back(compile(text, options));
  }
  for (const generator::Program &program : programs) {
    std::mt19937_64 random(program.seed + 1);
    ++counts.programs;
    counts.contracts += builds.front()->hasContract(program);
    const bool isOfIndices = program.flavour == generator::Flavour::Indices;
    for (int k = 0; k != plan.launches * (isOfIndices ? 3 : 1); ++k) {
      const reference::Launch launch = makeLaunch(program, random);
      Case tried{program, source, program.entry(k), launch, copyOf(launch), {}};
      {
        const Timer timer(counts.interpreting);
        tried.result = source.interpret(tried.entry, tried.expected);
      }
      if (hasWrongConstant(tried.result))
        return Mismatch{program, plan.builds.front(), false,
                        tried.entry + " " + shown(program, launch),
                        "a constant is not what its function returns"};
      if (tried.result.isTooLong) {
        ++counts.tooLong;
        continue;
      }
      const bool isFault = !tried.result.faults.empty();
      const bool meets = builds.front()->meetsContract(program, tried.entry, launch);
      ++counts.launches;
      counts.faults += isFault;
      counts.met += meets;
      counts.metFaults += meets && isFault;
      for (std::size_t i = 0; i != builds.size(); ++i) {
        if (isFault && !plan.builds[i].checks)
          continue;
        ++counts.runs;
        const Timer timer(counts.running);
        const std::string what = difference(tried, *builds[i]);
        if (what.empty())
          continue;
        Mismatch found{program, plan.builds[i], meets, tried.entry + " " + shown(program, launch),
                       what};
        found.readsUnwritten = readsUnwritten(tried);
        if (found.readsUnwritten)
          found.what += "; the program reads shared memory that nothing has written";
        return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> compareVariant(const generator::Program &program,
                                       const generator::Program &variant, const Plan &plan,
                                       Counts &counts) {
  const Text text({variant});
  const Source source{Text({program})}, other(text);
  std::vector<std::unique_ptr<Build>> builds;
  for (const BuildOptions &options : plan.builds) {
    const Timer timer(counts.compiling);
    builds.push_back(compile(text, options));
  }
  std::mt19937_64 random(program.seed + 1);
  ++counts.programs;
  for (int k = 0; k != plan.launches; ++k) {
    const reference::Launch launch = makeLaunch(program, random);
    Case tried{variant, source, variant.entry(k), launch, copyOf(launch), {}};
    tried.result = source.interpret(tried.entry, tried.expected);
    ++counts.launches;
    if (tried.result.isTooLong || !tried.result.faults.empty())
      continue;
    auto mismatch = [&](BuildOptions options, const std::string &what) {
      return Mismatch{variant, std::move(options), false, shown(program, launch),
                      what + "; a variant of\n" + program.text};
    };
    const reference::Launch again = copyOf(launch);
    const reference::Result result = other.interpret(tried.entry, again);
    std::string what = difference(program, again, tried.expected);
    if (what.empty())
      what = outputDifference(joined(result.lines), tried.result.lines);
    if (!result.isTooLong && (!result.faults.empty() || !what.empty()))
      return mismatch({"the interpreter"}, what);
    for (std::size_t i = 0; i != builds.size(); ++i) {
      ++counts.runs;
      if (const std::string what = difference(tried, *builds[i]); !what.empty())
        return mismatch(plan.builds[i], what);
    }
  }
  return std::nullopt;
}

} // namespace spl::random
