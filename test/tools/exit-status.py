# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exit status of each kind of result (docs/cli.md): 0 success, 1 the program or a launch failed, 2 wrong
usage, 3 the backend is not available. One row for each case."""
import pathlib
import sys
import unittest

from simple_tool import VECTOR_ADD, simple

FOLDER = pathlib.Path(sys.argv.pop(1))
GENERIC = FOLDER / "generic.spl"
BROKEN = FOLDER / "broken.spl"
SCRIPT = FOLDER / "script.json"
GENERIC.write_text("#[gpu]\nfn scale[T: Num](x: &mut [T]):\n    x[0] *= x[0]\n"
                   "#[gpu]\nfn plain(x: &mut [f32]):\n    x[0] = 1\n", encoding="utf-8")
BROKEN.write_text("#[gpu]\nfn f(x: &mut [f32]):\n    x[0] = y\n", encoding="utf-8")
SCRIPT.write_text('{"launches": [], "launches": []}', encoding="utf-8")
ARGS = ["--arg", "a=1,2,3,4", "--arg", "b=5,6,7,8", "--arg", "out=f32[4]"]
ADD = ["run", VECTOR_ADD, "--global", 4]
ONE = ["--global", 1, "--arg", "x=1"]

ROWS = [
    (0, ["--help"]), (0, ["help"]), (0, ["help", "run"]), (0, ["run", "--help"]), (0, ["--version"]),
    (0, ["compile", VECTOR_ADD]), (0, ADD + ARGS), (0, ["devices"]),
    (0, ["run", VECTOR_ADD, "--global", 0, *ARGS]),
    (0, ["run", GENERIC, "--kernel", "scale[f32]", *ONE]),

    (1, ["compile", FOLDER / "none.spl"]), (1, ["run", FOLDER / "none.spl", "--global", 1]),
    (1, ["compile", BROKEN]), (1, ["run", BROKEN, *ONE]),
    (1, ["compile", VECTOR_ADD, "-o", FOLDER / "no" / "x.ptx"]),
    (1, ADD + ["--arg", "a=1", "--arg", "b=5", "--arg", "out=f32[4]"]),  # a fault
    (1, ADD + ["--arg", "a=1", "--arg", "b=1", "--arg", "out==a"]),
    (1, ADD + ["--arg", "a=@/none.npy", "--arg", "b=1", "--arg", "out=f32[4]"]),
    (1, ADD + ARGS + ["--save", "out=/no/such/folder/x.npy"]),
    (1, ADD + ARGS + ["--local", 100000]),
    (1, ["run", VECTOR_ADD, "--script", FOLDER / "none.json"]),

    (2, []), (2, ["frobnicate"]), (2, ["help", "frobnicate"]), (2, ["help", "run", "compile"]),
    (2, ["compile"]), (2, ["compile", VECTOR_ADD, "--frobnicate"]), (2, ["compile", VECTOR_ADD, "b"]),
    (2, ["compile", VECTOR_ADD, "--target", "sm_1"]), (2, ["compile", VECTOR_ADD, "--emit", "x"]),
    (2, ["compile", VECTOR_ADD, "--target", "cpu", "--emit", "ptx"]),
    (2, ["compile", VECTOR_ADD, "--target", "sm_80", "--emit", "obj"]),
    (2, ["compile", VECTOR_ADD, "-O7"]), (2, ["compile", VECTOR_ADD, "--check", "x"]),
    (2, ["compile", VECTOR_ADD, "-o", ""]), (2, ["compile", VECTOR_ADD, "-o", VECTOR_ADD]),
    (2, ["compile", VECTOR_ADD, "--kernel", "nonesuch"]),
    (2, ["run", VECTOR_ADD, "--kernel", "nonesuch", "--global", 4, *ARGS]),
    (2, ["compile", VECTOR_ADD, "--print-after", "nonesuch"]),
    (2, ADD + ARGS + ["--print-after", "nonesuch"]),
    (2, ["compile", VECTOR_ADD, "--target", "cpu", "--emit", "bundle", "--print-after", "nonesuch",
         "--target", "cpu:x86-64-v2"]),
    (2, ["compile", GENERIC, "--kernel", "scale"]), (2, ["run", GENERIC, "--kernel", "scale", *ONE]),
    (2, ["run", GENERIC, "--kernel", "scale__f32", *ONE]),
    (2, ["compile", GENERIC, "--kernel", "scale[bool]"]),
    (2, ["run", GENERIC, "--kernel", "scale[f32, 2]", *ONE]),
    (2, ["run", VECTOR_ADD, *ARGS]), (2, ADD), (2, ADD + ["--arg", "a=x"]),
    (2, ADD + ["--arg", "a=i32[4]"]), (2, ADD + ["--arg", "a"]), (2, ADD + ["--arg", "d=1"]),
    (2, ADD + ARGS + ["--local", ""]), (2, ADD + ARGS + ["--local="]), (2, ADD + ARGS + ["--local", 0]),
    (2, ["run", VECTOR_ADD, "--global", "", *ARGS]), (2, ADD + ARGS + ["--kernel", ""]),
    (2, ADD + ARGS + ["--backend", "rocm"]), (2, ADD + ARGS + ["--backend", "vulkan"]), (2, ADD + ARGS + ["--backend", ""]),
    (2, ADD + ARGS + ["--print", "x"]),
    (2, ADD + ARGS + ["--repeat", "x"]), (2, ADD + ARGS + ["--shared", "x"]),
    *((2, ADD + ARGS + [option, number]) for option in ("--shared", "--device")
      for number in ("-1", "010", "0x10", " 1", "1e3", "99999999999999999999")),
    (2, ADD + ARGS + ["--timeout", "0x10"]), (2, ADD + ARGS + ["--timeout", " 1"]),
    (2, ["run", VECTOR_ADD, "--script", SCRIPT]), (2, ["cache"]), (2, ["cache", "x"]),

    (3, ADD + ARGS + ["--backend", "cpu", "--device", 7]),
]


class ExitStatus(unittest.TestCase):
    def test_table(self):
        for status, arguments in ROWS:
            with self.subTest(arguments=[str(argument) for argument in arguments]):
                result = simple(*arguments)
                self.assertEqual(result.status, status, result)
                self.assertEqual("error: " in result.err, status != 0, result)


unittest.main()
