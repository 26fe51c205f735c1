// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/Harness.h"

#include "jit/Load.h"
#include "test/fakecuda/FakeDriver.h"

#include <cctype>
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
  fakeDriver()->seed = ptx->seed;
  try {
    launches();
  } catch (const Error &error) {
    isLost = error.code() == ErrorCode::KernelFault && !error.fault();
    throw;
  }
}

std::string Source::path() const {
  return file[0] == '/' ? file : std::string(SPL_E2E_FOLDER) + "/" + file;
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
    EXPECT_EQ(fakeDriver()->misuses, std::vector<std::string>());
  };
  std::size_t next = 0;
  for (const jit::Options &each : options) {
    run(describe(source, each), [&] { return Build(cpu(), load(source, each)); });
    if (otherCpu)
      run(describe(source, each) + " for " + otherCpu,
          [&] { return Build(cpu(), loadFor(otherCpu, source, each)); });
    const Variant &variant = variants[next++ % std::size(variants)];
    run(describe(source, each) + " as PTX for " + variant.target, [&] {
      EXPECT_LT(devices, deviceCount) << "raise deviceCount";
      return Build(PtxBuild{compileToPtx(source, each, variant), devices++, variant.seed});
    });
  }
}

} // namespace spl::e2e
