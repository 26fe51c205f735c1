# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`.npy` files as input and output of `simple run`. The test reads and writes their bytes without numpy."""
import os
import pathlib
import struct
import sys
import unittest

from simple_tool import VECTOR_ADD, npy, read_npy, simple

FOLDER = pathlib.Path(sys.argv.pop(1))
KERNELS = pathlib.Path(__file__).parent / "Inputs/many-types.spl"


def write(name, *arguments, **options):
    (FOLDER / name).write_bytes(npy(*arguments, **options))
    return f"@{FOLDER / name}"


def add(a, b="5,6,7,8", *more):
    return simple("run", VECTOR_ADD, "--global", 4, "--arg", f"a={a}", "--arg", f"b={b}", "--arg",
                  "out=f32[4]", *more)


class Npy(unittest.TestCase):
    def expect(self, result, out=""):
        self.assertEqual((result.status, result.out, result.err), (0, out, ""), result)

    def expect_refused(self, result, *texts):
        self.assertEqual((result.status, result.out), (1, ""), result)
        for text in texts:
            self.assertIn(text, result.err)

    def test_in_and_out(self):
        a = write("a.npy", "<f4", (4,), struct.pack("<4f", 1, 2, 3, 4))
        b = write("b.npy", "<f4", (4,), struct.pack("<4f", 0.5, 0.25, -1, 1e30), version=2)
        self.expect(add(a, b, "--save", f"out={FOLDER / 'out.npy'}"))
        self.assertEqual(read_npy(FOLDER / "out.npy"),
                         ("<f4", (4,), struct.pack("<4f", 1.5, 2.25, 2, 1e30)))

    def test_over_a_file_that_was_read(self):
        a = write("inout.npy", "<i4", (5,), struct.pack("<5i", 1, -2, 3, 1 << 30, 0))
        self.expect(simple("run", KERNELS, "--kernel", "double_in_place", "--global", 5, "--arg",
                           f"a={a}", "--save", f"a={FOLDER / 'inout.npy'}"))
        self.assertEqual(read_npy(FOLDER / "inout.npy"),
                         ("<i4", (5,), struct.pack("<5i", 2, -4, 6, -(1 << 31), 0)))

    def test_every_slice_can_be_saved(self):
        saved = FOLDER / "input.npy"
        self.expect(add("1,2,3,4", "5,6,7,8", "--save", f"b={saved}", "--save",
                        f"a={FOLDER / 'a2.npy'}"))
        self.assertEqual(read_npy(saved), ("<f4", (4,), struct.pack("<4f", 5, 6, 7, 8)))

    def test_types(self):
        for kernel, descr, data, shown in [
                ("copy_bools", "|b1", bytes([1, 0, 1]), "true, false, true"),
                ("copy_bytes", "|u1", bytes([0, 127, 255]), "0, 127, 255"),
                ("copy_longs", "<i8", struct.pack("<3q", 1, -1, -(1 << 63)),
                 "1, -1, -9223372036854775808"),
                ("copy_doubles", "<f8", struct.pack("<3d", 0.1, -0.0, float("inf")),
                 "0.1, -0, inf")]:
            source = write("source.npy", descr, (3,), data)
            word = {"b": "bool", "u": "u8", "i": "i64", "f": "f64"}[descr[1]]
            target = FOLDER / "target.npy"
            self.expect(simple("run", KERNELS, "--kernel", kernel, "--global", 3, "--arg",
                               f"source={source}", "--arg", f"target={word}[3]", "--print",
                               "target", "--save", f"target={target}"),
                        f"target = [{shown}]\n")
            self.assertEqual(read_npy(target), (descr, (3,), data))

    def test_empty_arrays(self):
        source = write("empty.npy", "<i8", (0,), b"")
        self.expect(simple("run", KERNELS, "--kernel", "copy_longs", "--global", 3, "--arg",
                           f"source={source}", "--arg", "target=i64[0]", "--save",
                           f"target={FOLDER / 'empty-out.npy'}"))
        self.assertEqual(read_npy(FOLDER / "empty-out.npy"), ("<i8", (0,), b""))

    def test_what_does_not_fit_is_refused_saying_both(self):
        four = struct.pack("<4f", 1, 2, 3, 4)
        self.expect_refused(add(write("f8.npy", "<f8", (2,), four)), "(a: &[f32])",
                            "f64 of rank 1; expected f32 of rank 1; "
                            "convert it with array.astype('float32') of NumPy\n")
        self.expect_refused(add(write("2d.npy", "<f4", (2, 2), four)), "(a: &[f32])",
                            "f32 of rank 2")
        self.expect_refused(add(write("0d.npy", "<f4", (), four[:4])), "(a: &[f32])",
                            "f32 of rank 0")
        self.expect_refused(add(write("big.npy", ">f4", (4,), four)), "big-endian")
        self.expect_refused(add(write("fortran.npy", "<f4", (4,), four, fortran=True)),
                            "Fortran order")
        self.expect_refused(add(write("object.npy", "|O", (4,), four)), "'|O'")
        self.expect_refused(add(write("short.npy", "<f4", (5,), four)), "needs 20 bytes",
                            "holds 16")
        self.expect_refused(add(write("long.npy", "<f4", (3,), four)), "needs 12 bytes")
        self.expect_refused(add(write("huge.npy", "<f4", (1 << 62, 1 << 62), four)), "too large")

    def test_malformed_shapes(self):
        def shaped(text):
            header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {text}, }}\n".encode()
            (FOLDER / "shape.npy").write_bytes(b"\x93NUMPY\x01\x00"
                                               + len(header).to_bytes(2, "little") + header
                                               + struct.pack("<4f", 1, 2, 3, 4))
            return add(f"@{FOLDER / 'shape.npy'}")

        self.expect(shaped("(4,)"))
        self.expect(shaped("( 4 , )"))
        self.expect_refused(shaped("(4)"), "its shape (4) is a number, not a tuple; of one axis")
        for text in ("(2 2)", "(,)", "(4,,)", "(,4)", "(4", "(x,)", "(-4,)", "(4;)"):
            self.expect_refused(shaped(text), "its shape is malformed")
        self.expect_refused(shaped("4"), "its shape is not a tuple")

    def test_files_that_are_none(self):
        good = npy("<f4", (4,), struct.pack("<4f", 1, 2, 3, 4))
        (FOLDER / "junk.npy").write_bytes(b"hello, world" * 9)
        self.expect_refused(add(f"@{FOLDER / 'junk.npy'}"), "not a .npy file")
        for length in [0, 1, 6, 8, 9, 10, 40, len(good) - 17]:
            (FOLDER / "cut.npy").write_bytes(good[:length])
            self.expect_refused(add(f"@{FOLDER / 'cut.npy'}"), "cannot read", "cut.npy")
        self.expect_refused(add("@/no/such.npy"), "No such file")
        self.expect_refused(add(f"@{FOLDER}"), "folder")
        os.mkfifo(FOLDER / "pipe.npy")
        self.expect_refused(add(f"@{FOLDER / 'pipe.npy'}"), "it is not a regular file")
        (FOLDER / "version.npy").write_bytes(good[:6] + b"\xff" + good[7:])
        self.expect_refused(add(f"@{FOLDER / 'version.npy'}"), "it has .npy version 255; 1 to 3")

    def test_a_damaged_header_is_never_a_crash(self):
        good = npy("<f4", (4,), struct.pack("<4f", 1, 2, 3, 4))
        for at in range(0, 80, 7):
            for byte in (0, 0x27, 0x29, 0xff):
                (FOLDER / "damaged.npy").write_bytes(good[:at] + bytes([byte]) + good[at + 1:])
                result = add(f"@{FOLDER / 'damaged.npy'}")
                self.assertIn(result.status, (0, 1), result)

    def test_control_characters_are_shown_as_escapes(self):
        bad = write("escape.npy", "\x1b[31m\x9b", (4,), b"")
        self.expect_refused(add(bad), r"its elements are '\x1b[31m")
        source = FOLDER / "evil\x1b[31m\nsimple.spl"
        source.write_text("#[gpu]\nfn k(x: &mut [i32]):\n    x[1] = 1\n")
        launch = [source, "--global", 1, "--local", 1, "--arg", "x=1"]
        good = source.read_text()
        for result in (simple("run", *launch), simple("check", *launch)):
            self.expect_refused(result, r"evil\x1b[31m\nsimple.spl:3:5: error: index 1 is out of")
            self.assertNotIn("\x1b", result.err)
        source.write_text(good.replace("1\n", "y\n"))
        result = simple("run", *launch)
        self.expect_refused(result, r"evil\x1b[31m\nsimple.spl:3:12: error: ")
        self.assertNotIn("\x1b", result.err)

    def test_nothing_is_saved_after_a_fault(self):
        out = FOLDER / "after-fault.npy"
        result = add("1,2", "5,6,7,8", "--save", f"out={out}", "--print", "out")
        self.expect_refused(result, "[index-out-of-bounds]")
        self.assertFalse(out.exists())

    def test_where_it_cannot_be_written(self):
        self.expect_refused(add("1,2,3,4", "5,6,7,8", "--save", "out=/no/such/folder/x.npy"),
                            "cannot write '/no/such/folder/x.npy'")
        self.expect_refused(add("1,2,3,4", "5,6,7,8", "--save", f"out={FOLDER}"), "cannot write")


unittest.main()
