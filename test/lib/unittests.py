# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A lit format that runs GoogleTest binaries and keeps the reason of every skip.

lit's own GoogleTest format drops the text of GTEST_SKIP(). In this format a binary is one lit test,
which runs once. Each of its cases is a micro result of that test: PASS, FAIL or SKIPPED, with its
output. A binary fails if it is missing, crashes, hangs or has no cases.
"""
import json
import os
import re
import subprocess

import lit.Test
from lit.formats.base import TestFormat

TIME_LIMIT = 1200  # seconds for one binary; one that hangs fails


class UnitTests(TestFormat):
    def __init__(self, binaries):
        self.binaries = binaries

    def getTestsInDirectory(self, suite, path_in_suite, litConfig, localConfig):
        if path_in_suite[-1:] != ("unit",):
            return
        for binary in self.binaries:
            path = path_in_suite + (os.path.basename(binary),)
            yield lit.Test.Test(suite, path, localConfig, file_path=binary)

    def execute(self, test, litConfig):
        if not os.path.exists(test.file_path):
            return lit.Test.FAIL, f"{test.file_path} is not built"
        report = test.file_path + ".json"
        if os.path.exists(report):
            os.remove(report)
        environment = {**test.config.environment, "GTEST_OUTPUT": "json:" + report}
        try:
            run = subprocess.run(
                [test.file_path], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=TIME_LIMIT, check=False)
        except subprocess.TimeoutExpired as expired:
            output = (expired.stdout or b"").decode(errors="replace")
            return lit.Test.FAIL, f"{output}\nno end after {TIME_LIMIT} seconds"
        output = run.stdout.decode(errors="replace")
        if not os.path.exists(report):
            return lit.Test.FAIL, f"{output}\nended without a report, exit status {run.returncode}"
        with open(report, encoding="utf-8") as file:
            return result_of(json.load(file), output, run.returncode)


def result_of(report, output, status):
    """The result of one binary, from GoogleTest's report, its output and its exit status."""
    cases = list(case_results(report, output))
    failed = any(result.code is lit.Test.FAIL for _, result in cases)
    if not cases:
        whole = lit.Test.Result(lit.Test.FAIL, "holds no test case")
    elif failed or status != 0:
        whole = lit.Test.Result(lit.Test.FAIL, f"{output}\nexit status {status}")
    else:
        whole = lit.Test.Result(lit.Test.PASS, "")
    for name, result in cases:
        whole.addMicroResult(name, result)
    return whole


def case_results(report, output):
    for suite in report["testsuites"]:
        for case in suite["testsuite"]:
            name = suite["name"] + "." + case["name"]
            elapsed = float(case.get("time", "0s").rstrip("s"))
            if "failures" in case:
                text = "\n".join(failure["failure"] for failure in case["failures"])
                yield name, lit.Test.Result(lit.Test.FAIL, text, elapsed)
            elif case["result"] == "COMPLETED":
                yield name, lit.Test.Result(lit.Test.PASS, "", elapsed)
            elif case["result"] == "SKIPPED":
                yield name, lit.Test.Result(lit.Test.SKIPPED, skip_reason(name, output), elapsed)
            else:  # SUPPRESSED: a DISABLED_ case; it is reported as a skip
                yield name, lit.Test.Result(lit.Test.SKIPPED, "disabled in the source", elapsed)


def skip_reason(name, output):
    """The text of GTEST_SKIP(), which is between the first and the last line of the case."""
    start = re.escape(f"[ RUN      ] {name}") + r"\n"
    end = re.escape(f"[  SKIPPED ] {name}")
    match = re.search(start + r"(.*?)" + end, output, re.DOTALL)
    text = re.sub(r"^.*?:\d+: Skipped\n", "", match.group(1)) if match else ""
    return " ".join(text.split())
