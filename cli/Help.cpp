// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Help.h"
#include <memory>

namespace spl::cli {

CLI::Option *takes(CLI::Option *option, const std::string &word) {
  const auto refuseEmpty = [word](const std::string &value) {
    return value.empty() ? "takes " + word + ", not ''" : "";
  };
  return option->option_text(word)->check(refuseEmpty, "");
}

CLI::Validator within(int min, int max) {
  const auto refuse = [min, max](const std::string &text) -> std::string {
    int number = 0;
    // CLI11 would parse 010 as octal.
    const bool isDecimal = text == "0" || (text.find_first_not_of("0123456789") == text.npos &&
                                           !text.empty() && text.front() != '0');
    if (isDecimal && CLI::detail::lexical_cast(text, number) && min <= number && number <= max)
      return "";
    return "takes " + std::to_string(min) + " to " + std::to_string(max) + ", not '" + text + "'";
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
