// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes dl.config.sdn with random text. An error must name a line of the file. The kind of line
// endings and an appended comment must not change the result.
#include "spl/Config.h"

#include "spl/Error.h"
#include "test/fuzz/Fuzz.h"

#include <algorithm>
#include <string>

using namespace spl;

/// The result of parsing \p text: the whole Config as text, or the Error.
static std::string readingOf(const std::string &text) {
  try {
    const Config config = Config::parse(text, "c.sdn");
    fuzz::require(config.device() >= 0, "an index is never negative");
    fuzz::require(config.device() == 0 || config.backend(), "an index is that of a backend");
    fuzz::require(!config.backend() || !config.useGpu() ||
                      *config.useGpu() == (*config.backend() != Backend::Cpu),
                  "what contradicts itself is refused");
    fuzz::require(config.place().empty() == (!config.backend() && !config.useGpu()),
                  "what decides has its place");
    std::string said = config.place() + " " + std::to_string(config.device());
    if (config.backend())
      said += " on " + std::to_string(static_cast<int>(*config.backend()));
    if (config.useGpu())
      said += *config.useGpu() ? " gpu" : " no gpu";
    if (config.dtype())
      said += " of " + std::string(toString(*config.dtype()));
    for (const std::string &warning : config.warnings())
      said += "\n" + warning;
    return said;
  } catch (const Error &error) {
    const std::string &message = error.message();
    fuzz::require(error.code() == ErrorCode::InvalidArgument, "an error is the caller's");
    const std::size_t colon = message.find(':', 6);
    const bool hasLine = message.starts_with("c.sdn:") && colon != std::string::npos && colon > 6;
    fuzz::require(hasLine, "an error has its line");
    const long line = std::stol(message.substr(6, colon - 6));
    fuzz::require(line >= 1 && line <= 1 + std::count(text.begin(), text.end(), '\n'),
                  "its line is one of the file");
    return message;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  const std::string reading = readingOf(text);
  fuzz::require(readingOf(text + "\n# a comment") == reading, "a comment changes nothing");
  if (text.find('\r') != std::string::npos)
    return 0;
  std::string other;
  for (char c : text)
    other += c == '\n' ? std::string("\r\n") : std::string(1, c);
  fuzz::require(readingOf(other) == reading, "the ends of lines change nothing");
  return 0;
}
