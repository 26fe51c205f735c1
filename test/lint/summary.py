# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/summarise-tests.py prints and counts failures, with their output, and the reasons of skips. A run without
tests fails."""
import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(sys.argv[1]) / "scripts/summarise-tests.py"


def summarise(*tests):
    """The printed lines and the exit status, for a report of these tests. A test is a name, a code and an output."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as report:
        report.write(json.dumps({"tests": [
            {"name": f"spl :: {name}", "code": code, "output": output} for name, code, output in tests]}))
        report.flush()
        run = subprocess.run([sys.executable, SCRIPT, report.name], stdout=subprocess.PIPE, check=False)
    return run.stdout.decode().splitlines(), run.returncode


found = summarise(
    ("a.spl", "PASS", ""), ("b.spl", "XPASS", ""), ("c.spl", "UNSUPPORTED", "unavailable features: ptxas"),
    ("unit/tests:A.Works", "PASS", ""), ("unit/tests:A.Fails", "FAIL", "boom"), ("unit/tests", "FAIL", "all"),
    ("unit/tests:A.Launch", "SKIPPED", "no CUDA\n device"), ("unit/tests:A.Copy", "SKIPPED", "no CUDA device"))
assert found == ([
    "skipped 1, needs ptxas: spl :: c.spl",
    "skipped 2, no CUDA device: spl :: unit/tests:A.Copy and 1 more",
    "failed: spl :: b.spl (XPASS)",
    "failed: spl :: unit/tests:A.Fails (FAIL)",
    "  boom",
    "2 passed, 2 failed, 3 skipped"], 1), found
found = summarise(("a.spl", "FAIL", "\n".join(f"{number}" + "." * 300 for number in range(1, 41))))
assert found[0][:3] == ["failed: spl :: a.spl (FAIL)", "  (10 lines before these)", "  11" + "." * 198], found
assert found[0][-2:] == ["  40" + "." * 198, "0 passed, 1 failed, 0 skipped"], found
found = summarise(("a.spl", "PASS", ""))
assert found == (["1 passed, 0 failed, 0 skipped"], 0), found
found = summarise(("a.spl", "UNSUPPORTED", "because"))
assert found[0][-2:] == ["no test ran", "0 passed, 0 failed, 1 skipped"] and found[1] == 1, found
