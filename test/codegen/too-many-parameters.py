# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters that exceed the limit of old PTX versions need a newer version."""
import re
import subprocess
import tempfile


def compiled(slices, target, check="all"):
    parameters = ", ".join(f"p{i}: &[f32]" for i in range(slices))
    source = f"#[gpu]\nfn wide({parameters}, out: &mut [f32]):\n    out[0] = p0[0]\n"
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(source)
        file.flush()
        command = ["simple", "compile", file.name, "--target", target, "--check", check, "--emit",
                   "asm" if target == "cpu" else "ptx", "-o", "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        version = re.search(r"^\.version (.*)$", done.stdout, re.MULTILINE)
        return done.returncode, version and version[1], done.stderr


# A slice takes 16 bytes, so 272 slices take 4352 bytes. The fault record takes 8 more.
assert compiled(270, "sm_75") == (0, "6.3", "")
assert compiled(271, "sm_75") == (0, "8.1", "")  # drivers before CUDA 12.1 allow fewer parameters
assert compiled(271, "sm_75", check="none") == (0, "6.3", "")
assert compiled(272, "sm_75", check="none") == (0, "8.1", "")
assert compiled(272, "sm_100") == (0, "8.6", "")
assert compiled(2046, "sm_75") == (0, "8.1", "")
