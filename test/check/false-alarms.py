# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %build_root/test/unit/spl-e2e-tests %src_root/test/e2e
"""Runs kernels that have no race as checked launches: there must be no finding.

All tests of spl-e2e-tests run in one process with SPL_CHECK=1, and the RUN lines of test/e2e that need nothing
but `simple run` on the CPU. Faults that these tests expect are no false alarms.
"""
import os
import re
import subprocess
import sys

# Tests that cannot pass with SPL_CHECK=1.
EXCLUDED = [
    "Choices.OfVectors", "Choices.OfMatrices",  # about launch contracts, which checked kernels do not have
    "Miscompiled.QuotientsUnderACondition",     # all lanes store 1 to one element, as in the report to LLVM
]
SLOW = [  # of values, not of what work-items share
    "HalfMath.EveryValue", "Float16.*", "Floats.ArithmeticOfAPrimeAboveAMillion", "ConstantMath.*",
]
FINDING = re.compile(r"error: .*\[(race-\w+|uninitialised-shared|not-uniform|barrier-divergence)\]")

environment = {**os.environ, "SPL_CHECK": "1", "SPL_CACHE": "off"}


def run(command, **options):
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=300, check=False, **options)


def main():
    program, folder = sys.argv[1:]
    failures = 0
    done = run([program, "--gtest_brief=1", f"--gtest_filter=-{':'.join(EXCLUDED + SLOW)}"])
    passed = int((re.findall(r"PASSED *\] (\d+) tests", done.stdout) or ["0"])[0])
    if done.returncode != 0 or passed < 150:
        failures += 1
        print(done.stdout)

    count = 0
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith(".spl"):
            continue
        for line in open(path, encoding="utf-8"):
            found = re.match(r"# RUN" r": (?:not )?(simple run %s .*?--backend cpu[^|]*)", line)
            if not found or "%t" in found[1]:
                continue
            count += 1
            done = run(found[1].split(" 2>")[0].replace("%s", path), shell=True)
            if FINDING.search(done.stdout):
                failures += 1
                print(f"{name}: {found[1]}\n{done.stdout}")
    print(f"{passed} tests and {count} runs without a finding" if not failures else f"{failures} failed")
    sys.exit(1 if failures or count < 20 else 0)


main()
