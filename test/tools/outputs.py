# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The output files of `simple compile`: every --emit, the defaults, and no file after an error."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import unittest

from simple_tool import VECTOR_ADD, npy, simple

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

    def test_a_limit_on_the_size_of_files_is_reported(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))  # pylint: disable=C3001
        done = subprocess.run(["simple", "compile", self.source, "-o", FOLDER / "out.ptx"], capture_output=True,
                              preexec_fn=limit, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, b""), done)
        self.assertIn(b"out.ptx': File too large", done.stderr)
        self.assertEqual(self.files(), ["add.spl"])

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

    def test_the_source_is_never_overwritten(self):
        for name, kind in [("v.o", "obj"), ("v.cubin", "cubin")]:
            source = FOLDER / name
            shutil.copy(VECTOR_ADD, source)
            target = "cpu" if kind == "obj" else "sm_75"
            self.expect_refused(source, "--target", target, "--emit", kind)
        (FOLDER / "soft").symlink_to(self.source)
        os.link(self.source, FOLDER / "hard")
        for name in ("add.spl", "./add.spl", "soft", "hard"):
            self.expect_refused(self.source, "-o", f"{FOLDER}/{name}")
        self.expect_refused(FOLDER / "soft", "-o", self.source)

    def expect_refused(self, source, *arguments):
        result = simple("compile", source, *arguments)
        self.assertEqual((result.status, result.out), (2, ""), result)
        self.assertIn("is the source itself", result.err)
        self.assertEqual(source.read_bytes(), pathlib.Path(VECTOR_ADD).read_bytes())

    def test_nor_by_a_saved_array(self):
        result = simple("run", self.source, "--global", 1, "--arg", "a=1", "--arg", "b=1", "--arg",
                        "out=f32[1]", "--save", f"out={self.source}")
        self.assertEqual((result.status, result.out), (2, ""), result)
        self.assertIn("is the source itself", result.err)
        self.assertEqual(self.source.read_bytes(), pathlib.Path(VECTOR_ADD).read_bytes())

    def run_in(self, *arguments):
        """Runs simple, which must refuse it, and leave all files as they are."""
        before = {path: path.read_bytes() for path in FOLDER.iterdir()}
        result = simple(*arguments)
        self.assertEqual((result.status, result.out), (2, ""), result)
        self.assertEqual({path: path.read_bytes() for path in FOLDER.iterdir()}, before)
        return result.err

    def test_nor_is_any_file_that_the_command_reads(self):
        (FOLDER / "helpers.spl").write_text("use deep.two\nfn four() -> f32:\n    return two() * 2\n")
        (FOLDER / "deep.spl").write_text("fn two() -> f32:\n    return 2\n")
        self.source.write_text("use helpers.four\n#[gpu]\nfn k(a: &[f32], o: &mut [f32]):\n"
                               "    o[0] = a[0] * four()\n")
        (FOLDER / "link").symlink_to("deep.spl")
        a = FOLDER / "a.npy"
        a.write_bytes(npy("<f4", (1,), b"\0\0\x80\x3f"))
        script = FOLDER / "script"  # --save refuses script.json, whatever it is
        run = ["run", self.source, "--global", 1, "--arg", f"a=@{a}", "--arg", "o=f32[1]", "--save"]
        for name in ("helpers.spl", "deep.spl", "link"):
            path = FOLDER / name
            text = f"the output '{path}' is a file that the program uses; name another"
            script.write_text(f'''{{"buffers": {{"a": "f32[1]", "o": "f32[1]"}}, "save": {{"o": "{path}"}},
                "launches": [{{"global": [1], "args": {{"a": "a", "o": "o"}}}}]}}''')
            self.assertIn(text, self.run_in("compile", self.source, "-o", path))
            self.assertIn(text, self.run_in("compile", self.source, "--emit", "ast", "-o", path))
            self.assertIn(text, self.run_in("compile", self.source, "--emit", "bundle", "--target",
                                            "sm_75", "-o", path))
            self.assertIn(text, self.run_in(*run, f"o={path}"))
            self.assertIn(text, self.run_in("check", *run[1:], f"o={path}"))
            self.assertIn(text, self.run_in("run", self.source, "--script", script))
        self.assertIn("is the file that 'a' is read from", self.run_in(*run, f"o={a}"))
        launches = f'''"launches": [{{"global": [1], "args": {{"a": "@{a}", "o": "o"}}}}]'''
        for path, what in [(script, "the script itself"), (a, "a file that the script reads")]:
            script.write_text(f'''{{"buffers": {{"o": "f32[1]"}}, "save": {{"o": "{path}"}}, {launches}}}''')
            self.assertIn(what, self.run_in("run", self.source, "--script", script))
            script.write_text(f'''{{"buffers": {{"o": "f32[1]"}}, {launches}}}''')
            self.assertIn(what, self.run_in("run", self.source, "--script", script, "--save",
                                            f"o={path}"))
        result = simple(*run, f"a={a}", "--print", "o")
        self.assertEqual((result.status, result.out, result.err), (0, "o = [4]\n", ""), result)

    def test_two_saves_to_one_file(self):
        run = ["run", self.source, "--global", 1, "--arg", "a=1", "--arg", "b=1", "--arg", "out=f32[1]"]
        (FOLDER / "old.npy").write_text("old")
        (FOLDER / "link.npy").symlink_to("new.npy")
        for one, other in [("same.npy", "same.npy"), ("same.npy", "./same.npy"), ("old.npy", "old.npy"),
                           ("link.npy", "new.npy")]:
            saves = ["--save", f"out={FOLDER}/{one}", "--save", f"a={FOLDER}/{other}"]
            before = self.files()
            result = simple(*run, *saves)
            self.assertEqual((result.status, result.out, self.files()), (2, "", before), result)
            self.assertIn(f"'out' and 'a' are both saved to '{FOLDER}/{other}'", result.err)
        result = simple(*run, "--save", "out=/dev/null", "--save", "a=/dev/null")
        self.assertEqual((result.status, result.err), (0, ""), result)

    def compile_to(self, out, **more):
        result = simple("compile", self.source, "-o", out, **more)
        self.assertEqual((result.status, result.out, result.err), (0, "", ""), result)
        self.assertIn(".entry vector_add", out.read_text())

    def test_a_replaced_file_keeps_its_mode(self):
        out = FOLDER / "out"
        for mode in (0o600, 0o666, 0o755):
            out.write_text("old")
            out.chmod(mode)
            self.compile_to(out)
            self.assertEqual(out.stat().st_mode & 0o7777, mode)

    def test_a_new_file_has_the_mode_of_new_files(self):
        old = os.umask(0o022)
        try:
            for mask in (0o022, 0o077, 0o002):
                os.umask(mask)
                out = FOLDER / f"out-{mask:o}"
                self.compile_to(out)
                self.assertEqual(out.stat().st_mode & 0o7777, 0o666 & ~mask)
        finally:
            os.umask(old)

    def test_a_file_that_is_not_writable_is_not_replaced(self):
        out = FOLDER / "out"
        out.write_text("old")
        out.chmod(0o444)
        if os.access(out, os.W_OK):
            self.skipTest("root writes everything")
        result = simple("compile", self.source, "-o", out)
        self.assertEqual((result.status, result.out), (1, ""), result)
        self.assertIn("Permission denied", result.err)
        self.assertEqual(out.read_text(), "old")

    def test_a_link_to_what_is_not_there_yet(self):
        (FOLDER / "link").symlink_to("next")
        (FOLDER / "next").symlink_to("out")
        self.compile_to(FOLDER / "link")
        self.assertTrue((FOLDER / "link").is_symlink() and (FOLDER / "next").is_symlink())
        self.assertTrue((FOLDER / "out").is_file() and not (FOLDER / "out").is_symlink())

    def test_links_in_a_circle(self):
        (FOLDER / "one").symlink_to("two")
        (FOLDER / "two").symlink_to("one")
        result = simple("compile", self.source, "-o", FOLDER / "one")
        self.assertEqual((result.status, result.out), (1, ""), result)
        self.assertIn("Too many levels of symbolic links", result.err)
        self.assertEqual(self.files(), ["add.spl", "one", "two"])

    def test_the_longest_names(self):
        self.compile_to(FOLDER / ("n" * 254))
        self.compile_to(FOLDER / ("n" * 255))
        result = simple("compile", self.source, "-o", FOLDER / ("n" * 256))
        self.assertEqual((result.status, result.out), (1, ""), result)
        self.assertIn("File name too long", result.err)
        self.assertEqual(self.files(), ["add.spl", "n" * 254, "n" * 255])

    def test_warnings_do_not_keep_it_from_succeeding(self):
        self.source.write_text("#[gpu]\nfn k(out: &mut [i32]):\n    val x = 1\n    out[0] = 2\n")
        result = simple("compile", self.source)
        self.assertEqual(result.status, 0, result)
        self.assertIn("add.spl:3:9: warning: 'x' is never read", result.err)
        self.assertIn(".entry k(", result.out)


unittest.main()
