# RUN: %python %s %src_root/docs/cli.md
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of docs/cli.md have every option that the commands have, and no other. The options are those of
`simple COMMAND --help`, which are CLI11's own."""
import pathlib
import re
import sys
import unittest

from simple_tool import simple

PAGE = pathlib.Path(sys.argv.pop(1)).read_text(encoding="utf-8")
# compile's options from this one on are those of run too, and are not repeated there.
FIRST_SHARED, OWN = "-O", "--stats"


def options(command):
    """The options of a command in their order, without --help."""
    return [name for name in re.findall(r"^  (--?[\w-]+)", simple(command, "--help").out, re.MULTILINE)
            if name not in ("-h", "-lineinfo")]


def documented(command):
    """The options in the first column of the tables of a command's section."""
    section = re.search(rf"^## simple {command}$(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)
    cells = re.findall(r"^\| (`-.*?) \| ", section[1], re.MULTILINE)
    names = [name for cell in cells for name in re.findall(r"(?<![\w-])--?\w[\w-]*", cell)]
    # -O0 to -O3 is -O, and -lineinfo is --lineinfo.
    return {"--lineinfo" if name == "-lineinfo" else re.sub(r"^-O\d$", "-O", name) for name in names}


class Page(unittest.TestCase):
    def test_every_option_is_there(self):
        shared = options("compile")
        shared = shared[shared.index(FIRST_SHARED):]
        self.assertGreater(len(shared), 10)
        commands = re.findall(r"^  ([a-z]+)  ", simple("--help").out, re.MULTILINE)
        self.assertIn("run", commands)
        for command in commands:
            with self.subTest(command=command):
                self.assertIn(f"\n## simple {command}\n", PAGE)
                own = set(options(command)) - (set(shared) if command != "compile" else set())
                if command == "check":
                    # The page says that check has run's options, except two.
                    self.assertEqual(set(options("run")) - set(options("check")), {"--backend", "--device"})
                    own -= set(options("run"))
                self.assertEqual(documented(command), own)

    def test_run_shares_the_options_that_the_page_says(self):
        self.assertIn(f"compile's options from {FIRST_SHARED} on, but {OWN}", PAGE)
        shared = options("compile")
        shared = shared[shared.index(FIRST_SHARED):]
        self.assertNotIn(OWN, options("run"))
        self.assertEqual([name for name in shared if name != OWN],
                         [name for name in options("run") if name in shared])


unittest.main()
