# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `simple compile` writes and where: every --emit, the defaults, and nothing after an error."""
import pathlib
import shutil
import sys
import unittest

from simple_tool import VECTOR_ADD, simple

FOLDER = pathlib.Path(sys.argv.pop(1))
TEXT = {"tokens": "Identifier", "ast": "(kernel vector_add", "mir": "spl.kernel @vector_add",
        "mir-final": "spl.kernel @vector_add", "llvm": "define",
        "ptx": ".visible .entry vector_add"}


class Outputs(unittest.TestCase):
    def setUp(self):
        for path in FOLDER.iterdir():
            path.unlink()
        self.source = FOLDER / "add.spl"
        shutil.copy(VECTOR_ADD, self.source)

    def files(self):
        return sorted(path.name for path in FOLDER.iterdir())

    def test_text_goes_to_standard_output(self):
        for kind, expected in TEXT.items():
            result = simple("compile", self.source, "--emit", kind)
            self.assertEqual((result.status, result.err), (0, ""), result)
            self.assertIn(expected, result.out, kind)
        self.assertEqual(self.files(), ["add.spl"])

    def test_or_to_a_file(self):
        for kind, expected in TEXT.items():
            result = simple("compile", self.source, "--emit", kind, "-o", FOLDER / "out")
            self.assertEqual((result.status, result.out, result.err), (0, "", ""), result)
            self.assertIn(expected, (FOLDER / "out").read_text(), kind)
        self.assertEqual(self.files(), ["add.spl", "out"])

    def test_the_default_suits_the_target(self):
        self.assertIn(".target sm_75", simple("compile", self.source).out)
        self.assertIn(".target sm_90", simple("compile", self.source, "--target", "sm_90").out)
        host = simple("compile", self.source, "--target", "cpu")
        self.assertEqual(host.out, simple("compile", self.source, "--target", "cpu", "--emit",
                                          "asm").out)
        self.assertIn("vector_add", host.out)
        self.assertNotIn(".target", host.out)

    def test_what_is_not_text_goes_beside_the_source(self):
        result = simple("compile", self.source, "--target", "cpu", "--emit", "obj")
        self.assertEqual((result.status, result.out, result.err), (0, "", ""), result)
        self.assertEqual(self.files(), ["add.o", "add.spl"])
        self.assertEqual((FOLDER / "add.o").read_bytes()[:4], b"\x7fELF")
        result = simple("compile", self.source, "--target", "cpu", "--emit", "obj", "-o", "-")
        self.assertEqual(result.out[1:4], "ELF")

    def test_only_the_kernels_asked_for(self):
        self.source.write_text("".join(f"#[gpu]\nfn k{i}(out: &mut [i32]):\n    out[0] = {i}\n"
                                       for i in range(4)))
        whole = simple("compile", self.source)
        some = simple("compile", self.source, "--kernel", "k1", "--kernel", "k3")
        for i in range(4):
            self.assertIn(f".entry k{i}(", whole.out)
            self.assertEqual(f".entry k{i}(" in some.out, i in (1, 3), some)

    def test_no_file_is_left_after_an_error(self):
        self.source.write_text("#[gpu]\nfn k(out: &mut [i32]):\n    out[0] = oot\n")
        for kind in ("mir", "ptx", "cubin"):
            result = simple("compile", self.source, "--emit", kind, "-o", FOLDER / "out")
            self.assertEqual((result.status, result.out), (1, ""), result)
            self.assertEqual(result.err.count("error:"), 1, result)
        result = simple("compile", self.source, "--target", "cpu", "--emit", "obj")
        self.assertEqual(result.status, 1, result)
        self.assertEqual(self.files(), ["add.spl"])

    def test_an_old_file_survives_an_error(self):
        (FOLDER / "out").write_text("old")
        self.source.write_text("fn")
        self.assertEqual(simple("compile", self.source, "-o", FOLDER / "out").status, 1)
        self.assertEqual((FOLDER / "out").read_text(), "old")

    def test_a_link_is_followed(self):
        (FOLDER / "out").write_text("old")
        (FOLDER / "link").symlink_to(FOLDER / "out")
        self.assertEqual(simple("compile", self.source, "-o", FOLDER / "link").status, 0)
        self.assertTrue((FOLDER / "link").is_symlink())
        self.assertIn(".entry vector_add", (FOLDER / "out").read_text())

    def test_warnings_do_not_keep_it_from_succeeding(self):
        self.source.write_text("#[gpu]\nfn k(out: &mut [i32]):\n    val x = 1\n    out[0] = 2\n")
        result = simple("compile", self.source)
        self.assertEqual(result.status, 0, result)
        self.assertIn("add.spl:3:9: warning: 'x' is never read", result.err)
        self.assertIn(".entry k(", result.out)


unittest.main()
