// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Stats.h"
#include "codegen/targets/nvptx/Stats.h"
#include <gtest/gtest.h>

using namespace spl::codegen;

namespace {

// As LLVM and ptxas write them. Kernel k calls a function and has two arrays. Kernel l uses the
// array of the module. Kernel m uses none of these.
const char *const ptx = R"(
// .func nothing(
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .shared .align 16 .b8 dynamic[];
.shared .align 8 .b64 common;
.func  (.param .b32 func_retval0) spl_$_f(
	.param .b32 spl_$_f_param_0
)
{
	.reg .b32 	%r<4>;

	ld.param.b32 	%r1, [spl_$_f_param_0];
	st.param.b32 	[func_retval0], %r1;
	ret;

}
.func spl_$_g()
{
	trap; exit;
}
.visible .entry k(
	.param .u64 .ptr .global .align 4 k_param_0
)
.reqntid 64, 1, 1
{
	.reg .b64 	%rd<14>;
	// demoted variable
	.shared .align 16 .b8 first[256];
	.shared .align 4 .b32 second;
$L__BB1_2:
	{ // callseq 0, 0
	.param .b32 	param0;
	st.param.b32 	[param0], %r4;
	call.uni (retval0), spl_$_f, (param0);
	} // callseq 0
	@%p1 bra 	$L__BB1_2; // again; and again
	ret;
}
.visible .entry l(
)
{
	mov.b64 	%rd9, common;
	ret;
}
.visible .entry m()
{
	ret;
}
)";

const char *const report = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'l' for 'sm_90'
ptxas info    : Function properties for l
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 0 barriers
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    32 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 260 bytes smem
ptxas info    : Function properties for spl_$_f
    0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
)";

const char *const assembly = "\t.file\t\"spl\"\n"
                             "spl.fault:\n"
                             "\tcallq\tspl_cpu_fault@PLT\n"
                             ".Lfunc_end0:\n"
                             "\t.size\tspl.fault, .Lfunc_end0-spl.fault\n"
                             "spl.body.k:\n"
                             ".LBB2_1:\n"
                             "\tincq\t%rax\n"
                             "\t.p2align\t4\n"
                             "\tjne\t.LBB2_1\n"
                             "\tjmp\tspl.fault\n"
                             ".Lfunc_end1:\n"
                             "spl_entry_k:\n"
                             "\tcallq\tspl.body.k\n"
                             "\tretq\n"
                             ".Lfunc_end2:\n"
                             "spl_entry_l:\n"
                             "\tretq\n"
                             ".Lfunc_end3:\n";

TEST(Stats, CountsWhatAKernelOfPtxReaches) {
  const auto stats = ptxStats(ptx, {"k", "l", "m"}, report);
  ASSERT_EQ(stats.size(), 3u);
  EXPECT_EQ(stats[0].instructions, 4u + 3u);
  EXPECT_EQ(stats[0].sharedBytes, 260u);
  EXPECT_EQ(stats[1].instructions, 2u);
  EXPECT_EQ(stats[1].sharedBytes, 8u);
  EXPECT_EQ(stats[2].instructions, 1u);
  EXPECT_EQ(stats[2].sharedBytes, 0u);
}

TEST(Stats, ReadsWhatTheAssemblerReports) {
  const auto stats = ptxStats(ptx, {"k", "l", "m"}, report);
  ASSERT_TRUE(stats[0].assembled && stats[1].assembled);
  EXPECT_EQ(stats[0].assembled->registers, 255u);
  EXPECT_EQ(stats[0].assembled->spillStores, 32u);
  EXPECT_EQ(stats[0].assembled->spillLoads, 44u);
  EXPECT_EQ(stats[1].assembled->registers, 12u);
  EXPECT_EQ(stats[1].assembled->spillStores, 0u);
  EXPECT_FALSE(stats[2].assembled);
  EXPECT_FALSE(ptxStats(ptx, {"k"}, "")[0].assembled);
}

TEST(Stats, CountsWhatAKernelOfTheCpuReaches) {
  const auto stats = assemblyStats(assembly, {"spl_entry_k", "spl_entry_l"});
  EXPECT_EQ(stats[0].instructions, 2u + 3u + 1u);
  EXPECT_EQ(stats[1].instructions, 1u);
}

TEST(Stats, OfTextThatIsNoneAreNothing) {
  for (const char *text :
       {"", "{", "}\n}\n", ".visible .entry k(", ".visible .entry k(\n{\n;;\n", "("}) {
    EXPECT_EQ(ptxStats(text, {"k"}, text)[0].instructions, 0u) << text;
    EXPECT_EQ(assemblyStats(text, {"k"})[0].instructions, 0u) << text;
  }
}

} // namespace
