// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <system_error>

namespace spl::random {

using generator::Layout;
using generator::Program;

Folder::Folder() {
  std::string path = std::filesystem::temp_directory_path() / "spl-random-XXXXXX";
  if (!mkdtemp(path.data()))
    throw std::system_error(errno, std::generic_category(), path);
  name = path;
}

Folder::~Folder() {
  std::error_code ignored; // a folder that stays does no harm
  std::filesystem::remove_all(name, ignored);
}

void Folder::write(const std::string &file, const std::string &text) const {
  std::ofstream(name + "/" + file + ".spl") << text;
}

/// Imports all items of a text that is in that file.
static std::string importOf(const std::string &file, const std::string &text) {
  static const std::regex item(R"((?:^|\n)(?:fn|struct|enum|const) (\w+))");
  std::string names;
  for (std::sregex_iterator at(text.begin(), text.end(), item), end; at != end; ++at)
    names += (names.empty() ? "" : ", ") + (*at)[1].str();
  return names.empty() ? "" : "use " + file + ".{" + names + "}\n";
}

Text::Text(const std::vector<Program> &programs) {
  auto hasFiles = [](const Program &program) { return program.layout != Layout::OneFile; };
  if (std::ranges::any_of(programs, hasFiles)) {
    auto made = std::make_shared<Folder>();
    made->write("prelude", generator::prelude);
    files = std::move(made);
  }
  const std::string prelude = files ? importOf("prelude", generator::prelude) : generator::prelude;
  main = prelude;
  for (const Program &program : programs) {
    for (const generator::Instance &instance : program.instances)
      instances.push_back(instance.request);
    const std::size_t border = program.text.find(generator::border);
    // The reducer may have removed the border.
    if (program.layout == Layout::OneFile || border == std::string::npos) {
      main += program.text;
      continue;
    }
    const std::string functions = program.text.substr(0, border),
                      kernel = program.text.substr(border);
    const std::string suffix = std::to_string(program.seed);
    files->write("functions" + suffix, prelude + functions);
    const std::string import = importOf("functions" + suffix, functions);
    if (program.layout == Layout::OtherFunctions) {
      main += import + kernel;
    } else {
      files->write("kernel" + suffix, prelude + import + kernel);
      main += "use kernel" + suffix + "." + program.kernel + "\n";
    }
  }
}

std::vector<std::string> Text::includes() const {
  return files ? std::vector{files->path()} : std::vector<std::string>();
}

} // namespace spl::random
