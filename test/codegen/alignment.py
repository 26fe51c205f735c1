# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A wide access is checked for the alignment of its vector, for every vector type, and so is a part of dynamic
shared memory for that of its elements: the address is compared with its multiple of the size."""
import re
import subprocess
import tempfile

SIZES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "f16": 2, "bf16": 2, "i32": 4, "u32": 4, "f32": 4, "i64": 8, "u64": 8,
         "f64": 8}

kernels, expected = [], {}


def add(name, parameters, statement, size):
    kernels.append(f"#[gpu]\nfn {name}({parameters}, i: i64):\n    {statement}\n")
    expected[name] = size


for scalar, size in SIZES.items():
    for lanes in (2, 4, 8, 16):
        vector = f"{scalar}x{lanes}"
        if size * lanes > 16:
            continue
        add(f"load_{vector}", f"a: &[{scalar}], out: &mut [{scalar}]", f"out[0] = gpu.load_vec[{vector}](a, i)[0]",
            size * lanes)
        add(f"store_{vector}", f"out: &mut [{scalar}]", f"gpu.store_vec(out, i, {vector}(1))", size * lanes)
        add(f"shared_{vector}", f"out: &mut [{scalar}]",
            f"out[0] = gpu.shared_dyn[{vector}](1, offset: i)[0][0]", size * lanes)
    if size > 1:
        add(f"shared_{scalar}", f"out: &mut [{scalar}]", f"out[0] = gpu.shared_dyn[{scalar}](1, offset: i)[0]", size)

assert len(kernels) > 90, len(kernels)
for target in ("cpu", "sm_80"):
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write("\n".join(kernels))
        file.flush()
        result = subprocess.run(
            ["simple", "compile", file.name, "-O0", "--target", target, "--emit", "llvm", "-o", "-"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert result.returncode == 0, result.stdout[:2000]
    bodies = re.split(r"^define ", result.stdout, flags=re.MULTILINE)
    for name, size in expected.items():
        body = next(body for body in bodies if re.search(rf"@(spl\.body\.)?{name}\(", body.split("\n")[0]))
        masks = re.findall(r"(%\S+) = ptrtoint ptr .* to i64\n(?:.*\n)*?.* = and i64 \1, (\d+)", body)
        assert [int(mask) for _, mask in masks] == [size - 1], (target, name, masks, body)
