// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the text of dl.config.sdn: which settings are read, and which cause warnings or errors.
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

using namespace spl;
using spl::test::thrownBy;

namespace {

Config parse(std::string_view text) { return Config::parse(text, "c.sdn"); }

/// The error for \p text.
std::string refusal(std::string_view text) {
  Error error = thrownBy([&] { parse(text); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument) << text;
  EXPECT_STREQ(error.what(), error.message().c_str());
  return error.message();
}

using Warnings = std::vector<std::string>;

/// Checks that \p config has all settings of the example in docs/runtime.md, with `device` on \p
/// line.
void expectExample(const Config &config, int line) {
  EXPECT_EQ(config.file(), "c.sdn");
  EXPECT_EQ(config.backend(), Backend::Cuda);
  EXPECT_EQ(config.device(), 1);
  EXPECT_EQ(config.useGpu(), true);
  EXPECT_EQ(config.dtype(), ScalarType::F16);
  EXPECT_EQ(config.place(), "c.sdn:" + std::to_string(line));
  EXPECT_EQ(config.warnings(), Warnings());
}

/// Expects that \p text sets nothing.
void expectNothing(std::string_view text) {
  Config config = parse(text);
  EXPECT_EQ(config.backend(), std::nullopt) << text;
  EXPECT_EQ(config.device(), 0) << text;
  EXPECT_EQ(config.useGpu(), std::nullopt) << text;
  EXPECT_EQ(config.dtype(), std::nullopt) << text;
  EXPECT_EQ(config.place(), "") << text;
  EXPECT_EQ(config.warnings(), Warnings()) << text;
}

} // namespace

TEST(Config, IsReadFromABlock) {
  expectExample(parse("dl:\n"
                      "    device: \"cuda:1\"        # the second GPU\n"
                      "    use_gpu: true\n"
                      "    dtype: \"f16\"\n"
                      "    backend: \"auto\"\n"),
                2);
}

TEST(Config, IsReadFlat) {
  expectExample(parse("dtype: f16\nuse_gpu: true\nbackend: cuda\ndevice: cuda:1\n"), 4);
}

TEST(Config, IsReadFlatAndFromABlockAtOnce) {
  expectExample(parse("dtype: f16\n\ndl:\n  device: cuda:1\n  use_gpu: true\nbackend: cuda\n"), 4);
}

TEST(Config, ReadsQuotesBlanksAndComments) {
  expectExample(parse("# first\n"
                      "  # indented as nothing else\n"
                      "\t# with a tab\n"
                      " \t \n"
                      "dl :# of the block\n"
                      " device:'cuda:1'# after a quote\n"
                      "# less\n"
                      "      # more\n"
                      " use_gpu \t: \t\"true\" \t \n"
                      " dtype: f16\t# after a tab\n"),
                6);
}

TEST(Config, ReadsTheLineEndsOfAllEditors) {
  expectExample(parse("dl:\r\n  device: cuda:1\r\n\r\n  use_gpu: true\r\n  dtype: f16\r\n"), 2);
  expectExample(parse("\xEF\xBB\xBF"
                      "device: cuda:1\nuse_gpu: true\ndtype: f16"),
                1);
  EXPECT_EQ(parse("device: \"cuda:3\"\r").device(), 3);
}

TEST(Config, MayBeEmpty) {
  for (const char *text :
       {"", "\n", "\r\n\r\n", "\xEF\xBB\xBF", "# nothing", "dl:", "dl:\n  # no\n", "  \n\t\n"})
    expectNothing(text);
}

TEST(Config, AutoLeavesTheChoiceToTheRuntime) {
  expectNothing("device: auto\nbackend: \"auto\"\n");
  Config config = parse("device: auto\nbackend: cpu");
  EXPECT_EQ(config.backend(), Backend::Cpu);
  EXPECT_EQ(config.place(), "c.sdn:2");
}

TEST(Config, ReadsEveryDevice) {
  struct {
    const char *value;
    Backend backend;
    int index;
  } devices[] = {{"cuda", Backend::Cuda, 0},     {"cuda:0", Backend::Cuda, 0},
                 {"cuda:17", Backend::Cuda, 17}, {"cpu", Backend::Cpu, 0},
                 {"cpu:0", Backend::Cpu, 0},     {"cuda:2147483647", Backend::Cuda, 2147483647}};
  for (const auto &device : devices) {
    Config config = parse("\ndevice: " + std::string(device.value));
    EXPECT_EQ(config.backend(), device.backend) << device.value;
    EXPECT_EQ(config.device(), device.index) << device.value;
    EXPECT_EQ(config.place(), "c.sdn:2") << device.value;
  }
}

TEST(Config, RefusesOtherDevices) {
  for (const char *value : {"gpu", "CUDA", "cuda:", "cuda:-1", "cuda:x", "cuda:1x", "cuda: 1",
                            "cuda:2147483648", "cuda:1:2", ":1", "auto:1", "1", "cuda#1", " cuda"})
    EXPECT_EQ(refusal("dl:\n  device: '" + std::string(value) + "'"),
              "c.sdn:2: device is '" + std::string(value) +
                  "'; it must be auto, cuda or cpu, with an index if it is not 0, as in "
                  "cuda:1");
  EXPECT_EQ(refusal("device: cuda#1").find("c.sdn:1: device is 'cuda#1'; it must be"), 0u);
  EXPECT_EQ(refusal("device: ''").find("c.sdn:1: device is ''; it must be"), 0u);
}

TEST(Config, ReadsEveryBackend) {
  EXPECT_EQ(parse("backend: cuda").backend(), Backend::Cuda);
  EXPECT_EQ(parse("backend: cpu").backend(), Backend::Cpu);
  for (const char *value : {"cuda:1", "Auto", "nvidia", "vulkan"})
    EXPECT_EQ(refusal("\n\nbackend: " + std::string(value)),
              "c.sdn:3: backend is '" + std::string(value) + "'; it must be auto, cuda or cpu");
}

TEST(Config, ReadsUseGpu) {
  EXPECT_EQ(parse("use_gpu: true").useGpu(), true);
  Config config = parse("\nuse_gpu: \"false\"");
  EXPECT_EQ(config.useGpu(), false);
  EXPECT_EQ(config.backend(), std::nullopt);
  EXPECT_EQ(config.place(), "c.sdn:2");
  for (const char *value : {"True", "yes", "1", "auto"})
    EXPECT_EQ(refusal("use_gpu: " + std::string(value)),
              "c.sdn:1: use_gpu is '" + std::string(value) + "'; it must be true or false");
}

TEST(Config, ReadsEveryScalarType) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...)                                                     \
  EXPECT_EQ(parse("dtype: " TEXT).dtype(), ScalarType::NAME);
#include "spl/ScalarTypes.def"
  EXPECT_EQ(parse("dtype: bf16").place(), "") << "dtype has no say in the device";
  EXPECT_EQ(refusal("dtype: float32"),
            "c.sdn:1: dtype is 'float32'; it must be bool, i8, i16, i32, i64, u8, u16, u32, u64, "
            "f16, bf16, f32 or f64");
}

TEST(Config, WarnsOfUnknownKeys) {
  Config config = parse("devices: cuda\n"
                        "dl:\n"
                        "  use-gpu: true\n"
                        "  dl: 1\n"
                        "  learning_rate: [0.1\n"
                        "  backend: cpu\n"
                        "ld:\n");
  EXPECT_EQ(config.backend(), Backend::Cpu);
  EXPECT_EQ(config.useGpu(), std::nullopt);
  EXPECT_EQ(
      config.warnings(),
      (Warnings{
          "c.sdn:1: unknown key 'devices'; did you mean 'device'?",
          "c.sdn:3: unknown key 'use-gpu'; did you mean 'use_gpu'?",
          "c.sdn:4: unknown key 'dl'; the keys are device, use_gpu, dtype, backend and cpu_threads",
          "c.sdn:5: unknown key 'learning_rate'; the keys are device, use_gpu, dtype, "
          "backend and cpu_threads",
          "c.sdn:7: unknown key 'ld'; did you mean 'dl'?"}));
}

TEST(Config, PassesOverWhatIsBelowAnUnknownKey) {
  Config config = parse("train:\n"
                        "    device: cuda\n"
                        "        no key at all\n"
                        "  \"\n"
                        "dl:\n"
                        "  optimizer: {\n"
                        "      backend: cuda\n"
                        "\n"
                        "   device: 7\n"
                        "  device: cpu\n");
  EXPECT_EQ(config.backend(), Backend::Cpu);
  EXPECT_EQ(config.place(), "c.sdn:10");
  ASSERT_EQ(config.warnings().size(), 2u);
  EXPECT_EQ(config.warnings()[0].find("c.sdn:1: unknown key 'train'"), 0u);
  EXPECT_EQ(config.warnings()[1].find("c.sdn:6: unknown key 'optimizer'"), 0u);
}

TEST(Config, RefusesADuplicateKey) {
  EXPECT_EQ(refusal("dtype: f32\n\ndtype: f32"), "c.sdn:3: 'dtype' is on line 1 already");
  EXPECT_EQ(refusal("device: cpu\ndl:\n device: auto"), "c.sdn:3: 'device' is on line 1 already");
  EXPECT_EQ(refusal("dl:\n backend: cpu\ndl:\n"), "c.sdn:3: 'dl' is on line 1 already");
}

TEST(Config, RefusesContradictions) {
  EXPECT_EQ(refusal("dl:\n device: 'cuda:1'\n\n backend: cpu"),
            "c.sdn:4: backend 'cpu' contradicts device 'cuda:1' on line 2");
  EXPECT_EQ(refusal("backend: cpu\ndevice: cuda"),
            "c.sdn:2: device 'cuda' contradicts backend 'cpu' on line 1");
  EXPECT_EQ(refusal("use_gpu: false\ndtype: f32\ndevice: cuda"),
            "c.sdn:3: device 'cuda' contradicts use_gpu 'false' on line 1");
  EXPECT_EQ(refusal("device: cpu\nuse_gpu: true"),
            "c.sdn:2: use_gpu 'true' contradicts device 'cpu' on line 1");
  EXPECT_EQ(refusal("backend: cuda\nuse_gpu: false"),
            "c.sdn:2: use_gpu 'false' contradicts backend 'cuda' on line 1");
  EXPECT_EQ(refusal("use_gpu: true\nbackend: cpu"),
            "c.sdn:2: backend 'cpu' contradicts use_gpu 'true' on line 1");
  EXPECT_EQ(parse("device: cpu\nuse_gpu: false\nbackend: cpu").backend(), Backend::Cpu);
  EXPECT_EQ(parse("device: auto\nuse_gpu: true\nbackend: cuda").backend(), Backend::Cuda);
}

TEST(Config, RefusesOddIndentation) {
  EXPECT_EQ(refusal("dl:\n\tdevice: cpu"),
            "c.sdn:2: this line is indented with a tab; indent with spaces");
  EXPECT_EQ(refusal("dl:\n  \tdevice: cpu"),
            "c.sdn:2: this line is indented with a tab; indent with spaces");
  EXPECT_EQ(refusal("\n  device: cpu"),
            "c.sdn:2: this line is indented, but no block starts before it");
  EXPECT_EQ(refusal("dl:\ndevice: cpu\n  dtype: f32"),
            "c.sdn:3: this line is indented, but no block starts before it");
  EXPECT_EQ(refusal("dl:\n  device: cpu\n    dtype: f32"),
            "c.sdn:3: this line is indented by 4, the first of its block by 2");
  EXPECT_EQ(refusal("dl:\n  device: cpu\n dtype: f32"),
            "c.sdn:3: this line is indented by 1, the first of its block by 2");
}

TEST(Config, RefusesWhatIsNoSetting) {
  EXPECT_EQ(refusal("device = cuda"), "c.sdn:1: expected 'KEY: VALUE', found 'device = cuda'");
  EXPECT_EQ(refusal("{\"device\": \"cuda\"}"),
            "c.sdn:1: expected 'KEY: VALUE', found '{\"device\": \"cuda\"}'");
  EXPECT_EQ(refusal(": cuda"), "c.sdn:1: expected 'KEY: VALUE', found ': cuda'");
  EXPECT_EQ(refusal("dl"), "c.sdn:1: expected 'KEY: VALUE', found 'dl'");
  EXPECT_EQ(refusal("dl: {device: cuda}"),
            "c.sdn:1: found '{device: cuda}' after 'dl:'; its settings are below it, indented");
  EXPECT_EQ(refusal("device:"), "c.sdn:1: device has no value");
  EXPECT_EQ(refusal("device: # none"), "c.sdn:1: device has no value");
  EXPECT_EQ(refusal("device: \"cuda # all"),
            "c.sdn:1: the value of device has no closing quote: '\"cuda # all'");
  EXPECT_EQ(refusal("device: \"cuda\" or 'cpu'"),
            "c.sdn:1: found 'or 'cpu'' after the value of device");
}

TEST(Config, RefusesWhatIsNoText) {
  EXPECT_EQ(refusal(std::string_view("device: cpu\n\0", 13)),
            "c.sdn:2: a control character, '\\x00'; the file must be text in UTF-8");
  EXPECT_EQ(refusal(std::string_view("\xFF\xFE"
                                     "d\0e\0",
                                     6)),
            "c.sdn:1: a control character, '\\x00'; the file must be text in UTF-8");
  EXPECT_EQ(refusal("\x7F"
                    "ELF"),
            "c.sdn:1: a control character, '\\x7f'; the file must be text in UTF-8");
  EXPECT_EQ(refusal("device: cpu\rdtype: f32\r"),
            "c.sdn:1: a control character, '\\x0d'; the file must be text in UTF-8");
}
