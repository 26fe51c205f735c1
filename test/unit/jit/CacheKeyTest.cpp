// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests cache keys: they differ if anything that affects the code differs, and only then.
#include "jit/cache/CompilerId.h"
#include "jit/cache/Key.h"
#include "llvm/Config/llvm-config.h"

#include <gtest/gtest.h>

#include <functional>

using namespace spl;
using namespace spl::jit;

namespace {

using Change = std::function<void(driver::CompileOptions &)>;

std::string keyWith(const Change &change, const char *target = "sm_75", const char *output = "ptx",
                    const char *name = "name", const char *text = "text") {
  driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(codegen::TargetSpec::parse(target));
  change(options);
  driver::Compilation compilation(options);
  compilation.setText(name, text);
  return llvm::cantFail(keyOf(compilation, output));
}

const Change nothing = [](driver::CompileOptions &) {};

} // namespace

TEST(CacheKey, DiffersByWhateverChangesTheCode) {
  const std::vector<std::string> keys = {
      keyWith(nothing),
      keyWith(nothing, "sm_80"),
      keyWith(nothing, "cpu", "obj"),
      keyWith(nothing, "cpu:x86-64-v3", "obj"),
      keyWith(nothing, "cpu", "asm"),
      keyWith(nothing, "sm_75", "ptx", "another name"),
      keyWith(nothing, "sm_75", "ptx", "name", "another text"),
      keyWith(nothing, "sm_75", "ptx", "namet", "ext"),
      keyWith([](driver::CompileOptions &options) { options.codegen.optLevel = 1; }),
      keyWith([](driver::CompileOptions &options) {
        options.codegen.checks = mir::CheckKinds::none();
      }),
      keyWith([](driver::CompileOptions &options) { options.codegen.contracts = false; }),
      keyWith([](driver::CompileOptions &options) { options.codegen.fastMath = true; }),
      keyWith([](driver::CompileOptions &options) {
        options.codegen.own.set("math-library", "libclc");
      }),
      keyWith(
          [](driver::CompileOptions &options) { options.codegen.own.set("max-registers", "32"); }),
      keyWith([](driver::CompileOptions &options) { options.codegen.lineInfo = true; }),
      keyWith([](driver::CompileOptions &options) { options.strictFp = true; }),
      keyWith([](driver::CompileOptions &options) { options.kernels = {"a"}; }),
      keyWith([](driver::CompileOptions &options) { options.kernels = {"a", "b"}; }),
      keyWith([](driver::CompileOptions &options) { options.includes = {"a"}; }),
      keyWith([](driver::CompileOptions &options) { options.instances = {"a"}; }),
      keyWith([](driver::CompileOptions &options) { options.instances = {"ab"}; }),
  };
  for (std::size_t i = 0; i != keys.size(); ++i)
    for (std::size_t j = 0; j != i; ++j)
      EXPECT_NE(keys[i], keys[j]) << i << " and " << j;
}

TEST(CacheKey, IsTheSameForTheSame) {
  EXPECT_EQ(keyWith(nothing), keyWith(nothing));
  EXPECT_EQ(keyWith(nothing, "cpu", "obj"), keyWith(nothing, "cpu", "obj"));
}

TEST(CacheKey, NamesTheCompilersBuild) {
  const std::string id = llvm::cantFail(compilerId());
  EXPECT_NE(id.find(" LLVM " LLVM_VERSION_STRING " "), std::string::npos) << id;
  // A digest of 64 digits and two build ids of 40 digits.
  EXPECT_EQ(id.find(' '), 64u) << id;
  EXPECT_GE(id.size(), 64 + 40 + 40u) << id;
  EXPECT_EQ(keyWith(nothing).find(id), 8u);
}
