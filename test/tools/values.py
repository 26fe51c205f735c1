# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every form of a VALUE of `simple run --arg` (docs/cli.md), valid and invalid."""
import pathlib
import unittest

from simple_tool import simple

KERNELS = pathlib.Path(__file__).parent / "Inputs/many-types.spl"
SCALARS = {"flag": "true", "a": "-128", "b": "0x7fff", "c": "-2147483648",
           "d": "9223372036854775807", "e": "0b11111111", "f": "65535", "g": "0xffffffff",
           "h": "18446744073709551615", "x": "2.5", "y": "1e300"}


def scalars(**changes):
    arguments = [f"--arg={name}={value}" for name, value in {**SCALARS, **changes}.items()]
    return simple("run", KERNELS, "--kernel", "scalars", "--global", 1, *arguments, "--arg",
                  "out=f64[12]", "--print", "out")


def copied(kernel, value, target, *more, count=8):
    return simple("run", KERNELS, "--kernel", kernel, "--global", count, "--arg",
                  f"source={value}", "--arg", f"target={target}", "--print", "target", *more)


class Values(unittest.TestCase):
    def expect(self, result, out):
        self.assertEqual((result.status, result.out, result.err), (0, out, ""), result)

    def expect_refused(self, result, text, status=2):
        self.assertEqual((result.status, result.out), (status, ""), result)
        self.assertIn("simple: error: ", result.err)
        self.assertIn(text, result.err)
        self.assertEqual(result.err.count("\n"), 1, result)

    def test_scalars_of_every_type(self):
        self.expect(scalars(), "out = [1, -128, 32767, -2147483648, 9223372036854775808, 255, "
                               "65535, 4294967295, 4294967295, 4294967295, 2.5, 1e+300]\n")
        self.expect(scalars(flag="0", a="+5", b="-0x10", c="0", d="-1", e="0", f="1", g="2", h="3",
                            x="-inf", y="nan"),
                    "out = [0, 5, -16, 0, -1, 0, 1, 2, 0, 3, -inf, nan]\n")
        self.expect(scalars(x="inf", y="-0.0", h="0xffffffff00000001"),
                    "out = [1, -128, 32767, -2147483648, 9223372036854775808, 255, 65535, "
                    "4294967295, 4294967295, 1, inf, -0]\n")

    def test_prefixes_of_either_case(self):
        self.expect(scalars(flag="0", a="0X10", b="-0B11", c="0", d="0", e="0", f="0", g="0", h="0",
                            x="0X10", y="-0B11"),
                    "out = [0, 16, -3, 0, 0, 0, 0, 0, 0, 0, 16, -3]\n")

    def test_nan_has_no_sign(self):
        self.expect(copied("copy_doubles", "nan,-nan,+nan", "f64[3]"), "target = [nan, nan, nan]\n")

    def test_scalars_too_large(self):
        for name, value in [("a", "128"), ("a", "-129"), ("b", "32768"), ("c", "2147483648"),
                            ("d", "9223372036854775808"), ("e", "256"), ("e", "-1"),
                            ("f", "65536"), ("g", "4294967296"), ("h", "18446744073709551616"),
                            ("h", "-1"), ("x", "1e39"), ("y", "1e309")]:
            self.expect_refused(scalars(**{name: value}), f"'{value}' is out of range for ")

    def test_scalars_that_are_none(self):
        for name, value in [("flag", "yes"), ("flag", "2"), ("a", ""), ("a", "x"), ("a", "1.5"),
                            ("c", "1 2"), ("c", "0x"), ("d", "--1"), ("x", "1,2"), ("x", "abc"),
                            ("y", "1e"), ("x", "+-1"), ("y", "-+1"), ("y", "--0x1"),
                            ("g", "true"), ("e", "3u8")]:
            self.expect_refused(scalars(**{name: value}), f"'{value}' is not a value of ")

    def test_lists(self):
        self.expect(copied("copy_longs", "1,-2,3", "i64[3]"), "target = [1, -2, 3]\n")
        self.expect(copied("copy_longs", "1", "i64[1]"), "target = [1]\n")
        self.expect(copied("copy_longs", " 1 , 2", "i64[2]"), "target = [1, 2]\n")
        self.expect(copied("copy_bools", "true,false,1,0", "bool[4]"),
                    "target = [true, false, true, false]\n")
        self.expect(copied("copy_doubles", "1.5,inf,nan,0.1", "f64[4]"),
                    "target = [1.5, inf, nan, 0.1]\n")
        self.expect_refused(copied("copy_longs", "1,,2", "i64[3]"), "'' is not a value of i64")
        self.expect_refused(copied("copy_longs", "", "i64[3]"), "the value is empty")
        self.expect_refused(copied("copy_bytes", "1,256", "u8[3]"), "'256' is out of range for u8")

    def test_a_list_of_one_number_may_be_meant_as_a_length(self):
        result = copied("copy_longs", " 7", "i64[1]")
        self.assertEqual((result.status, result.out), (0, "target = [7]\n"), result)
        self.assertEqual(result.err, "simple: warning: argument 1 (source: &[i64]): '7' is an array of one element; "
                                     "write 'i64[7]' for the length 7, or 'i64[1]=7' for one element\n")
        for value in "0", "1", "-7", "0x7", "i64[1]=7":
            self.expect(copied("copy_longs", value, "i64[1]"), f"target = [{int(value.split('=')[-1], 0)}]\n")
        self.expect(copied("copy_doubles", "2.5", "f64[1]"), "target = [2.5]\n")
        self.expect_refused(copied("copy_bytes", "1000", "u8[3]"), "argument 1 (source: &[u8]): '1000' is out of range "
                            "for u8; write 'u8[1000]' for the length 1000\n")

    def test_the_name_of_another_array_needs_an_equals_sign(self):
        self.expect_refused(copied("copy_longs", "i64[3]", "source"),
                            "argument 2 (target: &mut [i64]): 'source' is not a value of i64; "
                            "write '--arg target==source' for the buffer of 'source'\n")
        for name in "other", "target": # no array, and the argument itself
            self.expect_refused(copied("copy_longs", "i64[3]", name), f"'{name}' is not a value of i64\n")
        self.expect_refused(scalars(x="a"), "'a' is not a value of f32\n")

    def test_shapes_with_a_fill(self):
        self.expect(copied("copy_longs", "i64[3]", "i64[3]=5"), "target = [0, 0, 0]\n")
        self.expect(copied("copy_longs", "i64[3]=iota", "i64[4]=-5"), "target = [0, 1, 2, -5]\n")
        self.expect(copied("copy_bools", "bool[2]=true", "bool[2]"), "target = [true, true]\n")
        self.expect(copied("copy_longs", "i64[0]", "i64[0]"), "target = []\n")
        self.expect(copied("copy_bytes", "u8[3]=0xff", "u8[3]"), "target = [255, 255, 255]\n")

    def test_random_numbers_are_seeded_and_uniform(self):
        first = copied("copy_doubles", "f64[1000]=random:7", "f64[1000]", "--full", count=1000)
        again = copied("copy_doubles", "f64[1000]=random:7", "f64[1000]", "--full", count=1000)
        other = copied("copy_doubles", "f64[1000]=random:8", "f64[1000]", "--full", count=1000)
        self.assertEqual((first.status, first.out), (0, again.out), first)
        self.assertNotEqual(first.out, other.out)
        values = [float(text) for text in first.out.split("[")[1].rstrip("]\n").split(",")]
        self.assertTrue(all(0 <= value < 1 for value in values))
        self.assertEqual(len(set(values)), 1000)
        self.assertAlmostEqual(sum(values) / 1000, 0.5, delta=0.05)

    def test_random_integers_have_a_range(self):
        made = copied("copy_longs", "i64[1000]=random:7:-2..3", "i64[1000]", "--full", count=1000)
        again = copied("copy_longs", "i64[1000]=random:7:-2..3", "i64[1000]", "--full", count=1000)
        self.assertEqual((made.status, made.out), (0, again.out), made)
        values = [int(text) for text in made.out.split("[")[1].rstrip("]\n").split(",")]
        self.assertEqual(set(values), {-2, -1, 0, 1, 2})

    def test_random_integers_up_to_the_limit_of_their_type(self):
        for kernel, value, among in [
                ("copy_bytes", "u8[1000]=random:7:253..=255", {253, 254, 255}),
                ("copy_bytes", "u8[1000]=random:7:255..=255", {255}),
                ("copy_bytes", "u8[9000]=random:7:0..=255", set(range(256))),
                ("copy_longs", "i64[1000]=random:7:9223372036854775806..=9223372036854775807",
                 {2**63 - 2, 2**63 - 1})]:
            self.assertEqual(set(self.numbers(kernel, value)), among)
        whole = "i64[1000]=random:7:-9223372036854775808..=9223372036854775807"
        self.assertEqual(len(set(self.numbers("copy_longs", whole))), 1000)

    def test_random_integers_of_large_ranges_are_uniform(self):
        made = self.numbers("copy_longs", "i64[3000]=random:7:-4611686018427387904..9223372036854775807")
        self.assertAlmostEqual(sum(number < 0 for number in made) / 3000, 1 / 3, delta=0.05)

    def numbers(self, kernel, value):
        count = value[value.index("[") + 1:value.index("]")]
        made = copied(kernel, value, value.split("=")[0], "--full", count=count)
        self.assertEqual((made.status, made.err), (0, ""), made)
        return [int(text) for text in made.out.split("[")[1].rstrip("]\n").split(",")]

    def test_ranges_that_are_wrong(self):
        kernels = {"i64": "copy_longs", "f64": "copy_doubles", "u8": "copy_bytes", "bool": "copy_bools"}
        for kind, value, text in [
                ("i64", "7:5", "'5' is not a range; a range is LOW..HIGH"),
                ("i64", "7:..5", "'..5' lacks LOW; a range is LOW..HIGH"),
                ("i64", "7:5..", "'5..' lacks HIGH; a range is LOW..HIGH"),
                ("i64", "7:5..=", "'5..=' lacks HIGH; a range is LOW..HIGH"),
                ("i64", "7:..", "'..' lacks LOW; a range is LOW..HIGH"),
                ("i64", "7:5..5", "'5..5' is an empty range; LOW must be below HIGH"),
                ("i64", "7:5..=4", "'5..=4' is an empty range; LOW must not be above HIGH"),
                ("i64", "7:1.5..4", "'1.5' is not a value of i64"),
                ("u8", "7:0..256", "'256' is out of range for u8; LOW..=HIGH includes HIGH"),
                ("u8", "7:0..=256", "'256' is out of range for u8\n"),
                ("u8", "7:-1..5", "'-1' is out of range for u8\n"),
                ("f64", "7:0..=1", "'0..=1' includes HIGH, which only a range of integers does; write LOW..HIGH"),
                ("f64", "7:nan..1", "'nan..1' is not a range; LOW and HIGH must be finite"),
                ("f64", "7:0..nan", "'0..nan' is not a range; LOW and HIGH must be finite"),
                ("f64", "7:-inf..1", "'-inf..1' is not a range; LOW and HIGH must be finite"),
                ("f64", "7:-1e308..1e308", "'-1e308..1e308' is too large for a range"),
                ("bool", "7:0..1", "'0..1' is a range of numbers, which bool does not have; "
                                   "'random:SEED' alone makes any of its values"),
                ("i64", "", "'random:' lacks its seed; write 'random:7', for example"),
                ("i64", ":0..5", "'random::0..5' lacks its seed"),
                ("i64", "-1", "'-1' is not a seed, which is a whole number from 0"),
                ("i64", "7:", "'random:7:' ends in ':'; a range is LOW..HIGH")]:
            self.expect_refused(copied(kernels[kind], f"{kind}[3]=random:{value}", f"{kind}[3]"), text)

    def test_spaces_around_a_fill(self):
        same = copied("copy_longs", "i64[9]=random:7:-5..50", "i64[9]")
        for value in ("i64[9] = random: 7 : -5 .. 50 ", "i64[9]= random:7:-5.. 50"):
            self.expect(copied("copy_longs", value, "i64[9]"), same.out)
        self.expect(copied("copy_longs", "i64[2] = 5", "i64[2]"), "target = [5, 5]\n")

    def test_brackets_around_numbers(self):
        for value, text in [("[1,2,3]", "'[1,2,3]' begins with '['; a list is '1,2,3', zeros are 'i64[3]'"),
                            ('{"a": 1}', "'{\"a\": 1}' has a '{'; write the numbers alone, as in '1,2,3'"),
                            ("(1,2)", "'(1,2)' has a '('; write the numbers alone"),
                            ("i64[2]=[1,2]", "'[1,2]' has a '['; write the numbers alone")]:
            self.expect_refused(copied("copy_longs", value, "i64[3]"), text)
        for value in ("[1,2,3,4]", "f32x4(1,2,3,4)", "(1, 2, 3, 4)"):
            self.expect_refused(simple("run", KERNELS, "--kernel", "vector", "--global", 1, "--arg", f"v={value}",
                                       "--arg", "out=f32[4]"),
                                f"argument 1 (v: f32x4): '{value}' has a ")

    def test_values_that_lack_their_end(self):
        for value, text in [("", "the value is empty; a slice without elements is 'i64[0]'"),
                            ("=", "'=' lacks the name of the argument whose buffer is meant"),
                            ("@", "'@' lacks the name of a file; write '@file.npy'")]:
            self.expect_refused(copied("copy_longs", value, "i64[3]"), f"argument 1 (source: &[i64]): {text}")

    def test_shapes_that_are_wrong(self):
        for value, text in [("i64[", "lacks a closing ']'"), ("i64[x]", "'x' is not a length"),
                            ("i64[-1]", "'-1' is not a length"),
                            ("i64[4x8]", "'4x8' is not a length; commas separate the lengths of axes: 'i64[4,8]'"),
                            ("q9[3]", "'q9' is not an element"),
                            ("i64[3]5", "expected '=' and a fill after ']'"), ("i64[3]=", "'' is not a value"),
                            ("i64[3]=random:7:5..5", "is an empty range"),
                            ("i64[9999999999999999]", "larger than any memory"),
                            ("i64[99999999999999999999]", "is not a length")]:
            self.expect_refused(copied("copy_longs", value, "i64[3]"), text)
        self.expect_refused(copied("copy_doubles", "f64[3]=random:x", "f64[3]"),
                            "'x' is not a seed")

    def test_a_refusal_names_the_argument(self):
        for name, value, text in [
                ("a", "128", "argument 2 (a: i8): '128' is out of range for i8"),
                ("h", "x", "argument 9 (h: u64): 'x' is not a value of u64")]:
            self.expect_refused(scalars(**{name: value}), f"simple: error: {text}")
        self.expect_refused(copied("copy_longs", "1", "i64[x]"),
                            "error: argument 2 (target: &mut [i64]): 'x' is not a length")

    def test_what_is_no_fill_is_answered_with_what_is(self):
        for value, text in [("iota", "'iota' fills a shape, as in 'i64[8]=iota'"),
                            ("random:7", "'random:7' fills a shape, as in 'i64[8]=random:7'"),
                            ("i64[3]=ones", "'ones' is not a fill; a fill is a value, iota or "
                                            "random:SEED"),
                            ("i64[3]=random", "'random' is not a fill"),
                            ("i64[3]=INF", "'INF' is not a value of i64")]:
            self.expect_refused(copied("copy_longs", value, "i64[3]"), text)

    def test_type_and_rank_must_fit(self):
        self.expect_refused(copied("copy_longs", "i32[3]", "i64[3]"),
                            "argument 1 (source: &[i64]): 'i32[3]' holds i32 of rank 1; "
                            "expected i64 of rank 1, as in 'i64[3]'")
        self.expect_refused(copied("copy_longs", "i64[3,4]", "i64[3]"),
                            "argument 1 (source: &[i64]): 'i64[3,4]' holds i64 of rank 2")

    def test_another_arguments_buffer(self):
        self.expect(copied("copy_longs", "1,2", "i64[2]"), "target = [1, 2]\n")
        same = copied("copy_longs", "=target", "1,2")
        self.expect_refused(same, "parameters 'source' and 'target' of copy_longs share memory",
                            status=1)
        self.assertIn("[overlapping-arguments]", same.err)
        self.expect_refused(copied("copy_longs", "=nothing", "1,2"), "'nothing'")
        self.expect_refused(copied("copy_longs", "=source", "1,2"),
                            "'source' cannot be its own buffer")
        # Empty slices do not overlap anything.
        self.expect(copied("copy_longs", "=target", "i64[0]"), "target = []\n")


unittest.main()
