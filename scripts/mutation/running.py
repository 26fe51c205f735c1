# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests of the copy, one lit test or one case of a GoogleTest binary at a time, each with a time limit.

Every test runs in a process group of its own, which is killed at the limit, with limits on its memory and on
the files that it writes: a mutant may loop, allocate or print for ever.
"""
import fcntl
import hashlib
import os
import pathlib
import re
import resource
import select
import signal
import subprocess
import sys
import time

sys.path.insert(1, "/usr/lib/llvm-22/utils/lit")
import lit.discovery  # noqa: E402
import lit.LitConfig  # noqa: E402

# The tests of a folder's area: folders of lit tests, and binaries.
AREAS = {
    "frontend/sema": (["frontend", "e2e"], ["spl-frontend-tests", "spl-mirgen-tests", "spl-e2e-tests"]),
    "mir": (["mir", "codegen", "contracts", "frontend/mirgen", "e2e"],
            ["mir-test", "spl-codegen-tests", "spl-mirgen-tests", "spl-e2e-tests"]),
    "codegen": (["codegen", "mir", "contracts", "ptxsim", "e2e", "tools"],
                ["spl-codegen-tests", "spl-null-target-tests", "spl-jit-tests", "spl-e2e-tests"]),
    "runtime": (["capi", "tools"],
                ["runtime-tests", "runtime-null-backend", "runtime-conformance", "runtime-scenarios", "capi-tests",
                 "spl-cli-tests", "spl-jit-tests"]),
}
# What lit tests of these areas run besides. The tests of the others may run anything.
TOOLS = {area: ["simple", "simple-opt", "spl-fake-cuda"] for area in ("frontend/sema", "mir")}
# Tests that measure time fail on a busy machine, whatever the mutant; some build or install the project.
EXCLUDED = ["PipelineSpeed", "tools/install.test", "tools/gpu-bundle.test", "tools/needs-cxx20.py", "tools/gcc"]
MEMORY = 12 << 30
FILE_SIZE = 1 << 30


def binaries_of(areas, selected):
    """The test binaries of some areas. `selected` may name some, as in "unit:mir-test:|lit:mir/"."""
    parts = selected.split("|")
    return sorted({binary for area in areas for binary in AREAS[area][1]
                   if any(f"unit:{binary}:" in part or not re.match(r"\^?(unit|lit):", part) for part in parts)})


def targets(areas, selected):
    """What must be built for the tests of some areas."""
    if not all(area in TOOLS for area in areas):
        return ["build-tests"]
    return sorted({*binaries_of(areas, selected), *(tool for area in areas for tool in TOOLS[area])})


class Tests:
    """Every test of some areas by name: "lit:mir/fold.mlir" or "unit:mir-test:CheckKinds.Reads"."""

    def __init__(self, build, areas, selected=""):
        self.build = build
        self.selected = re.compile(selected)
        self.config = lit.LitConfig.LitConfig(
            progname="lit", path=[], diagnostic_level="error", useValgrind=False, valgrindLeakCheck=False,
            valgrindArgs=[], noExecute=False, debug=False, isWindows=False, order="lexical", params={})
        folders = sorted({folder for area in areas for folder in AREAS[area][0]})
        inputs = [str(build / "test" / folder) for folder in folders if (build / "test" / folder).exists()]
        self.lit = {}
        for test in lit.discovery.find_tests_for_inputs(self.config, inputs):
            name = "/".join(test.path_in_suite)
            if self.takes("lit:" + name):
                self.lit["lit:" + name] = test
        self.cases = {}
        paths = (build / "test/unittests.txt").read_text(encoding="utf-8").split()
        binaries = {pathlib.Path(path).name: path for path in paths}
        for binary in binaries_of(areas, selected):
            for case in list_cases(binaries[binary]):
                if self.takes(f"unit:{binary}:{case}"):
                    self.cases[f"unit:{binary}:{case}"] = (binaries[binary], case)

    def takes(self, name):
        return self.selected.search(name) and not any(part in name for part in EXCLUDED)

    def names(self):
        return sorted([*self.lit, *self.cases])

    def run(self, name, limit, environment, core=600):
        """Runs one test: "passed", "failed", "skipped" or "late"; the seconds that it took, and those of a core.

        `core` is the most seconds of a core for each of its processes. On a busy machine a test may take long
        without them.
        """
        started = time.monotonic()
        body = self.run_lit if name in self.lit else self.run_case
        outcome, used = in_process(lambda: body(name, environment), limit, core)
        return outcome, time.monotonic() - started, used

    def run_lit(self, name, environment):
        test = self.lit[name]
        test.config.environment.update(environment)
        # Two runs of one test would write the same files.
        folder = pathlib.Path(self.config_root()) / "locks"
        folder.mkdir(exist_ok=True)
        with open(folder / hashlib.sha1(name.encode()).hexdigest(), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result = test.config.test_format.execute(test, self.config)
        code = result[0] if isinstance(result, tuple) else result.code
        return {"PASS": "passed", "XFAIL": "passed", "UNSUPPORTED": "skipped"}.get(code.name, "failed")

    def config_root(self):
        return self.build / "test"

    def run_case(self, name, environment):
        binary, case = self.cases[name]
        result = subprocess.run(
            [binary, f"--gtest_filter={case}"], env={**os.environ, "SPL_CACHE": "off", **environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if result.returncode == 0 and b"[  SKIPPED ]" in result.stdout:
            return "skipped"
        return "passed" if result.returncode == 0 else "failed"

    def area_of(self, name):
        """The folders whose mutants this test is run for."""
        for area, (folders, binaries) in AREAS.items():
            if name.startswith("unit:"):
                if name.split(":")[1] in binaries:
                    yield area
            elif any(name.startswith(f"lit:{folder}/") for folder in folders):
                yield area


def list_cases(binary):
    listing = subprocess.run([binary, "--gtest_list_tests"], stdout=subprocess.PIPE, check=True).stdout.decode()
    suite = ""
    for line in listing.splitlines():
        text = line.split("#")[0].rstrip()
        if line.startswith("  "):
            if "DISABLED_" not in suite + text:
                yield suite + text.strip()
        elif text.endswith("."):
            suite = text


def in_process(body, limit, core):
    """What `body` returns, in a child of a process group of its own; "late" where the limit is over.

    And the seconds of a core that the child and its children have used.
    """
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.close(read)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (core, core))
            os.write(write, body().encode())
        except BaseException as error:  # whatever it is, the test did not pass
            os.write(write, b"failed")
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        finally:
            os._exit(0)
    os.close(write)
    try:
        ready, _, _ = select.select([read], [], [], limit)
        outcome = os.read(read, 100).decode() if ready else "late"
    finally:
        os.close(read)
        try:
            os.killpg(pid, signal.SIGKILL)  # also what a test has left behind
        except ProcessLookupError:
            pass
        _, _, usage = os.wait4(pid, 0)
    return outcome or "failed", usage.ru_utime + usage.ru_stime
