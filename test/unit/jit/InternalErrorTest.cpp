// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests internal errors of the compiler: their messages, and the folder that reproduces them.
#include "driver/Compilation.h"
#include "test/unit/TemporaryFolder.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace spl;

namespace {

std::string contentsOf(const std::filesystem::path &file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

class InternalError : public testing::Test {
protected:
  InternalError() {
    const char *before = std::getenv("TMPDIR");
    previous = before ? before : "";
    std::filesystem::create_directory(temporary);
    setenv("TMPDIR", temporary.c_str(), 1);
    options.codegen.target = cantFail(codegen::TargetSpec::parse("sm_80"));
  }
  ~InternalError() override {
    previous.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", previous.c_str(), 1);
  }

  void write(const std::string &name, const std::string &text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  static std::string printed(driver::Compilation &compilation) {
    std::string text;
    llvm::raw_string_ostream os(text);
    compilation.diagnostics().print(os, /*colour=*/false);
    return text;
  }
  /// The reproducer folders.
  std::vector<std::filesystem::path> reproducers() const {
    return {std::filesystem::directory_iterator(temporary), {}};
  }

  const test::TemporaryFolder own;
  const std::filesystem::path &folder = own.path();
  const std::filesystem::path temporary = folder / "tmp";
  driver::CompileOptions options;
  llvm::SmallVector<char, 0> output;

private:
  std::string previous;
};

constexpr const char *kernel = "#[gpu]\nfn k(out: &mut [i32]):\n    out[0] = 1\n";

} // namespace

TEST_F(InternalError, NamesItselfThePlaceAndAFolder) {
  driver::Compilation compilation(options);
  compilation.setText("k.spl", kernel);
  ASSERT_TRUE(compilation.emit("mir", output));
  codegen::SourceError error;
  error.file = "k.spl";
  error.line = 3;
  error.column = 5;
  error.text = "failed to legalize operation";
  EXPECT_FALSE(compilation.report(llvm::make_error<codegen::SourceError>(error)));
  const std::string text = printed(compilation);
  EXPECT_EQ(text.find("k.spl:3:5: error: internal compiler error: failed "
                      "to legalize operation [codegen-failed]"),
            0u)
      << text;
  ASSERT_EQ(reproducers().size(), 1u);
  EXPECT_NE(text.find("please report it with the folder '" + reproducers().front().string() + "'"),
            std::string::npos)
      << text;
}

TEST_F(InternalError, WithoutAPlaceNamesTheKernel) {
  driver::Compilation compilation(options);
  compilation.setText("k.spl", kernel);
  ASSERT_TRUE(compilation.emit("mir", output));
  EXPECT_FALSE(compilation.report(llvm::createStringError("ran out of registers")));
  EXPECT_EQ(printed(compilation).find("k.spl:2:4: error: internal compiler error"), 0u)
      << printed(compilation);
}

TEST_F(InternalError, OneFolderForACompilation) {
  driver::Compilation compilation(options);
  compilation.setText("k.spl", kernel);
  ASSERT_TRUE(compilation.emit("mir", output));
  EXPECT_FALSE(compilation.report(
      llvm::joinErrors(llvm::createStringError("one"), llvm::createStringError("two"))));
  EXPECT_EQ(compilation.diagnostics().errorCount(), 2u);
  EXPECT_EQ(reproducers().size(), 1u);
}

TEST_F(InternalError, SaysWhyThereIsNoFolder) {
  setenv("TMPDIR", (folder / "missing").c_str(), 1);
  driver::Compilation compilation(options);
  compilation.setText("k.spl", kernel);
  ASSERT_TRUE(compilation.emit("mir", output));
  EXPECT_FALSE(compilation.report(llvm::createStringError("broken")));
  EXPECT_NE(printed(compilation).find("which could not be saved: "), std::string::npos)
      << printed(compilation);
}

TEST_F(InternalError, NamedErrorsAreNone) {
  driver::Compilation compilation(options);
  compilation.setText("k.spl", kernel);
  ASSERT_TRUE(compilation.emit("mir", output));
  codegen::SourceError error;
  error.diagnostic = mir::PassDiagnostic::ToolFailed;
  error.text = "ptxas failed";
  EXPECT_FALSE(compilation.report(llvm::make_error<codegen::SourceError>(error)));
  EXPECT_EQ(printed(compilation), "error: ptxas failed [tool-failed]\n");
  EXPECT_TRUE(reproducers().empty());
}

// The script compiles the same files with the same import paths and options.
TEST_F(InternalError, TheFolderReproduces) {
  write("project/it's a kernel.spl", "use helpers.one\nuse far.away.two\n" + std::string(kernel) +
                                         "\n#[gpu]\nfn other(out: &mut [i32]):\n"
                                         "    out[0] = one() + two()\n");
  write("project/helpers.spl", "use deep.three\nfn one() -> i32:\n    return three()\n");
  write("project/deep.spl", "fn three() -> i32:\n    return 30517\n");
  write("library/far/away.spl", "use near.four\nfn two() -> i32:\n    return four()\n");
  write("library/far/near.spl", "fn four() -> i32:\n    return 40961\n");
  options.includes = {(folder / "library").string()};
  options.codegen.target = cantFail(codegen::TargetSpec::parse("sm_90"));
  options.codegen.optLevel = 1;
  options.codegen.checks = mir::CheckKinds::none();
  options.kernels = {"other"};
  const std::string source = (folder / "project/it's a kernel.spl").string();
  driver::Compilation compilation(options);
  ASSERT_TRUE(compilation.readFile(source));
  ASSERT_TRUE(compilation.emit("ptx", output)) << printed(compilation);
  EXPECT_FALSE(compilation.report(llvm::createStringError("broken")));
  ASSERT_EQ(reproducers().size(), 1u);
  const std::filesystem::path reproducer = reproducers().front();

  std::filesystem::remove_all(folder / "project");
  std::filesystem::remove_all(folder / "library");
  std::string script = contentsOf(reproducer / "run.sh");
  ASSERT_NE(script.find("-o /dev/null"), std::string::npos) << script;
  script.replace(script.find("/dev/null"), 9, "again.ptx");
  std::ofstream(reproducer / "run.sh") << script;
  const std::string command =
      "PATH=" SPL_TOOLS_FOLDER ":$PATH sh " + (reproducer / "run.sh").string();
  ASSERT_EQ(std::system(command.c_str()), 0) << script;
  EXPECT_EQ(contentsOf(reproducer / "again.ptx"), std::string(output.begin(), output.end()));
}
