// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/Harness.h"

#include "jit/Load.h"
#include "test/fakecuda/FakeDriver.h"

#include <cctype>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace spl::e2e {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Replaces the word \p from, but not as a part of a longer word: i32, but not xi32 or i32x4.
void replaceWord(std::string &text, const std::string &from, const std::string &to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    const std::size_t end = at + from.size();
    const bool continues =
        (at != 0 && isWordCharacter(text[at - 1]) && isWordCharacter(from[0])) ||
        (end != text.size() && isWordCharacter(text[end]) && isWordCharacter(from.back()));
    if (continues) {
      at = end;
      continue;
    }
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

std::string readFile(const std::string &path) {
  std::ifstream stream(path);
  if (!stream)
    throw std::runtime_error("cannot read " + path);
  std::stringstream contents;
  contents << stream.rdbuf();
  return contents.str();
}

std::string describe(const Source &source, const jit::Options &options) {
  std::string text = source.file;
  for (const auto &[from, to] : source.replacements)
    text += " with " + to + " for " + from;
  text += " at -O" + std::to_string(options.optLevel) + " --check=" + options.checks +
          (options.strictFp ? " --strict-fp" : "");
  for (const std::string &instance : options.instances)
    text += " " + instance;
  return text;
}

Module load(const Source &source, const jit::Options &options) {
  return source.replacements.empty() && source.contents.empty()
             ? jit::loadFile(cpu(), source.path(), options)
             : jit::loadSource(cpu(), source.text(), source.file, options);
}

driver::CompileOptions compileOptions(const jit::Options &options, const char *target) {
  driver::CompileOptions compile;
  compile.codegen.target = llvm::cantFail(codegen::TargetSpec::parse(target));
  compile.codegen.optLevel = static_cast<unsigned>(options.optLevel);
  compile.codegen.checks = llvm::cantFail(mir::CheckKinds::parse(options.checks));
  compile.strictFp = options.strictFp;
  compile.instances = options.instances;
  return compile;
}

/// Compiles for another CPU type than the host's own.
Module loadFor(const char *target, const Source &source, const jit::Options &options) {
  driver::Compilation compilation(compileOptions(options, target));
  if (!compilation.setText(source.path(), source.text()))
    throw std::runtime_error(source.file + " does not compile");
  return jit::load(cpu(), compilation, {.isOn = false});
}

//===-- PTX --===//

constexpr int deviceCount = 4000;

test::FakeDriver &fakeDriver() {
  static auto *driver = [] { // never destroyed, because static objects own contexts of it
    auto *made = new test::FakeDriver;
    (*made)->deviceCount = deviceCount;
    (*made)->capability = 121;
    return made;
  }();
  return *driver;
}

/// Variations of PTX builds besides the compiler options. Each set of options uses the next one.
struct Variant {
  const char *target;
  const char *library;               ///< the device math library
  std::optional<std::uint64_t> seed; ///< shuffles every order that hardware leaves open
};
constexpr Variant variants[] = {{"sm_75", "auto", std::nullopt},
                                {"sm_90", "libclc", 1},
                                {"sm_100", "auto", 2},
                                {"sm_80", "auto", 3}};

/// The variant for the build with this number. A device runs PTX for its own architecture and for
/// older ones.
const Variant &variantOf(std::size_t number) {
  static const int newest =
      isOnDevice() ? Context::make(Backend::Cuda).device().capability : INT_MAX;
  while (true) {
    const Variant &variant = variants[number++ % std::size(variants)];
    if (std::stoi(variant.target + std::strlen("sm_")) <= newest)
      return variant;
  }
}

std::string compileToPtx(const Source &source, const jit::Options &options,
                         const Variant &variant) {
  driver::CompileOptions compile = compileOptions(options, variant.target);
  compile.codegen.own.set("math-library", variant.library);
  driver::Compilation compilation(compile);
  llvm::SmallVector<char, 0> text;
  if (!compilation.setText(source.path(), source.text()) || !compilation.emit("ptx", text))
    throw std::runtime_error(source.file + " does not compile to PTX");
  return {text.begin(), text.end()};
}

//===-- Schedules --===//

/// Records how the tests of examples go on several schedules, for test/check/mutants.py. The
/// environment variable SPL_E2E_SCHEDULES names the file to which each build adds a line, and
/// SPL_E2E_EXAMPLES the folder that has the kernels. Whether a test passes does not matter.
class Schedules {
public:
  /// The one of the process, or null.
  static Schedules *asked() {
    static const char *path = std::getenv("SPL_E2E_SCHEDULES");
    static Schedules made(path ? path : "/dev/null");
    return path ? &made : nullptr;
  }

  /// Runs the test in a checked launch, and on PTX with several seeds.
  void record(const Source &source, const jit::Options &options,
              const std::function<void(const Build &)> &test) {
    jit::Options checked = options;
    checked.instrument = true;
    const Build build(cpu(), load(source, checked));
    file << "check " << outcome([&] { test(build); }) << std::endl;
    const std::string ptx = compileToPtx(source, options, variants[0]);
    fakeDriver(); // contexts need it
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      hash = 0;
      const std::string text = outcome([&] { test(Build(PtxBuild{ptx, devices++, seed})); });
      file << "seed " << hash << " " << text << std::endl;
    }
  }

  /// The arrays of the next launch.
  const std::vector<Buffer> *arrays = nullptr;

  /// Adds the contents of the arrays to the hash.
  void add() {
    for (const Buffer &buffer : *arrays) {
      std::string bytes(buffer.sizeBytes(), '\0');
      buffer.downloadBytes(bytes.data(), bytes.size());
      hash = hash * 31 + std::hash<std::string>()(bytes);
    }
  }

private:
  static constexpr std::uint64_t seeds = 10;

  explicit Schedules(const char *path) : file(path, std::ios::app) {}

  /// "passed", "failed", or the names of findings.
  static std::string outcome(const std::function<void()> &run) {
    const ::testing::TestResult &result =
        *::testing::UnitTest::GetInstance()->current_test_info()->result();
    const int before = result.total_part_count();
    try {
      run();
    } catch (const Error &error) {
      if (error.findings().empty())
        return std::string(toString(error.code()));
      std::string names;
      for (const Finding &finding : error.findings())
        names += (names.empty() ? "" : ",") + finding.name;
      return names;
    }
    for (int part = before; part != result.total_part_count(); ++part)
      if (result.GetTestPartResult(part).failed())
        return "failed";
    return "passed";
  }

  std::ofstream file;
  std::size_t hash = 0; ///< of the results of all launches of a build
  int devices = 0;
};

} // namespace

Build::Build(PtxBuild build) : ptx(std::move(build)) { open(); }

void Build::open() const {
  isLost = false;
  module.reset();
  opened.reset();
  opened = std::make_shared<Context>(Context::make(Backend::Cuda, ptx->device));
  module = Module::load(*opened, ptx->text);
}

const Context &Build::context() const {
  if (isLost)
    open();
  return *opened;
}

void Build::guarded(const std::function<void()> &launches) const {
  if (!isPtx())
    return launches();
  if (!isOnDevice())
    fakeDriver()->seed = ptx->seed;
  try {
    launches();
    if (Schedules *schedules = Schedules::asked())
      schedules->add();
  } catch (const Error &error) {
    isLost = error.code() == ErrorCode::KernelFault && !error.fault();
    throw;
  }
}

bool isOnDevice() {
  static const bool value = std::getenv("SPL_E2E_DEVICE") != nullptr;
  return value;
}

bool isChecked() {
  static const bool value = jit::isCheckingAsked();
  return value;
}

std::string Source::path() const {
  static const std::string examples = SPL_EXAMPLES_FOLDER;
  const char *const others = std::getenv("SPL_E2E_EXAMPLES");
  if (others && file.starts_with(examples))
    return others + file.substr(examples.size());
  const char *const inputs = std::getenv("SPL_E2E_INPUTS");
  return file[0] == '/' ? file : (inputs ? inputs : std::string(SPL_E2E_FOLDER)) + "/" + file;
}

std::string Source::text() const {
  std::string text = contents.empty() ? readFile(path()) : contents;
  for (const auto &[from, to] : replacements)
    replaceWord(text, from, to);
  return text;
}

void Build::addBytes(std::vector<Buffer> &buffers, std::vector<Argument> &arguments,
                     const ElementType &element, const Shape &shape, const void *bytes) const {
  buffers.push_back(context().allocBuffer(element, shape));
  buffers.back().uploadBytes(bytes, buffers.back().sizeBytes());
  arguments.emplace_back(buffers.back());
  if (Schedules *schedules = Schedules::asked())
    schedules->arrays = &buffers;
}

const Context &cpu() {
  static const Context context = Context::make(Backend::Cpu);
  return context;
}

std::vector<jit::Options> everyOption() {
  std::vector<jit::Options> options;
  for (int level : {0, 2, 3})
    for (const char *checks : {"all", "none"})
      options.push_back({.optLevel = level, .checks = checks});
  return options;
}

std::vector<jit::Options> extremeOptions() {
  return {{.optLevel = 0, .checks = "all"}, {.optLevel = 3, .checks = "none"}};
}

std::vector<jit::Options> extremeOptions(const std::vector<std::string> &instances) {
  std::vector<jit::Options> options = extremeOptions();
  for (jit::Options &option : options)
    option.instances = instances;
  return options;
}

void forEachBuild(const Source &source, const std::vector<jit::Options> &options,
                  const std::function<void(const Build &)> &test, const char *otherCpu) {
  if (Schedules *schedules = Schedules::asked())
    return schedules->record(source, options.front(), test);
  // Most tests of a file use the same builds, so each build is made once.
  static std::map<std::string, Build> builds;
  // Each build has its own device, because a kernel that breaks a rule of PTX ends its context.
  static int devices = 0;
  auto run = [&](const std::string &description, const std::function<Build()> &make) {
    SCOPED_TRACE(description);
    auto found = builds.find(description);
    if (found == builds.end())
      found = builds.emplace(description, make()).first;
    test(found->second);
    if (!isOnDevice())
      EXPECT_EQ(fakeDriver()->misuses, std::vector<std::string>());
  };
  std::size_t next = 0;
  for (const jit::Options &each : options) {
    if (!isOnDevice())
      run(describe(source, each), [&] { return Build(cpu(), load(source, each)); });
    if (isChecked())
      return;
    if (otherCpu && !isOnDevice())
      run(describe(source, each) + " for " + otherCpu,
          [&] { return Build(cpu(), loadFor(otherCpu, source, each)); });
    const Variant &variant = variantOf(next++);
    run(describe(source, each) + " as PTX for " + variant.target, [&] {
      EXPECT_LT(devices, deviceCount) << "raise deviceCount";
      const int device = isOnDevice() ? 0 : devices++;
      return Build(PtxBuild{compileToPtx(source, each, variant), device, variant.seed});
    });
  }
}

} // namespace spl::e2e
