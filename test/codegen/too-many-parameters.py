# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters beyond what every PTX version takes are an error at the kernel, and only there."""
import subprocess
import tempfile


def compiled(slices, target):
    parameters = ", ".join(f"p{i}: &[f32]" for i in range(slices))
    source = f"#[gpu]\nfn wide({parameters}, out: &mut [f32]):\n    out[0] = p0[0]\n"
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(source)
        file.flush()
        command = ["simple", "compile", file.name, "--target", target, "-o", "/dev/null"]
        return subprocess.run(command, capture_output=True, text=True, check=False)


# A slice takes 16 bytes: 272 of them are 4352.
assert compiled(271, "sm_75").returncode == 0
refused = compiled(272, "sm_75")
assert refused.returncode == 1, refused
assert ":2:4: error: the parameters of 'wide' take 4368 bytes; PTX takes 4352, pass fewer " \
       "[codegen-failed]" in refused.stderr, refused.stderr
assert compiled(272, "cpu").returncode == 0
