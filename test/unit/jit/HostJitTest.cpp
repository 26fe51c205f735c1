// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests linking CPU code into this process: the entries of kernels, and their entries without the
// checks of launch contracts.
#include "jit/HostJit.h"
#include "test/unit/abi/Text.h"

#include "llvm/Support/MemoryBuffer.h"

#include <spl/spl.h>

#include <gtest/gtest.h>

using namespace spl;
using spl::test::read;

namespace {

/// Links the object of test/contracts/Kernels.c, which contains these kernels.
llvm::Expected<HostCode> link(const std::vector<driver::KernelInfo> &kernels) {
  const auto object = llvm::MemoryBuffer::getFile(SPL_CONTRACT_OBJECT);
  if (!object)
    return llvm::createStringError(object.getError(), SPL_CONTRACT_OBJECT);
  return jit::linkIntoProcess((*object)->getBuffer(), kernels, {});
}

const std::string signature = "tell(a: &[i32], out: &mut [i32])";

} // namespace

TEST(HostJit, FindsTheEntriesOfAKernelWithALaunchContract) {
  llvm::Expected<HostCode> code =
      link({{read(signature + " unchecked if out.len() <= a.len()"), "tell", "spl_entry_tell"}});
  ASSERT_TRUE(static_cast<bool>(code)) << llvm::toString(code.takeError());
  const Context context = Context::make(Backend::Cpu);
  const Module module = Module::load(context, *code);
  auto one = context.allocZeros<std::int32_t>(1), two = context.allocZeros<std::int32_t>(2);
  auto out = context.allocZeros<std::int32_t>(2);
  context.launch(module["tell"], {.global = {1}}, one, out);
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{1, 0}));
  context.launch(module["tell"], {.global = {1}}, two, out);
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{2, 0}));
}

TEST(HostJit, LooksForNoOtherEntryWithoutAContract) {
  llvm::Expected<HostCode> code = link({{read(signature), "tell", "spl_entry_tell"}});
  ASSERT_TRUE(static_cast<bool>(code)) << llvm::toString(code.takeError());
  EXPECT_EQ(code->kernels[0].unchecked, nullptr);
}

TEST(HostJit, SaysWhichEntryIsNotThere) {
  const auto refusal = [](const std::string &text, const std::string &symbol) {
    llvm::Expected<HostCode> code = link({{read(text), "other", symbol}});
    return code ? std::string() : llvm::toString(code.takeError());
  };
  EXPECT_NE(refusal("other()", "spl_entry_other").find("spl_entry_other"), std::string::npos);
  EXPECT_EQ(refusal("only_checked()", "spl_entry_only_checked"), "");
  EXPECT_NE(refusal("only_checked() unchecked if 0 <= 0", "spl_entry_only_checked")
                .find("spl_entry_only_checked$unchecked"),
            std::string::npos);
}
