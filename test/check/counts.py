# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings count accesses, of any size. Those that are not listed are counted too."""
# RUN: %python %s %t
import json
import pathlib
import sys
import unittest

from simple_tool import simple

SOURCE = pathlib.Path(sys.argv.pop(1) + ".spl")


def findings(text, *options):
    SOURCE.write_text(text, encoding="utf-8")
    done = simple("check", SOURCE, "--diagnostics=json", *options)
    assert done.status == 1, done
    return [json.loads(line) for line in done.err.splitlines() if line.startswith("{")]


class Counts(unittest.TestCase):
    def test_an_access_counts_once(self):
        for scalar in ["i32", "i64"]:
            found = findings(f"""#[gpu]
fn k(x: &mut [{scalar}]):
    if gpu.global_id() == 0:
        x[0] = 42
    else:
        gpu.atomic_add(&mut x[0], 1)
""", "--global", 3, "--local", 3, "--arg", f"x={scalar}[1]")
            self.assertEqual([finding["count"] for finding in found], [2])

    def test_the_rest_is_counted(self):
        stores = "".join(f"    x[{index}] = 1\n" for index in range(103))
        found = findings("#[gpu]\nfn k(x: &mut [i32]):\n" + stores, "--global", 2, "--local", 2, "--arg", "x=i32[103]")
        self.assertEqual(len(found), 101)
        self.assertEqual(found[-1], {"severity": "note", "message": "3 more findings are not listed", "count": 3})


unittest.main()
