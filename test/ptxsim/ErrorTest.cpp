// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that each kind of error is found, and that it contains its location.
#include "test/ptxsim/Snippet.h"

#include <numeric>

namespace ptxsim::test {
namespace {

/// The kind of the error that a body ends with.
ErrorKind failing(const std::string &body, std::string *text = nullptr, std::size_t threads = 3,
                  const std::string &top = "", LaunchOptions options = {}) {
  return errorOf([&] { run(body, Words(threads, 1), top, options); }, text);
}

TEST(PtxsimError, NamesThePlaceAndTheThread) {
  std::string text;
  EXPECT_EQ(failing("setp.eq.u32 %p0, %t, 2;\n@%p0 trap;", &text), ErrorKind::Trap);
  EXPECT_EQ(text, "line 17: trap: a trap, in thread (2, 0, 0) of block (0, 0, 0) of k");
  EXPECT_EQ(failing("brkpt;"), ErrorKind::Trap);
}

TEST(PtxsimError, AccessesOutOfBounds) {
  std::string text;
  EXPECT_EQ(failing("ld.global.b64 %l0, [%in+8];", &text), ErrorKind::OutOfBounds);
  EXPECT_EQ(text.substr(0, 72),
            "line 16: ld.global.b64: 8 bytes of global memory at 0x700000000018, 24 b")
      << text;
  EXPECT_EQ(failing("ld.global.b64 %l0, [%in+-16];"), ErrorKind::OutOfBounds);
  EXPECT_EQ(failing("mov.b64 %l1, 0;\nld.global.b64 %l0, [%l1];"), ErrorKind::OutOfBounds);
  EXPECT_EQ(failing("st.shared.b32 [top_s+4], 1;", nullptr, 1, ".shared .b32 top_s;"),
            ErrorKind::OutOfBounds);
  EXPECT_EQ(failing(".local .b32 mine;\nst.local.b32 [mine+16], 1;"), ErrorKind::OutOfBounds);
  EXPECT_EQ(failing("ld.param.b64 %l0, [in+16];"), ErrorKind::OutOfBounds);
  EXPECT_EQ(failing("atom.global.add.u32 %r0, [%in+64], 1;"), ErrorKind::OutOfBounds);
  EXPECT_EQ(failing("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%in];", nullptr, 1),
            ErrorKind::OutOfBounds);
}

// An atomic on a byte is a compare-and-swap of the word around it.
TEST(PtxsimError, TheLastWordIsAccessedAsAWhole) {
  const std::string bytes = ".shared .align 4 .b8 top_s[6];";
  run("atom.shared.cas.b32 %r0, [top_s+4], 0, 1;", Words(1, 1), bytes);
  for (const std::string wrong : {"ld.shared.b32 %r0, [top_s+8];", "st.shared.b16 [top_s+6], 1;",
                                  "ld.shared.b64 %l0, [top_s+0];"})
    EXPECT_EQ(failing(wrong, nullptr, 1, bytes), ErrorKind::OutOfBounds) << wrong;
}

TEST(PtxsimError, FreedMemoryIsOutOfBounds) {
  Memory memory;
  const std::uint64_t address = memory.allocate(64);
  EXPECT_NE(memory.find(address + 60, 4), nullptr);
  EXPECT_EQ(memory.find(address + 61, 4), nullptr);
  EXPECT_TRUE(memory.free(address));
  EXPECT_FALSE(memory.free(address));
  EXPECT_EQ(memory.find(address, 1), nullptr);
  EXPECT_NE(memory.allocate(64), address);
}

TEST(PtxsimError, MemoryOfTheHostIsThereWhileItIsMapped) {
  Memory memory(100);
  std::byte bytes[200] = {};
  const auto address = reinterpret_cast<std::uintptr_t>(bytes);
  EXPECT_EQ(memory.find(address, 1), nullptr);
  memory.map(bytes, sizeof bytes);
  EXPECT_EQ(memory.find(address + 199, 1), bytes + 199);
  EXPECT_EQ(memory.find(address + 199, 2), nullptr);
  EXPECT_EQ(memory.available(), 100u);
  EXPECT_TRUE(memory.free(address));
  EXPECT_EQ(memory.find(address, 1), nullptr);
  EXPECT_EQ(memory.available(), 100u);
}

TEST(PtxsimError, HiddenMemoryIsOutOfBounds) {
  Memory memory;
  const std::uint64_t address = memory.allocate(64);
  memory.show(address, false);
  EXPECT_EQ(memory.find(address, 64), nullptr);
  memory.show(address, true);
  EXPECT_NE(memory.find(address, 64), nullptr);
}

TEST(PtxsimError, MisalignedAccesses) {
  EXPECT_EQ(failing("ld.global.b32 %r0, [%in+2];"), ErrorKind::Misaligned);
  EXPECT_EQ(failing("ld.global.v2.b32 {%r0, %r1}, [%in+4];"), ErrorKind::Misaligned);
  EXPECT_EQ(failing("red.shared.add.u32 [top_s+2], 1;", nullptr, 1, ".shared .b64 top_s;"),
            ErrorKind::Misaligned);
}

TEST(PtxsimError, StoresIntoConstants) {
  EXPECT_EQ(failing("mov.u64 %l0, top_c;\ncvta.const.u64 %l0, %l0;\nst.b32 [%l0], 1;", nullptr, 1,
                    ".const .b32 top_c = 5;"),
            ErrorKind::ReadOnly);
}

TEST(PtxsimError, Deadlocks) {
  std::string text;
  // Half a warp waits at a .sync that names all lanes, the other half at a barrier.
  EXPECT_EQ(failing("setp.lt.u32 %p0, %t, 16;\n@%p0 bra half;\nbarrier.sync 0;\nbra done;\nhalf:\n"
                    "bar.warp.sync -1;\ndone:",
                    &text, 32),
            ErrorKind::Deadlock);
  EXPECT_NE(text.find("thread (0, 0, 0) is at line 21: bar.warp.sync"), std::string::npos) << text;
  EXPECT_NE(text.find("thread (16, 0, 0) is at line 18: barrier.sync"), std::string::npos);
  // A barrier for more threads than the group has.
  EXPECT_EQ(failing("bar.sync 0, 64;", nullptr, 32), ErrorKind::Deadlock);
}

TEST(PtxsimError, RulesOfSync) {
  EXPECT_EQ(failing("shfl.sync.idx.b32 %r0, %t, 0, 31, 2;"), ErrorKind::BadSync);
  EXPECT_EQ(failing("setp.eq.u32 %p0, %t, 0;\n@%p0 bra one;\nbar.sync 0;\nbra done;\none:\n"
                    "bar.sync 0;\ndone:"),
            ErrorKind::BadSync);
  EXPECT_EQ(failing("barrier.sync %t;"), ErrorKind::BadSync);
  EXPECT_EQ(failing("mov.u32 %r0, 33;\nbar.sync 0, %r0;"), ErrorKind::BadSync);
}

TEST(PtxsimError, EndlessLoops) {
  LaunchOptions options;
  options.budget = 5000;
  EXPECT_EQ(failing("again:\nbra again;", nullptr, 3, "", options), ErrorKind::Budget);
}

TEST(PtxsimError, UnknownInstructions) {
  std::string text;
  EXPECT_EQ(failing("wgmma.fence.sync.aligned;", &text), ErrorKind::Unsupported);
  EXPECT_EQ(text, "line 16: unknown instruction 'wgmma.fence.sync.aligned': no such opcode");
  EXPECT_EQ(failing("add.funny.s32 %r0, %r1, %r2;", &text), ErrorKind::Unsupported);
  EXPECT_EQ(text, "line 16: unknown instruction 'add.funny.s32': what is .funny here?");
  EXPECT_EQ(failing("add.s32 %r0, %r1;"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("add.s32 %r0, %r1, %l1;"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("add.s32 %l0, %r1, %r1;"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("add %r0, %r1, %r2;"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("cvt.s32.f32 %r0, %f0;"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("ld.global.b32 %h0, [%in];"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("ld.global.b32 %r0, [%r0];"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("mov.u32 %r0, %unheard_of;"), ErrorKind::Unsupported);
  EXPECT_EQ(failing("call.uni missing;"), ErrorKind::Unsupported);
}

TEST(PtxsimError, TooMuchLocalMemory) {
  EXPECT_EQ(failing(".local .b8 mine[600000];\nst.local.b8 [mine], 1;"), ErrorKind::Unsupported);
}

TEST(PtxsimError, Recursion) {
  EXPECT_EQ(failing("call.uni top_f;", nullptr, 1, ".func top_f() { call.uni top_f; ret; }"),
            ErrorKind::Unsupported);
}

TEST(PtxsimError, TextThatIsNoPtx) {
  auto parsing = [](const std::string &text) {
    return errorOf([&] {
      Memory memory;
      Module module(text, memory);
    });
  };
  EXPECT_EQ(parsing(""), ErrorKind::Syntax);
  EXPECT_EQ(parsing("hello"), ErrorKind::Unsupported);
  EXPECT_EQ(parsing("/* no end"), ErrorKind::Syntax);
  EXPECT_EQ(parsing(".version 7.0\n.target sm_90\n.address_size 32"), ErrorKind::Unsupported);
  EXPECT_EQ(parsing(".version 7.0\n.target sm_90\n.entry k() { ret; "), ErrorKind::Syntax);
  EXPECT_EQ(parsing(".version 7.0\n.target sm_90\n.entry k() { bra nowhere; }"), ErrorKind::Syntax);
  EXPECT_EQ(parsing(".version 7.0\n.target sm_90\n.entry k() { @%p1 ret; }"), ErrorKind::Syntax);
  EXPECT_EQ(parsing(".version 7.0\n.target sm_90\n.global .b32 x = y;"), ErrorKind::Unsupported);
  EXPECT_EQ(parsing(".version 7.0\n.target sm_90\n.global .b32 x[2] = {1, 2, 3};"),
            ErrorKind::Syntax);
}

} // namespace
} // namespace ptxsim::test
