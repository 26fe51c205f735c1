# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With `--diagnostics=json` every line on standard error is a JSON object, for every kind of error."""
import json
import pathlib
import sys
import unittest

from simple_tool import VECTOR_ADD, simple

FOLDER = pathlib.Path(sys.argv.pop(1))


def objects(result):
    return [json.loads(line) for line in result.err.splitlines()]


class Json(unittest.TestCase):
    def compile(self, text):
        source = FOLDER / 'a "quoted" name.spl'
        source.write_bytes(text)
        return simple("compile", source, "--diagnostics=json", "-o", FOLDER / "out")

    def test_errors_and_warnings(self):
        result = self.compile(b"#[gpu]\nfn k(out: &mut [i32]):\n    val unread = 1\n"
                              b"    out[0] = oot[1]\n    out[1] = 2.5\n")
        self.assertEqual(result.status, 1, result)
        found = [(each["severity"], each["name"], each["line"], each["column"])
                 for each in objects(result)]
        self.assertIn(("error", "unknown-name", 4, 14), found)
        self.assertIn(("error", "type-mismatch", 5, 14), found)
        self.assertEqual([each for each in found if each[0] == "error"],
                         [("error", "unknown-name", 4, 14), ("error", "type-mismatch", 5, 14)])
        for each in objects(result):
            self.assertTrue(each["file"].endswith('a "quoted" name.spl'), each)
            self.assertTrue(each["message"], each)

    def test_what_is_no_text_is_still_json(self):
        for text in (b"\xff\xfe\x00", b"#[gpu]\nfn k\xc3\x28():\n    pass\n", b"\"\x01\x02\n", b""):
            result = self.compile(text)
            self.assertEqual(result.status, 1, result)
            self.assertTrue(objects(result))

    def test_failures_without_a_place(self):
        for arguments, status, name in [
                (["compile", "/no/such.spl"], 1, "cannot-read-file"),
                (["compile", VECTOR_ADD, "--kernel", "nope"], 2, "unknown-kernel"),
                (["run", VECTOR_ADD, "--backend", "cpu", "--device", "7", "--global", "1"], 3,
                 "backend-unavailable")]:
            result = simple(*arguments, "--diagnostics=json")
            self.assertEqual(result.status, status, result)
            (only,) = objects(result)
            self.assertEqual((only["severity"], only["name"]), ("error", name))

    def test_faults(self):
        result = simple("run", VECTOR_ADD, "--global", 4, "--arg=a=1,2", "--arg=b=1,2,3,4",
                        "--arg=out=f32[4]", "--diagnostics=json")
        self.assertEqual(result.status, 1, result)
        (fault,) = objects(result)
        self.assertEqual((fault["name"], fault["line"], fault["column"]),
                         ("index-out-of-bounds", 8, 20))
        self.assertEqual(fault["message"], "index 2 is out of bounds for 'a' of length 2")
        self.assertEqual((fault["workItem"], fault["group"]), ([2, 0, 0], [0, 0, 0]))


unittest.main()
