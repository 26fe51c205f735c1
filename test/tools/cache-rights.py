# RUN: %python %s %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with more rights than its user loads no code from the cache folder that the user's environment
names."""
import os
import shutil
import subprocess
import sys
import unittest

FOLDER = sys.argv.pop(1)
NOBODY = 65534


def cache_stats(raise_rights):
    """The result of `simple cache stats`. With raise_rights, it runs as a program of root that a user started."""
    environment = {**os.environ, "SPL_CACHE": "on", "XDG_CACHE_HOME": FOLDER, "HOME": FOLDER}
    done = subprocess.run(["simple", "cache", "stats"], capture_output=True, check=False, text=True,
                          env=environment,
                          preexec_fn=lambda: raise_rights and os.setresuid(NOBODY, 0, 0))
    return done.returncode, done.stdout + done.stderr


class Rights(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(FOLDER, ignore_errors=True)

    def test_the_users_own_program(self):
        status, text = cache_stats(raise_rights=False)
        self.assertEqual(status, 0, text)
        self.assertIn(FOLDER, text)

    @unittest.skipIf(os.geteuid() != 0, "only root can start a program with its rights for another")
    def test_a_program_with_more_rights(self):
        status, text = cache_stats(raise_rights=True)
        self.assertEqual((status, text), (
            1, "simple: error: neither XDG_CACHE_HOME nor HOME names a folder\n"))
        self.assertFalse(os.path.exists(FOLDER))


unittest.main()
