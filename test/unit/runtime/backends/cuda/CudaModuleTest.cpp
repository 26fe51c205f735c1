// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests images on the CUDA backend: when they are loaded, which the driver rejects, and which the
// runtime rejects before it calls the driver.
#include "test/conformance/MeetingKernel.h"
#include "test/unit/runtime/backends/cuda/Cuda.h"

#include <spl/Graph.h>

#include <elf.h>

#include <cstring>

using namespace spl;
using namespace spl::test;

/// A kernel with 1000 bytes of shared memory and 40 bytes of local memory, for groups of at most 96
/// work-items.
static const char *const sharing = R"(// spl.kernel sharing()
.version 6.3
.target sm_75
.address_size 64
.visible .entry sharing()
.maxntid 96
{
.shared .align 4 .b8 own[1000];
.local .align 8 .b8 mine[40];
.reg .b32 %r;
mov.u32 %r, own;
st.shared.b32 [own], %r;
st.local.b32 [mine], %r;
ret;
})";

TEST_F(Cuda, KernelsSayWhatTheyTake) {
  const KernelAttributes attributes = Module::load(*context, sharing)["sharing"].attributes();
  EXPECT_EQ(attributes.registers, 32);
  EXPECT_EQ(attributes.sharedBytes, 1000);
  EXPECT_EQ(attributes.localBytes, 48); // rounded up to a multiple of 16
  EXPECT_EQ(attributes.constantBytes, 0);
  EXPECT_EQ(attributes.groupSize, 96);
}

TEST_F(Cuda, LaunchesWithAsMuchSharedMemoryAsTheDeviceHas) {
  const std::int64_t most = context->device().limits.sharedBytes;
  EXPECT_EQ(most, 232448);
  Module own = Module::load(*context, sharing);
  const auto launch = [&](std::int64_t bytes) {
    context->launch(own["sharing"], {.global = {1}, .local = {1}, .shared = bytes});
    context->sync();
  };
  for (std::int64_t bytes : {std::int64_t{48 << 10} - 1000, std::int64_t{48 << 10}, most - 1000}) {
    launch(bytes);
    EXPECT_EQ(fake->launches.back().sharedBytes, bytes);
  }
  EXPECT_EQ(textOf([&] { launch(most - 999); }),
            "launch of sharing: shared is 231449, and the kernel declares 1000; the device takes "
            "at most 232448 together; cuda device 0 (PTX interpreter); ask for less");
  EXPECT_EQ(thrownBy([&] { launch(most + 1); }).code(), ErrorCode::LaunchRefused);
}

/// The runs of a graph that another library captures may overlap, and would share a counter.
TEST_F(Cuda, GridBarriersAreRefusedInCapturesOfOthers) {
  const Kernel kernel = Module::load(*context, test::meetingPtx)["meet"];
  auto a = context->allocZeros<std::int32_t>(6);
  const ForeignStream theirs;
  detail::CuGraph graph = nullptr;
  {
    Stream stream = context->wrapStream(reinterpret_cast<std::uint64_t>(theirs.handle));
    const auto launch = [&] {
      context->launchAsync(stream, kernel, {.global = {6}, .local = {2}}, std::int64_t{-1}, a);
    };
    constexpr int relaxed = 2;
    ASSERT_EQ(theirs.driver.streamBeginCapture(theirs.handle, relaxed), detail::CuResult::Success);
    const Error error = thrownBy(launch);
    EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget);
    EXPECT_EQ(error.message(),
              "launch of meet: it has a grid barrier, and another library captures the stream");
    EXPECT_EQ(theirs.driver.streamEndCapture(theirs.handle, &graph), detail::CuResult::Success);
    launch();
    stream.sync();
    EXPECT_EQ(a.download(), std::vector<std::int32_t>(6, 2));
  }
  theirs.driver.graphDestroy(graph);
}

TEST_F(Cuda, AnImageForANewerDeviceIsRefused) {
  module.reset();
  fake->capability = 75;
  context = Context::make(Backend::Cuda);
  std::string ptx = sharing;
  ptx.replace(ptx.find("sm_75"), 5, "sm_80");
  EXPECT_EQ(thrownBy([&] { Module::load(*context, ptx); }).code(), ErrorCode::UnsupportedOnTarget);
  EXPECT_NO_THROW(Module::load(*context, sharing));
  ptx = sharing;
  ptx.replace(ptx.find("st.shared"), 9, "sx.shared");
  EXPECT_EQ(thrownBy([&] { Module::load(*context, ptx); }).message(),
            "a PTX JIT compilation failed\nline 12: unknown instruction 'sx.shared.b32': no such "
            "opcode");
}

TEST_F(Cuda, AnImageThatTheDriverRefusesComesWithItsLog) {
  fake->jitLog = "ptxas error: line 7 is wrong";
  failNow("cuModuleLoadDataEx", 218);
  Error error = thrownBy([&] { Module::load(*context, test::conformancePtx()); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
  EXPECT_EQ(error.message(), "a PTX JIT compilation failed\nptxas error: line 7 is wrong");

  fake->jitLog.clear();
  failNow("cuModuleLoadDataEx", 209);
  error = thrownBy([&] { Module::load(*context, test::conformancePtx()); });
  EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget);
  EXPECT_EQ(error.nativeName(), "CUDA_ERROR_NO_BINARY_FOR_GPU");
  failNow("cuModuleLoadDataEx", 222);
  error = thrownBy([&] { Module::load(*context, test::conformancePtx()); });
  EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget);
  failNow("cuModuleLoadDataEx", 2);
  error = thrownBy([&] { Module::load(*context, test::conformancePtx()); });
  EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
}

TEST_F(Cuda, ALongLogIsCutNotOverrun) {
  fake->jitLog = std::string(100000, 'x');
  failNow("cuModuleLoadDataEx", 218);
  Error error = thrownBy([&] { Module::load(*context, test::conformancePtx()); });
  EXPECT_LT(error.message().size(), 20000u);
}

TEST_F(Cuda, AKernelThatIsOnlyInTheSignaturesIsAnError) {
  std::string ptx = "// spl.kernel missing()\n" + test::conformancePtx();
  EXPECT_EQ(thrownBy([&] { Module::load(*context, ptx); }).message(),
            "the image's signatures name a kernel 'missing' that is not in it");
}

/// An ELF file with one section of \p size bytes after the section table.
static std::string elf(std::uint64_t size) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 1;
  Elf64_Shdr section = {};
  section.sh_type = SHT_PROGBITS;
  section.sh_offset = sizeof header + sizeof section;
  section.sh_size = size;
  std::string bytes(reinterpret_cast<char *>(&header), sizeof header);
  bytes.append(reinterpret_cast<char *>(&section), sizeof section);
  return bytes + std::string(16, 'x');
}

TEST_F(Cuda, SignaturesThatAreGivenAreThePtxsOwn) {
  auto refusal = [&](const std::string &ptx, std::vector<std::string> signatures) {
    return textOf([&] { Module::load(*context, ptx, signatures); });
  };
  EXPECT_EQ(Module::load(*context, sharing, {"sharing()"}).kernels().size(), 1u);
  EXPECT_EQ(refusal(sharing, {"sharing(a: f32)"}),
            "the signature that is given for kernel 'sharing', sharing(a: f32), is not the PTX's "
            "own, sharing(); give none: PTX carries them");
  EXPECT_EQ(refusal(std::string("// spl.kernel sharing()\n") + sharing, {}),
            "the image's signatures name kernel 'sharing' twice");
  EXPECT_EQ(refusal(sharing, {"sharing()", "sharing()"}),
            "the image's signatures name kernel 'sharing' twice");
}

/// An entry with these parameters, and a signature.
static std::string imageOf(const std::string &signature, const std::string &parameters,
                           const std::string &name = "k") {
  return "// spl.kernel " + signature + "\n.version 6.3\n.target sm_75\n.address_size 64\n" +
         "// .entry k(.param .u8 no)\n.visible .entry " + name + parameters + "\n{\nret;\n}\n";
}

TEST_F(Cuda, SignaturesFitTheEntries) {
  auto refusal = [&](const std::string &ptx) {
    const int calls = fake->calls["cuModuleLoadDataEx"];
    const Error error = thrownBy([&] { Module::load(*context, ptx); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
    EXPECT_EQ(fake->calls["cuModuleLoadDataEx"], calls);
    return error.message();
  };
  const std::string no = "the signature of kernel 'k' does not fit its code: ";
  const std::string two = "(.param .u64 .ptr .global .align 4 a, /* ) */ .param .u64 n)";
  EXPECT_EQ(Module::load(*context, imageOf("k(a: &[f32])", two)).kernels().size(), 1u);
  EXPECT_EQ(Module::load(*context, imageOf("k()", "")).kernels().size(), 1u);
  EXPECT_EQ(refusal(imageOf("k()", two)), no + "it makes 0 parameters, and the entry has 2");
  EXPECT_EQ(refusal(imageOf("k(a: &[f32], x: i8)", two)),
            no + "it makes 3 parameters, and the entry has 2");
  EXPECT_EQ(refusal(imageOf("#[faults] k(a: &[f32])", two)),
            no + "it makes 3 parameters, and the entry has 2");
  EXPECT_EQ(refusal(imageOf("k(a: &[f32, 2])", two)),
            no + "it makes 3 parameters, and the entry has 2");
  EXPECT_EQ(refusal(imageOf("k(a: i64, n: i32)", two)),
            no + "its parameter 2 has 4 bytes, and the entry's has 8");
  const std::string vector = "(.param .align 16 .b8 v[16], .param .f32 x)";
  EXPECT_EQ(Module::load(*context, imageOf("k(v: f32x4, x: f32)", vector)).kernels().size(), 1u);
  EXPECT_EQ(refusal(imageOf("k(v: f32x2, x: f32)", vector)),
            no + "its parameter 1 has 8 bytes, and the entry's has 16");
}

TEST_F(Cuda, SignaturesFitTheEntriesWithoutChecks) {
  const std::string contract = " k(n: i64) unchecked if n <= 4";
  auto both = [&](const std::string &unchecked) {
    return imageOf("#[faults]" + contract, "(.param .u64 n, .param .u64 record)") +
           ".visible .entry k$unchecked" + unchecked + "\n{\nret;\n}\n" +
           ".visible .global .align 4 .b8 spl$faults[10] = {116, 115, 70, 83, 1, 0, 0, 0, 0, 0};\n";
  };
  for (const char *fits : {"(.param .u64 n)", "(.param .u64 n, .param .u64 record)"})
    EXPECT_EQ(Module::load(*context, both(fits)).kernels().size(), 1u) << fits;
  EXPECT_EQ(thrownBy([&] { Module::load(*context, both("()")); }).message(),
            "the signature of kernel 'k$unchecked' does not fit its code: it makes 2 parameters, "
            "and the entry has 0");
}

TEST_F(Cuda, AnImageWithChecksHasAKernelThatTakesARecord) {
  const std::string ptx = imageOf("k(n: i64)", "(.param .u64 n)") +
                          ".visible .global .align 4 .b8 spl$faults[4] = {1, 2, 3, 4};\n";
  const std::string cubin = elf(16) + "spl$faults";
  for (const std::string &image : {ptx, cubin})
    EXPECT_EQ(thrownBy([&] { Module::load(*context, image, {"k(n: i64)"}); }).message(),
              "the image has a table of checks, but no signature has #[faults]");
}

TEST_F(Cuda, AKernelWithGridBarriersTakesARecord) {
  std::string ptx = test::meetingPtx;
  ptx.erase(ptx.find("#[faults] "), 10);
  EXPECT_EQ(thrownBy([&] { Module::load(*context, ptx); }).code(), ErrorCode::InvalidImage);
  EXPECT_EQ(thrownBy([&] {
              Module::load(*context, elf(16) + "spl$faults",
                           {"#[faults] k()", "#[cooperative] meet(at: i64, a: &mut [i32])"});
            }).message(),
            "the signature of kernel 'meet' has #[cooperative] without #[faults]");
}

TEST_F(Cuda, DamagedImagesNeverReachTheDriver) {
  int calls = fake->calls["cuModuleLoadDataEx"];
  auto refusal = [&](const std::string &bytes, std::vector<std::string> signatures = {"k()"}) {
    Error error = thrownBy([&] { Module::load(*context, bytes, signatures); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
    return error.message();
  };
  EXPECT_EQ(refusal(""), "the image is empty");
  EXPECT_EQ(refusal("hello"), "the image is neither PTX nor a cubin nor a fatbin");
  EXPECT_EQ(refusal(std::string(".version\0", 9)),
            "the image is neither PTX nor a cubin nor a fatbin");
  std::string whole = elf(16);
  for (std::size_t size = 4; size < whole.size(); ++size)
    EXPECT_EQ(refusal(whole.substr(0, size)), "the cubin is damaged or cut short") << size;
  EXPECT_EQ(refusal(elf(~std::uint64_t{0})), "the cubin is damaged or cut short");
  const std::string fatbin("\x50\xed\x55\xba\x01\x00\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00", 16);
  EXPECT_EQ(refusal(fatbin.substr(0, 15)), "the fatbin is damaged or cut short");
  EXPECT_EQ(refusal(fatbin + std::string(15, 'x')), "the fatbin is damaged or cut short");
  EXPECT_EQ(refusal(".version 6.3", {}), "the image does not say which kernels it has");
  EXPECT_EQ(refusal(whole, {}), "the image does not say which kernels it has");
  EXPECT_EQ(fake->calls["cuModuleLoadDataEx"], calls);

  // Complete files are passed to the driver. The PTX interpreter rejects them.
  for (const std::string &bytes : {whole, fatbin + std::string(16, 'x')})
    EXPECT_EQ(refusal(bytes),
              "device kernel image is invalid\nthe interpreter runs PTX, no binaries");
  EXPECT_EQ(fake->calls["cuModuleLoadDataEx"], calls + 2);
}
