# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/demo and scripts/test have a help text. With --no-install they say how to install missing packages."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
FAKES = {"dpkg-query": "exit 1", "apt-get": "touch ran", "id": "echo 1000"}


def run(name, *options):
    """Runs a script in a folder where no package is installed. Returns the exit status and the output."""
    with tempfile.TemporaryDirectory() as folder:
        for fake, script in FAKES.items():
            path = pathlib.Path(folder) / fake
            path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            path.chmod(0o755)
        result = subprocess.run(
            [ROOT / "scripts" / name, *options], cwd=folder, env={"PATH": f"{folder}:/usr/bin:/bin"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        assert not (pathlib.Path(folder) / "ran").exists(), name
        return result.returncode, result.stdout.decode()


for script in ["demo", "test"]:
    status, output = run(script, "--help")
    assert status == 0 and f"usage: scripts/{script}" in output, output
    status, output = run(script, "--bogus")
    assert status == 2 and "--bogus" in output, output
    status, output = run(script, "--no-install")
    assert status == 1 and "sudo apt-get install -y --no-install-recommends clang-22 " in output, output

names = [line.split()[1] for line in (ROOT / "scripts/packages.txt").read_text(encoding="utf-8").splitlines()
         if line and not line.startswith("#")]
assert len(names) == len(set(names)), names
