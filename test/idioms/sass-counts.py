# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/sass.py counts what a thread without a fault may run, and finds the loop that a pattern names."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import sass  # noqa: E402

LISTING = """
	.section	.text.checked,"ax",@progbits
checked:
.text.checked:
        /*0000*/                   S2R R0, SR_TID.X ;
        /*0010*/              @!P0 BRA `(.L_x_1) ;
.L_x_0:
        /*0020*/                   LDG.E R1, desc[UR4][R2.64] ;
        /*0030*/                   LDG.E R1, desc[UR4][R2.64+0x4] ;
        /*0040*/               @P2 BRA `(.L_x_3) ;
        /*0050*/                   CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_u64) ;
        /*0060*/               @P1 BRA `(.L_x_0) ;
.L_x_1:
        /*0070*/                   BRA.DIV UR4, `(.L_x_5) ;
        /*0080*/                   SHFL.DOWN PT, R3, R6, 0x10, 0x1f ;
.L_x_2:
        /*0090*/                   EXIT ;
.L_x_3:
        /*00a0*/                   IMAD.MOV.U32 R9, RZ, RZ, 0x1 ;
        /*00b0*/              @!P0 BRA `(.L_x_4) ;
        /*00c0*/                   STG.E.STRONG.SYS desc[UR16][R6.64], R13 ;
        /*00d0*/                   EXIT ;
.L_x_4:
        /*00e0*/                   BPT.TRAP 0x1 ;
        /*00f0*/                   EXIT ;
.L_x_5:
        /*0100*/                   SHFL.DOWN P0, R11, R2, R13, R15 ;
        /*0110*/                   BRA `(.L_x_2) ;
$__internal_0_$__cuda_sm20_div_u64:
        /*0120*/                   RET.REL.NODEC R12 `(checked) ;
.L_x_6:
        /*0130*/                   BRA `(.L_x_6);
        /*0140*/                   NOP;
	.section	.text.nested,"ax",@progbits
.text.nested:
.L_x_10:
        /*0000*/                   BSSY B0, `(.L_x_12) ;
.L_x_11:
        /*0010*/                   FFMA R0, R1, R2, R0 ;
        /*0020*/                   FFMA R0, R1, R2, R0 ;
        /*0030*/                   NOP ;
        /*0040*/               @P0 BRA `(.L_x_11) ;
        /*0050*/                   BSYNC B0 ;
.L_x_12:
        /*0060*/              @!P1 CALL.REL.NOINC `(.L_x_13) ;
        /*0070*/                   BRA `(.L_x_10) ;
.L_x_13:
        /*0080*/                   EXIT ;
"""
checked, nested = sass.functions(LISTING)
# All but the fault, the lanes that are not converged, the subroutine and the padding.
assert (checked.name, checked.count(), checked.round("LDG", 1)) == ("checked", 10, 2.5), checked.before_exit()
assert checked.round("MUFU", 1) is None and len(checked.loops()) == 1
# The inner loop alone: three instructions that are not padding, for two rounds.
assert (nested.name, nested.count(), nested.round("FFMA", 1)) == ("nested", 8, 1.5), nested.loops()
try:
    sass.functions(".section .text.a\n  /*0000*/  BRX R2 -0x10 ;")
    raise AssertionError("a jump that cannot be followed was accepted")
except ValueError as error:
    assert "BRX" in str(error)
