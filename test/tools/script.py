# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`simple run --script`: several launches in one process, and errors in scripts."""
import json
import pathlib
import struct
import sys
import unittest

from simple_tool import VECTOR_ADD, npy, read_npy, simple

FOLDER = pathlib.Path(sys.argv.pop(1))
KERNELS = pathlib.Path(__file__).parent / "Inputs/many-types.spl"
ADD = {"kernel": "vector_add", "global": [4], "args": {"a": "x", "b": "y", "out": "z"}}
GOOD = {"buffers": {"x": "f32[4]=iota", "y": "f32[4]=10", "z": "f32[4]"}, "launches": [ADD],
        "print": ["z"]}


def run(script, source=VECTOR_ADD):
    path = FOLDER / "launches.json"
    path.write_text(script if isinstance(script, str) else json.dumps(script), encoding="utf-8")
    return simple("run", source, "--script", path)


class Script(unittest.TestCase):
    def expect(self, result, out):
        self.assertEqual((result.status, result.out, result.err), (0, out, ""), result)

    def expect_refused(self, script, text, status=2):
        result = run(script)
        self.assertEqual((result.status, result.out), (status, ""), result)
        self.assertIn(text, result.err)

    def test_launches_share_buffers(self):
        back = {**ADD, "args": {"a": "z", "b": "y", "out": "x"}, "local": [2], "shared": 0}
        self.expect(run({**GOOD, "launches": [ADD, back], "print": ["z", "x"]}),
                    "z = [10, 11, 12, 13]\nx = [20, 21, 22, 23]\n")

    def test_results_need_buffers(self):
        alone = {"launches": [{**ADD, "args": {"a": "f32[4]", "b": "f32[4]", "out": "f32[4]"}}]}
        for results, name in [({"print": ["out"]}, "out"), ({"save": {"z": "z.npy"}}, "z")]:
            self.expect_refused({**alone, **results},
                                "the file has no 'buffers', and only buffers are printed and saved; declare "
                                f"'{name}' in 'buffers', and name it in 'args'")
        self.expect(run(alone), "")

    def test_results_that_are_no_names(self):
        for results, text in [({"print": [3]}, "the file prints 3; 'print' lists names of buffers"),
                              ({"print": [""]}, "the file prints \"\"; 'print' lists names of buffers"),
                              ({"save": {"z": ""}}, "the file saves 'z' to \"\"; 'save' has the names of buffers"),
                              ({"save": {"z": 3}}, "the file saves 'z' to 3; 'save' has the names of buffers"),
                              ({"save": {"": "z.npy"}}, "the file saves '' to \"z.npy\"; 'save' has the names")]:
            self.expect_refused({**GOOD, **results}, text)

    def test_values_in_place_of_buffers(self):
        self.expect(run({**GOOD, "launches": [{**ADD, "args": {"a": "1,2,3,4", "b": "f32[4]=0.5",
                                                              "out": "z"}}]}),
                    "z = [1.5, 2.5, 3.5, 4.5]\n")

    def test_a_number_may_be_meant_as_a_length(self):
        result = run({**GOOD, "buffers": {**GOOD["buffers"], "z": "4"}, "launches": [{**ADD, "global": [1]}]})
        self.assertEqual((result.status, result.out), (0, "z = [10]\n"), result)
        self.assertEqual(result.err, "simple: warning: buffer 'z': '4' is an array of one element; write 'f32[4]' "
                                     "for the length 4, or 'f32[1]=4' for one element\n")

    def test_the_only_kernel_needs_no_name(self):
        self.expect(run({**GOOD, "launches": [{"global": [4], "args": ADD["args"]}]}),
                    "z = [10, 11, 12, 13]\n")

    def test_files_in_and_out(self):
        (FOLDER / "x.npy").write_bytes(npy("<f4", (4,), struct.pack("<4f", 1, 2, 3, 4)))
        self.expect(run({**GOOD, "buffers": {**GOOD["buffers"], "x": f"@{FOLDER / 'x.npy'}"},
                         "print": [], "save": {"z": str(FOLDER / "z.npy"),
                                               "x": str(FOLDER / "x.npy")}}), "")
        self.assertEqual(read_npy(FOLDER / "z.npy")[2], struct.pack("<4f", 11, 12, 13, 14))

    def test_scalars_keep_all_their_digits(self):
        scalars = {"flag": True, "a": -128, "b": 1, "c": 2, "d": 9007199254740993, "e": 255, "f": 3,
                   "g": "0xffffffff", "h": "18446744073709551615", "x": 0.1, "y": 0.1, "out": "z"}
        result = run({"buffers": {"z": "f64[12]"}, "print": ["z"],
                      "launches": [{"kernel": "scalars", "global": [1], "args": scalars}]}, KERNELS)
        self.expect(result, "z = [1, -128, 1, 2, 9007199254740992, 255, 3, 4294967295, 4294967295, "
                            "4294967295, 0.10000000149011612, 0.1]\n")

    def test_what_is_wrong_is_named(self):
        self.expect_refused("", "launches.json")
        self.expect_refused("{", "launches.json")
        self.expect_refused("[]", "is not a JSON object")
        self.expect_refused({}, "needs 'launches'")
        self.expect_refused({**GOOD, "lunches": []}, "has no 'lunches'; it has: buffers, launches")
        self.expect_refused({**GOOD, "launches": [7]}, "launch 1 is not an object")
        self.expect_refused({**GOOD, "launches": [ADD, {**ADD, "globl": 4}]},
                            "launch 2 has no 'globl'")
        for bad in ([], [1, 2, 3, 4], ["4"], 4, [1.5]):
            self.expect_refused({**GOOD, "launches": [{**ADD, "global": bad}]}, "'global'")
        self.expect_refused({**GOOD, "launches": [{"args": ADD["args"]}]}, "needs 'global'")
        self.expect_refused({**GOOD, "launches": [{**ADD, "args": {**ADD["args"], "c": 1}}]},
                            "'c', which is no parameter")
        self.expect_refused({**GOOD, "launches": [{**ADD, "args": {"a": "x", "b": "y"}}]}, "'out'")
        self.expect_refused({**GOOD, "launches": [{**ADD, "args": {**ADD["args"], "a": 5}}]},
                            "'a' is a slice")
        self.expect_refused({**GOOD, "launches": [{**ADD, "args": {**ADD["args"], "a": "nope"}}]},
                            "nope")
        self.expect_refused({**GOOD, "buffers": {"first": "f32[4]", "second": "f32[4]"}, "print": [],
                             "launches": [{**ADD, "args": {"a": "first", "b": "secnd"}}]},
                            "launches.json': launch 1 gives 'b' the buffer 'secnd', which does not "
                            "exist; there are: first, second; did you mean 'second'?")
        self.expect_refused({**GOOD, "print": ["zz"]}, "there is no array 'zz'; there are: x, y, z")
        self.expect_refused({**GOOD, "buffers": {"x": 5}}, "buffer 'x' must be a string, such as")
        self.expect_refused({**GOOD, "launches": [{**ADD, "kernel": "k"}]}, "'k'")
        self.expect_refused({**GOOD, "print": ["w"]}, "'w'")
        self.expect_refused({**GOOD, "buffers": [1]}, "has 'buffers', which must be an object")
        self.expect_refused({**GOOD, "launches": [{**ADD, "args": {**ADD["args"], "oit": 1}}]},
                            "did you mean 'out'?")
        self.expect_refused({**GOOD, "save": ["z"]}, "has 'save', which must be an object")
        self.expect_refused({**GOOD, "print": "z"}, "has 'print', which must be a list")
        self.expect_refused({**GOOD, "launches": {}}, "has 'launches', which must be a list")
        self.expect_refused({**GOOD, "launches": [{**ADD, "shared": "x"}]},
                            "has 'shared', which must be a whole number")
        self.expect_refused({**GOOD, "launches": [{**ADD, "kernel": 1}]},
                            "has 'kernel', which must be a string")

    def test_doubled_keys_are_refused_with_their_line(self):
        good = json.dumps(GOOD, indent=1)
        line = good.split("\n").index(' "launches": [') + 1
        self.expect(run(good), "z = [10, 11, 12, 13]\n")
        self.expect_refused(good.replace(' "launches"', ' "buffers": {},\n "launches"'),
                            f"launches.json:{line}:2: the key 'buffers' is given twice")
        # A duplicate name is rejected in any spelling and place. A value or another object may
        # repeat it.
        self.expect_refused(good.replace('"a": "x"', '"a": "x", "\\u0061": "y"'),
                            "the key 'a' is given twice")
        self.expect(run({**GOOD, "launches": [{**ADD, "args": {**ADD["args"]}}, ADD]}),
                    "z = [10, 11, 12, 13]\n")

    def test_a_value_that_is_wrong_names_its_launch_and_argument(self):
        self.expect_refused({**GOOD, "launches": [ADD, {**ADD, "args": {**ADD["args"], "b": "1,x"}}]},
                            "launches.json': launch 2: argument 2 (b: &[f32]): 'x' is not a value")

    def test_a_buffer_may_be_a_list(self):
        self.expect(run({**GOOD, "buffers": {**GOOD["buffers"], "x": "1,2, 3,4", "y": "9,8,7,6"}}),
                    "z = [10, 10, 10, 10]\n")
        self.expect_refused({**GOOD, "buffers": {**GOOD["buffers"], "x": "1,x"}},
                            "buffer 'x': 'x' is not a value of f32")
        self.expect_refused({**GOOD, "buffers": {**GOOD["buffers"], "spare": "1,2"}},
                            "buffer 'spare': '1,2' is neither a file (@x.npy) nor a shape with a "
                            "fill (f32[1024]=1.5); a list needs its type, as no launch uses the buffer")

    def test_every_error_names_its_launch_or_buffer(self):
        def second(**changes):
            return {**GOOD, "launches": [ADD, {**ADD, **changes}]}

        whole = "launches.json': launch 2 (vector_add): "
        for changes, texts in [
                ({"global": [-4]}, [whole]),
                ({"local": [4096]}, [whole]),
                ({"args": {**ADD["args"], "out": "x"}}, [whole, "overlap"]),
                ({"args": {"a": "x", "b": "y"}}, [whole, "'out'"]),
                ({"args": {**ADD["args"], "b": "bytes"}}, [whole, "u8"]),
                ({"kernel": "vector_ad"}, ["launches.json': launch 2: ", "vector_add"])]:
            script = second(**changes)
            script["buffers"] = {**GOOD["buffers"], "bytes": "u8[4]"}
            result = run(script)
            self.assertNotEqual(result.status, 0, result)
            for text in texts:
                self.assertIn(text, result.err)
        for value, text in [("f32[4]=foo", "'foo' is not a fill"), ("f32[x]", "'x' is not a length"),
                            ("@none.npy", "cannot read 'none.npy'"), ("foo", "neither a file")]:
            result = run({**GOOD, "buffers": {**GOOD["buffers"], "x": value}})
            self.assertIn("launches.json': buffer 'x': ", result.err)
            self.assertIn(text, result.err)

    def test_all_missing_arguments_are_in_one_error(self):
        self.expect_refused({**GOOD, "launches": [{**ADD, "args": {"a": "x"}}]},
                            "launch 1 (vector_add): parameters 'b' (&[f32]), 'out' (&mut [f32]) "
                            "of vector_add are not given")

    def test_a_fault_names_its_launch(self):
        source = FOLDER / "fault.spl"
        source.write_text("#[gpu]\nfn k(out: &mut [i32], n: i32):\n    out[n] = 1\n")
        script = {"buffers": {"z": "i32[4]"}, "launches": [
            {"global": [1], "local": [1], "args": {"out": "z", "n": n}} for n in (3, 4)]}
        result = run(script, source)
        self.assertEqual((result.status, result.out), (1, ""), result)
        self.assertIn("[index-out-of-bounds]\n", result.err)
        self.assertIn("fault.spl:3:5: note: in launch 2 (k)\n", result.err)
        path = FOLDER / "launches.json"
        result = simple("run", source, "--script", path, "--diagnostics=json")
        self.assertEqual(json.loads(result.err)["launch"], "launch 2 (k)")
        result = simple("run", source, "--script", path, SPL_CHECK="1")
        self.assertIn("fault.spl:3:5: note: in launch 2 (k)\n", result.err)

    def test_a_script_without_launches(self):
        self.expect_refused({**GOOD, "launches": []}, "has an empty list of 'launches'")

    def test_deep_nesting_is_refused(self):
        for deep in ("[" * 200000, '{"a":' * 200000, "[" * 65 + "]" * 65):
            self.expect_refused(deep, "nests more than 64 brackets in one another")
        self.expect_refused("[" * 64 + "]" * 64, "is not a JSON object")
        # Brackets in a string, or one after the other, are not nested.
        name = "\\\"" + "[{" * 200
        self.expect_refused({**GOOD, "print": [name]}, "there is no array")
        self.expect(run({**GOOD, "launches": [ADD] * 70}), "z = [10, 11, 12, 13]\n")

    def test_numbers_that_no_f64_holds(self):
        for number in ("1e400", "-1e400", "1" + "0" * 400):
            script = json.dumps({"buffers": {"z": "f64[12]"}, "print": ["z"], "launches": [
                {"kernel": "scalars", "global": [1], "args": {"y": 12321, "out": "z"}}]})
            result = run(script.replace("12321", number), KERNELS)
            self.assertEqual((result.status, result.out), (2, ""), result)
            self.assertIn("launch 1 gives 'y' a number that is too large for f64", result.err)

    def test_options_that_a_script_replaces(self):
        path = FOLDER / "good.json"
        path.write_text(json.dumps(GOOD), encoding="utf-8")
        for option, value in [("--global", "4"), ("--local", "4"), ("--shared", "0"),
                              ("--kernel", "vector_add"), ("--arg", "a=1")]:
            result = simple("run", VECTOR_ADD, "--script", path, option, value)
            self.assertEqual((result.status, result.out), (2, ""), result)
            self.assertIn(f"{option} cannot be given together with --script", result.err)

    def test_a_script_that_is_not_there(self):
        result = simple("run", VECTOR_ADD, "--script", FOLDER / "none.json")
        self.assertEqual(result.status, 1, result)
        self.assertIn("none.json': No such file", result.err)
        result = simple("run", VECTOR_ADD, "--script", FOLDER)
        self.assertEqual(result.status, 1, result)
        self.assertIn("it is a folder", result.err)

    def test_a_script_without_end(self):
        result = simple("run", VECTOR_ADD, "--script", "/dev/zero")
        self.assertEqual(result.status, 1, result)
        self.assertIn("cannot read '/dev/zero': the file is larger than 2 GiB", result.err)


unittest.main()
