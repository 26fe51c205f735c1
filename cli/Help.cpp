// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Help.h"
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace spl::cli {

CLI::Option *takes(CLI::Option *option, const std::string &word) {
  const auto refuseEmpty = [word](const std::string &value) {
    return value.empty() ? "takes " + word + ", not ''" : "";
  };
  return option->option_text(word)->check(refuseEmpty, "");
}

/// Parses a decimal number. CLI11 would parse 010 as octal, accept 0x10 and ' 1', and replace a
/// number that is too large by the maximum.
static std::optional<std::int64_t> decimal(const std::string &text) {
  std::int64_t number = 0;
  const char *const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  const bool isPlain = !text.empty() && text.front() != '-' && (text.front() != '0' || text == "0");
  return isPlain && error == std::errc() && next == end ? std::optional(number) : std::nullopt;
}

CLI::Validator within(int min, int max) {
  const auto refuse = [min, max](const std::string &text) -> std::string {
    const std::optional<std::int64_t> number = decimal(text);
    if (number && min <= *number && *number <= max)
      return "";
    return "takes " + std::to_string(min) + " to " + std::to_string(max) + ", not '" + text + "'";
  };
  return {refuse, ""};
}

CLI::Validator wholeNumber() {
  const auto refuse = [](const std::string &text) {
    return decimal(text) ? "" : "takes a whole number from 0, not '" + text + "'";
  };
  return {refuse, ""};
}

CLI::Validator oneOf(std::vector<std::string> words) {
  const auto refuse = [words = std::move(words)](const std::string &text) -> std::string {
    std::string known;
    for (std::size_t i = 0; i != words.size(); ++i) {
      if (words[i] == text)
        return "";
      known += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    }
    return "takes " + known + ", not '" + text + "'";
  };
  return {refuse, ""};
}

namespace {

// Formats options such as "--emit KIND" and "-O N=2". Operands have only a name.
class Words : public CLI::Formatter {
  std::string make_option_opts(const CLI::Option *option) const override {
    if (option->get_positional() || option->get_option_text().empty())
      return "";
    const std::string standard = option->get_default_str();
    return " " + option->get_option_text() + (standard.empty() ? "" : "=" + standard);
  }
};

} // namespace

void showWords(CLI::App &app) {
  const auto words = std::make_shared<Words>();
  app.formatter(words);
  for (CLI::App *command : app.get_subcommands(nullptr))
    command->formatter(words);
}

} // namespace spl::cli
