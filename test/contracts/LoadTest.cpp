// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests what an image with launch contracts must contain, and when a GPU runs the kernel with
// checks although the contract holds.
#include "test/unit/runtime/backends/cuda/Cuda.h"

#include <fstream>
#include <iterator>

using namespace spl;
using namespace spl::test;

namespace {

const std::string tell = "tell(a: &[i32], out: &mut [i32])";
const std::string contract = " unchecked if out.len() <= a.len()";

void entry(void *const *, const spl_cpu_launch *, std::int64_t, std::int64_t) {}

/// A bundle with the shared object of Kernels.c as its only image.
std::string bundleOf(const std::string &signature) {
  std::ifstream file(SPL_CONTRACT_KERNELS, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  static constexpr const char *levels[] = {
#define SPL_CPU_LEVEL(NAME) "cpu:" NAME,
#include "spl/CpuLevels.def"
  };
  return writeBundle(std::vector<BundleImage>{{levels[0], bytes, {signature}}});
}

/// A PTX entry that writes \p number to out[0], with \p directives and \p lines at its start.
std::string entryText(const std::string &name, int number, const std::string &directives = "",
                      const std::string &lines = "") {
  return ".visible .entry " + name +
         "(.param .u64 a, .param .u64 a_len, .param .u64 out, .param .u64 out_len)\n" + directives +
         "\n{\n.reg .b32 %r; .reg .b64 %rd;\n" + lines +
         "\nld.param.b64 %rd, [out];\nmov.u32 %r, " + std::to_string(number) +
         ";\nst.global.b32 [%rd], %r;\nret;\n}\n";
}

const std::string header = ".version 6.3\n.target sm_75\n.address_size 64\n";
const std::string checkedEntry = entryText("tell", 1);
const std::string sound = "// spl.kernel " + tell + contract + "\n" + header + checkedEntry +
                          entryText("tell$unchecked", 2);

/// A fixture on the fake driver, with arrays for which the contract holds.
class CudaContracts : public Cuda {
protected:
  /// The number of the entry that ran.
  int who(const Module &loaded, const LaunchConfig &config) {
    context->launch(loaded["tell"], config, a, out);
    return out.download()[0];
  }

  Array<std::int32_t> a = context->allocZeros<std::int32_t>(1);
  Array<std::int32_t> out = context->allocZeros<std::int32_t>(1);

  void TearDown() override {
    a.free();
    out.free();
    Cuda::TearDown();
  }
};

} // namespace

TEST(ContractLoad, HostCodeHasAnUncheckedEntryExactlyWhereThereIsAContract) {
  const Context context = Context::make(Backend::Cpu);
  const auto refusal = [&](HostKernel kernel) {
    const Error error = thrownBy([&] { Module::load(context, HostCode{{kernel}, nullptr}); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
    return error.message();
  };
  EXPECT_EQ(refusal({tell, nullptr}), "kernel tell has no entry");
  EXPECT_EQ(refusal({tell + contract, nullptr, entry}), "kernel tell has no entry");
  EXPECT_EQ(refusal({tell + contract, entry}),
            "kernel tell has a launch contract, and no unchecked entry");
  EXPECT_EQ(refusal({tell, entry, entry}),
            "kernel tell has an unchecked entry, and no launch contract");
  const std::string grouped = tell + contract + " and if 1 <= out.len()";
  const std::string wrong =
      "kernel tell has entries for unmet groups of conditions that are not those of its launch "
      "contract";
  EXPECT_EQ(refusal({tell, entry, nullptr, {entry}}), wrong);
  EXPECT_EQ(refusal({tell + contract, entry, entry, {entry}}), wrong);
  EXPECT_EQ(refusal({grouped, entry, entry, {entry}}), wrong);
  EXPECT_EQ(refusal({grouped, entry, entry, {entry, nullptr}}), wrong);
  EXPECT_EQ(refusal({grouped, entry, entry, {entry, entry, entry}}), wrong);
  for (const std::vector<spl_cpu_entry> &unmet : {std::vector<spl_cpu_entry>(), {entry, entry}})
    Module::load(context, HostCode{{{grouped, entry, entry, unmet}}, nullptr});
  const Module module = Module::load(context, HostCode{{{tell + contract, entry, entry}}, nullptr});
  EXPECT_EQ(module["tell"].signature().str(), tell + contract);
}

TEST(ContractLoad, ABundleForTheCpuHasBothEntries) {
  const Context context = Context::make(Backend::Cpu);
  const Module module = Module::load(context, bundleOf(tell + contract));
  auto one = context.allocZeros<std::int32_t>(1), two = context.allocZeros<std::int32_t>(2);
  auto out = context.allocZeros<std::int32_t>(2);
  context.launch(module["tell"], {.global = {1}}, one, out);
  EXPECT_EQ(out.download()[0], 1);
  context.launch(module["tell"], {.global = {1}}, two, out);
  EXPECT_EQ(out.download()[0], 2);
  const Module without = Module::load(context, bundleOf(tell));
  context.launch(without["tell"], {.global = {1}}, two, out);
  EXPECT_EQ(out.download()[0], 1);
  EXPECT_EQ(
      textOf([&] { Module::load(context, bundleOf("only_checked() unchecked if 0 <= 0")); }),
      "the bundle's signatures have a launch contract for a kernel 'only_checked$unchecked' that "
      "is not in it");
}

TEST_F(CudaContracts, AreOfThePtxAlsoWhereSignaturesAreGiven) {
  EXPECT_EQ(who(Module::load(*context, sound), {.global = {1}}), 2);
  for (const std::string &given : {tell, tell + contract, tell + " unchecked if 1 <= 0"}) {
    const Module loaded = Module::load(*context, sound, {given});
    EXPECT_EQ(loaded["tell"].signature().str(), tell + contract);
    EXPECT_EQ(who(loaded, {.global = {1}}), 2) << given;
  }
  EXPECT_EQ(
      textOf([&] { Module::load(*context, sound, {"tell(a: &[i32])"}); }),
      "the signature that is given for kernel 'tell', tell(a: &[i32]), is not the PTX's own, " +
          tell + "; give none: PTX carries them");
  // The PTX has no contract in its comments.
  const std::string silent = sound.substr(sound.find('\n') + 1);
  EXPECT_EQ(who(Module::load(*context, silent, {tell + contract}), {.global = {1}}), 2);
  EXPECT_EQ(who(Module::load(*context, silent, {tell}), {.global = {1}}), 1);
}

TEST_F(CudaContracts, AreInBundles) {
  const std::string bundle =
      writeBundle(std::vector<BundleImage>{{"sm_75", sound, {tell + contract}}});
  EXPECT_EQ(who(Module::load(*context, bundle), {.global = {1}}), 2);
}

TEST_F(CudaContracts, NeedTheKernelWithoutChecks) {
  const Error error = thrownBy([&] {
    Module::load(*context, "// spl.kernel " + tell + contract + "\n" + header + checkedEntry);
  });
  EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
  EXPECT_EQ(error.message(), "the image's signatures have a launch contract for a kernel "
                             "'tell$unchecked' that is not in it");
  EXPECT_EQ(thrownBy([&] {
              Module::load(*context, "// spl.kernel " + tell + contract +
                                         " and if 1 <= out.len()\n" + header + checkedEntry +
                                         entryText("tell$unchecked", 2) +
                                         entryText("tell$unmet1", 3));
            }).message(),
            "the image's signatures have a launch contract for a kernel 'tell$unmet2' that is not "
            "in it");
}

TEST_F(CudaContracts, ChooseNoKernelThatTheDeviceCannotLaunchSo) {
  const auto loaded = [&](const std::string &checked, const std::string &unchecked) {
    return Module::load(*context,
                        "// spl.kernel " + tell + contract + "\n" + header + checked + unchecked);
  };
  const Module fewer =
      loaded(entryText("tell", 1, ".maxntid 96"), entryText("tell$unchecked", 2, ".maxntid 64"));
  EXPECT_EQ(fewer["tell"].attributes().groupSize, 96) << "of the kernel with checks";
  EXPECT_EQ(who(fewer, {.global = {8}, .local = {64}}), 2);
  EXPECT_EQ(who(fewer, {.global = {8}, .local = {65}}), 1);
  EXPECT_EQ(who(fewer, {.global = {8}, .local = {8, 8}}), 2);
  EXPECT_EQ(who(fewer, {.global = {8}, .local = {8, 8, 1}}), 2);
  EXPECT_EQ(who(fewer, {.global = {8}, .local = {8, 4, 3}}), 1);

  // A launch that the kernel with checks does not allow is rejected, even if the contract holds.
  const Module more =
      loaded(entryText("tell", 1, ".maxntid 64"), entryText("tell$unchecked", 2, ".maxntid 96"));
  EXPECT_EQ(who(more, {.global = {8}, .local = {64}}), 2);
  EXPECT_THROW(who(more, {.global = {8}, .local = {65}}), Error);

  const std::string shared = ".shared .align 4 .b8 own[1000];\nst.shared.b32 [own], 5;";
  const Module larger = loaded(entryText("tell", 1), entryText("tell$unchecked", 2, "", shared));
  EXPECT_EQ(larger["tell"].attributes().sharedBytes, 0);
  const std::int64_t most = context->device().limits.sharedBytes;
  EXPECT_EQ(who(larger, {.global = {1}, .local = {1}, .shared = most - 1000}), 2);
  EXPECT_EQ(who(larger, {.global = {1}, .local = {1}, .shared = most - 999}), 1);
  EXPECT_EQ(who(larger, {.global = {1}, .local = {1}, .shared = most}), 1);
  const Module smaller = loaded(entryText("tell", 1, "", shared), entryText("tell$unchecked", 2));
  EXPECT_EQ(who(smaller, {.global = {1}, .local = {1}, .shared = most - 1000}), 2);
  EXPECT_EQ(
      thrownBy([&] { who(smaller, {.global = {1}, .local = {1}, .shared = most - 999}); }).code(),
      ErrorCode::LaunchRefused);
}

/// These drivers cannot change the kernel of a node in an instantiated graph.
TEST(ContractLoad, GraphsOnDriversBeforeCuda12KeepToTheKernelWithChecks) {
  FakeDriver fake(SPL_FAKE_CUDA_11);
  {
    const Context context = Context::make(Backend::Cuda);
    const Module loaded = Module::load(context, sound);
    auto one = context.allocZeros<std::int32_t>(1), two = context.allocZeros<std::int32_t>(2);
    auto out = context.allocZeros<std::int32_t>(2);
    Stream stream = context.makeStream();
    for (Array<std::int32_t> *captured : {&one, &two}) {
      GraphExec exec =
          Graph::capture(stream, [&] {
            context.launchAsync(stream, loaded["tell"], {.global = {1}}, *captured, out);
          }).instantiate();
      for (Array<std::int32_t> *given : {&two, &one, &two}) {
        exec.setArguments(0, *given, out);
        out.fill(0);
        exec.launch(stream);
        EXPECT_EQ(out.download()[0], 1);
      }
    }
    context.launchAsync(stream, loaded["tell"], {.global = {1}}, two, out);
    EXPECT_EQ(out.download()[0], 2) << "by itself";
  }
  EXPECT_EQ(fake.complaints(), "");
}
