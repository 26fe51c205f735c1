# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/summarise-tests.py counts what lit and GoogleTest report, and no run without tests passes."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)) / "scripts/summarise-tests.py"


def result(name, code, output=""):
    return {"name": "spl :: " + name, "code": code, "output": output, "elapsed": 0.1}


class Summary(unittest.TestCase):
    def summarise(self, *tests):
        """The lines printed and the exit status, for a report of these tests."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.json"
            path.write_text(json.dumps({"tests": tests}), encoding="utf-8")
            return self.run_on(path)

    def run_on(self, path):
        run = subprocess.run([sys.executable, SCRIPT, path], stdout=subprocess.PIPE, check=False)
        return run.stdout.decode().splitlines(), run.returncode

    def test_all_passed(self):
        lines, status = self.summarise(result("a.spl", "PASS"), result("b.spl", "XFAIL"))
        self.assertEqual((lines, status), (["2 passed, 0 failed, 0 skipped"], 0))

    def test_every_kind_of_failure(self):
        codes = ["FAIL", "UNRESOLVED", "TIMEOUT", "XPASS", "SOMETHING_NEW"]
        tests = [result(f"{code}.spl", code) for code in codes]
        lines, status = self.summarise(result("a.spl", "PASS"), *tests)
        self.assertEqual((lines[-1], status), ("1 passed, 5 failed, 0 skipped", 1))
        self.assertIn("failed: spl :: XPASS.spl (XPASS)", lines)

    def test_skip_with_the_features_it_needs(self):
        lines, status = self.summarise(
            result("a.spl", "PASS"),
            result("b.spl", "UNSUPPORTED",
                   "Test requires the following unavailable features: ptxas"))
        self.assertEqual(lines, ["skipped 1, needs ptxas: spl :: b.spl", "1 passed, 0 failed, 1 skipped"])
        self.assertEqual(status, 0)

    def test_skips_of_one_reason_are_one_line(self):
        lines, _ = self.summarise(
            result("a.spl", "PASS"),
            result("unit/runtime-tests:Cuda.Launch", "SKIPPED", "no CUDA\n device"),
            result("b.spl", "UNSUPPORTED", "asan"),
            result("unit/runtime-tests:Cuda.Copy", "SKIPPED", "no CUDA device"))
        self.assertEqual(lines, [
            "skipped 1, asan: spl :: b.spl",
            "skipped 2, no CUDA device: spl :: unit/runtime-tests:Cuda.Copy and 1 more",
            "1 passed, 0 failed, 3 skipped"])

    def test_skip_without_a_reason_is_visible(self):
        lines, _ = self.summarise(result("a.spl", "UNSUPPORTED"))
        self.assertIn("NO REASON GIVEN", lines[0])

    def test_cases_count_instead_of_their_binary(self):
        lines, status = self.summarise(
            result("unit/runtime-tests:Cuda.Launch", "SKIPPED", "no CUDA device"),
            result("unit/runtime-tests:Cpu.Launch", "PASS"),
            result("unit/runtime-tests:Cpu.Fault", "FAIL", "boom"),
            result("unit/runtime-tests", "FAIL", "everything"))
        self.assertEqual(lines, [
            "skipped 1, no CUDA device: spl :: unit/runtime-tests:Cuda.Launch",
            "failed: spl :: unit/runtime-tests:Cpu.Fault (FAIL)",
            "1 passed, 1 failed, 1 skipped"])
        self.assertEqual(status, 1)

    def test_binary_that_fails_beyond_its_cases(self):
        lines, status = self.summarise(
            result("unit/lex-tests:Lexer.Tokens", "PASS"), result("unit/lex-tests", "FAIL", "leak"))
        self.assertEqual((lines[-1], status), ("1 passed, 1 failed, 0 skipped", 1))

    def test_only_skips_is_a_failure(self):
        lines, status = self.summarise(result("a.spl", "UNSUPPORTED", "because"))
        self.assertEqual(lines[-2:], ["no test ran", "0 passed, 0 failed, 1 skipped"])
        self.assertEqual(status, 1)

    def test_no_tests_no_report_and_a_torn_report(self):
        self.assertEqual(self.summarise()[1], 1)
        self.assertEqual(self.run_on("/nonexistent/results.json")[1], 1)
        with tempfile.NamedTemporaryFile() as torn:
            torn.write(b'{"tests": [')
            torn.flush()
            lines, status = self.run_on(torn.name)
        self.assertEqual((lines[-1], status), ("0 passed, 0 failed, 0 skipped", 1))


unittest.main()
