# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/demo and scripts/test: help, wrong usage, and what happens where packages are missing.

dpkg-query, apt-get, apt-cache, id and sudo are played by shell scripts that write down how they were
called, so nothing is installed and nothing is built.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
LISTED = [line.split()[:2] for line in (ROOT / "scripts/packages.txt").read_text().splitlines()
          if line and not line.startswith("#")]
FAKES = {
    "dpkg-query": 'case "$*" in {missing}) exit 1 ;; *) echo install ok installed ;; esac',
    "apt-cache": 'case "$*" in *{unknown}*) echo "Candidate: (none)" ;; *) echo "Candidate: 1" ;; esac\n'
                 "seq 20000",  # longer than a pipe: who stops reading early would make it fail
    "apt-get": 'echo "apt-get $*" >>{log}; case "$1" in install) exit 42 ;; esac',
    "sudo": 'echo "sudo" >>{log}; exec "$@"',
    "id": "echo {uid}",
}


class Scripts(unittest.TestCase):
    def run_script(self, name, *options, missing="", unknown="nothing", uid=0):
        """Runs a script among the fakes, in another folder and with stdin closed.

        Answers exit status, output, and the log of the installing commands.
        """
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            pattern = "|".join(f"*' {package}'" for package in missing.split()) or "nothing"
            for fake, script in FAKES.items():
                path = pathlib.Path(folder) / fake
                values = {"missing": pattern, "unknown": unknown, "log": log, "uid": uid}
                for key, value in values.items():
                    script = script.replace("{" + key + "}", str(value))
                path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
                path.chmod(0o755)
            run = subprocess.run(
                ["sh", "-c", 'exec "$0" "$@" <&-', ROOT / "scripts" / name, *options], cwd=folder,
                env={"PATH": f"{folder}:/usr/bin:/bin"}, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=60, check=False)
            logged = log.read_text().splitlines() if log.exists() else []
            return run.returncode, run.stdout.decode(), logged

    def test_help(self):
        for name in ["demo", "test"]:
            status, output, _ = self.run_script(name, "--help")
            self.assertEqual(status, 0)
            self.assertIn(f"usage: scripts/{name}", output)
            self.assertIn("--no-install", output)

    def test_wrong_usage(self):
        for options in [("demo", "--bogus"), ("test", "--bogus"), ("test", "--filter")]:
            status, output, _ = self.run_script(*options)
            self.assertEqual(status, 2, output)
            self.assertIn(options[1], output)

    def test_no_install_refuses_with_the_command(self):
        status, output, log = self.run_script(
            "demo", "--no-install", missing="libmlir-22-dev ccache", uid=1000)
        self.assertEqual((status, log), (1, []))
        self.assertIn("sudo apt-get update && sudo apt-get install -y --no-install-recommends "
                      "libmlir-22-dev ccache\n", output)

    def test_installs_exactly_what_is_missing(self):
        status, output, log = self.run_script("test", missing="cmake libpng-dev")
        self.assertEqual(log, ["apt-get update",
                               "apt-get install -y --no-install-recommends cmake libpng-dev"])
        self.assertIn("installing with apt: cmake libpng-dev", output)
        self.assertEqual(status, 42)  # apt's own status: a failed install ends the script

    def test_uses_sudo_when_not_root(self):
        _, _, log = self.run_script("test", missing="cmake", uid=1000)
        self.assertEqual(log[:2], ["sudo", "apt-get update"])

    def test_sanitizer_packages_only_with_asan(self):
        _, _, log = self.run_script("test", "--asan", missing="libclang-rt-22-dev")
        self.assertIn("libclang-rt-22-dev", log[-1])

    def test_package_that_apt_does_not_know(self):
        status, output, log = self.run_script("demo", missing="clang-22", unknown="clang-22")
        self.assertEqual((status, log), (1, ["apt-get update"]))
        self.assertIn("apt knows no package 'clang-22'", output)

    def test_packages_are_listed_once_and_with_a_kind(self):
        names = [name for _, name in LISTED]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({kind for kind, _ in LISTED}, {"need", "want", "asan"})


unittest.main()
