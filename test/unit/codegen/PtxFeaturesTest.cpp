// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/PtxFeatures.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

namespace spl::test {
namespace {

struct Row {
  llvm::StringLiteral name, text;
  unsigned ptx, sm;
};
constexpr Row rows[] = {
#define PTX_FEATURE(Name, Text, Ptx, Sm, Hint) {Name, Text, Ptx, Sm},
#include "codegen/targets/nvptx/PtxFeatures.def"
};

/// The PTX version of a kernel with that body, or the text of the error.
std::string versionOf(const std::string &body, llvm::StringRef arch) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString("declare i32 @llvm.nvvm.redux.sync.add(i32, i32)\n"
                                "declare float @llvm.tanh.f32(float)\n"
                                "define ptx_kernel void @k(i32 %x) {\n" +
                                    body + "\n ret void\n}\n",
                                error, context);
  if (!module)
    return error.getMessage().str();
  llvm::Expected<unsigned> version = codegen::ptxVersionFor(*module, codegen::nvptxArch(arch));
  return version ? std::to_string(*version) : llvm::toString(version.takeError());
}

std::string use(const Row &row) {
  if (row.text == "llvm.tanh.")
    return "call float @llvm.tanh.f32(float 1.0)";
  if (row.text.starts_with("llvm."))
    return "call i32 @" + row.text.str() + "add(i32 %x, i32 -1)";
  return "call void asm sideeffect \"what" + row.text.str() + "ever;\", \"\"()";
}

TEST(PtxFeatures, WithoutAnyTheArchitecturesOwnVersionDoes) {
  EXPECT_EQ(versionOf("", "sm_75"), "63");
  EXPECT_EQ(versionOf("call void asm sideeffect \"bar.sync 0;\", \"\"()", "sm_75"), "63");
  EXPECT_EQ(versionOf("", "sm_100a"), "86");
}

TEST(PtxFeatures, EachAsksForItsVersionWhereTheArchitectureHasIt) {
  for (const Row &row : rows)
    for (const codegen::NvptxArch &arch : codegen::nvptxArchs()) {
      std::string answer = versionOf(use(row), arch.name);
      if (arch.number() >= row.sm)
        EXPECT_EQ(answer, std::to_string(std::max(row.ptx, arch.ptxVersion))) << row.name.str();
      else
        EXPECT_TRUE(llvm::StringRef(answer).starts_with(
            (arch.name + " has no " + row.name + "; compile for sm_").str()))
            << answer;
    }
}

// Before PTX 8.1 the parameters of a kernel take at most 4352 bytes; those of functions may take
// more.
TEST(PtxFeatures, LargeParametersOfKernelsNeedPtx81) {
  auto versionWith = [](unsigned bytes, bool isKernel, llvm::StringRef arch) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic error;
    const std::string kind = isKernel ? "ptx_kernel " : "";
    std::unique_ptr<llvm::Module> module =
        llvm::parseAssemblyString("define " + kind + "void @f(ptr byval([" + std::to_string(bytes) +
                                      " x i8]) align 1 %x) {\n ret void\n}\n",
                                  error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    return llvm::cantFail(codegen::ptxVersionFor(*module, codegen::nvptxArch(arch)));
  };
  for (const codegen::NvptxArch &arch : codegen::nvptxArchs())
    for (unsigned bytes : {1u, 4351u, 4352u, 4353u, 32764u})
      for (bool isKernel : {false, true})
        EXPECT_EQ(versionWith(bytes, isKernel, arch.name),
                  isKernel && bytes > 4352 ? std::max(81u, arch.ptxVersion) : arch.ptxVersion)
            << arch.name.str() << " " << bytes << " " << isKernel;
}

} // namespace
} // namespace spl::test
