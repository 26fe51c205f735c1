# RUN: env PYTHONPATH=%S/../lib:%lit_package %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests test/lib/unittests.py with shell scripts in place of GoogleTest binaries."""
import json
import os
import pathlib
import tempfile
import types
import unittest

import lit.Test
import unittests


def case(name, result="COMPLETED", **more):
    return {"name": name, "result": result, "time": "0.1s", **more}


class UnitTestFormat(unittest.TestCase):
    def run_binary(self, cases=None, printed="", status=0):
        """The result for a binary with these cases, this output and this exit status."""
        with tempfile.TemporaryDirectory() as folder:
            binary = pathlib.Path(folder) / "some-tests"
            report = json.dumps({"testsuites": [{"name": "Suite", "testsuite": cases}]})
            script = f"#!/bin/sh\ncat <<'END'\n{printed}\nEND\n"
            if cases is not None:
                script += f"cat >\"${{GTEST_OUTPUT#json:}}\" <<'END'\n{report}\nEND\n"
            binary.write_text(script + f"exit {status}\n", encoding="utf-8")
            binary.chmod(0o755)
            return self.execute(binary)

    def execute(self, binary):
        config = types.SimpleNamespace(environment=dict(os.environ))
        test = types.SimpleNamespace(file_path=str(binary), config=config)
        result = unittests.UnitTests([str(binary)]).execute(test, None)
        return result if isinstance(result, lit.Test.Result) else lit.Test.Result(*result)

    def test_pass(self):
        result = self.run_binary([case("One"), case("Two")])
        self.assertIs(result.code, lit.Test.PASS)
        self.assertEqual(list(result.microResults), ["Suite.One", "Suite.Two"])

    def test_failed_case(self):
        result = self.run_binary([case("One"), case("Two", failures=[{"failure": "boom"}])], status=1)
        self.assertIs(result.code, lit.Test.FAIL)
        self.assertIs(result.microResults["Suite.One"].code, lit.Test.PASS)
        self.assertEqual(result.microResults["Suite.Two"].output, "boom")

    def test_skip_keeps_its_reason(self):
        printed = ("[ RUN      ] Suite.One\n/src/A.cpp:7: Skipped\nno CUDA\ndevice\n\n"
                   "[  SKIPPED ] Suite.One (0 ms)")
        result = self.run_binary([case("One", "SKIPPED")], printed)
        self.assertIs(result.microResults["Suite.One"].code, lit.Test.SKIPPED)
        self.assertEqual(result.microResults["Suite.One"].output, "no CUDA device")

    def test_disabled_case_is_seen(self):
        result = self.run_binary([case("One"), case("DISABLED_Two", "SUPPRESSED")])
        self.assertIs(result.microResults["Suite.DISABLED_Two"].code, lit.Test.SKIPPED)

    def test_fails_after_its_cases(self):
        result = self.run_binary([case("One")], "LeakSanitizer: leak", status=23)
        self.assertIs(result.code, lit.Test.FAIL)
        self.assertIn("LeakSanitizer: leak", result.output)

    def test_crash_without_a_report(self):
        self.assertIs(self.run_binary(None, status=139).code, lit.Test.FAIL)

    def test_no_cases(self):
        self.assertIs(self.run_binary([]).code, lit.Test.FAIL)

    def test_not_built(self):
        self.assertIs(self.execute("/nonexistent/some-tests").code, lit.Test.FAIL)


unittest.main()
