# RUN: env FAKE_CUDA=%fake-cuda %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`simple devices` lists every backend as text and as JSON, with the reason if one is not available."""
import json
import os
import unittest

from simple_tool import simple


class Devices(unittest.TestCase):
    def test_text_names_every_backend(self):
        result = simple("devices")
        self.assertEqual((result.status, result.err), (0, ""), result)
        for backend in ("cuda", "cpu"):
            lines = [line for line in result.out.splitlines() if line.startswith(backend + ": ")]
            self.assertEqual(len(lines), 1, result)
            self.assertRegex(lines[0], r": (available|not available: .{5,})$")
        self.assertIn("cpu: available\n  0: ", result.out)

    def test_json_says_the_same(self):
        result = simple("devices", "--json")
        self.assertEqual((result.status, result.err), (0, ""), result)
        backends = {entry["backend"]: entry for entry in json.loads(result.out)}
        self.assertEqual(list(backends), ["cuda", "cpu"])
        for entry in backends.values():
            self.assertEqual("reason" in entry, not entry["available"], entry)
            self.assertEqual("devices" in entry, entry["available"], entry)
        (cpu,) = backends["cpu"]["devices"]
        self.assertEqual(cpu["index"], 0)
        self.assertEqual(cpu["computeUnits"], len(os.sched_getaffinity(0)))
        self.assertGreater(cpu["memoryTotal"], cpu["memoryFree"])

    def test_a_sick_device_is_listed_with_its_reason(self):
        folder = os.environ["FAKE_CUDA"]
        fake = {"LD_LIBRARY_PATH": folder, "SPL_FAKE_CUDA_DEVICES": "3", "SPL_FAKE_CUDA_SICK": "1"}
        reason = "unknown error (cuDeviceGetName: CUDA_ERROR_UNKNOWN, 999)"
        result = simple("devices", **fake)
        self.assertEqual((result.status, result.err), (0, ""), result)
        self.assertIn(f"\n  1: unknown\n     cannot be used: {reason}\n  2: PTX interpreter\n     "
                      "memory 1.0 GiB, sm_90, ", result.out)
        result = simple("devices", "--json", **fake)
        devices = json.loads(result.out)[0]["devices"]
        self.assertEqual(devices[1], {"index": 1, "name": "unknown", "problem": reason})
        self.assertEqual([device["index"] for device in devices if "problem" not in device], [0, 2])


unittest.main()
