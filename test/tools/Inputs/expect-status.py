# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect-status.py STATUS COMMAND...: runs the command; succeeds if it ends with that exit status."""
import subprocess
import sys

expected, command = int(sys.argv[1]), sys.argv[2:]
status = subprocess.run(command, check=False).returncode
if status != expected:
    sys.exit(f"{' '.join(command)}: ended with {status}, not {expected}")
