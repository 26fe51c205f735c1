// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the text of dl.config.sdn line by line.
#include "runtime/backends/Registry.h"
#include "runtime/config/CpuThreadCount.h"
#include "runtime/system/Names.h"
#include "spl/Config.h"
#include "spl/Error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace spl {

static constexpr std::string_view blanks = " \t";

static std::string_view trimmed(std::string_view text) {
  std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// Returns "cuda or cpu".
static std::string anyBackend() { return detail::joinNames(detail::backendNames(), "or"); }

static std::string anyScalarType() {
  return detail::joinNames(
      {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...) TEXT,
#include "spl/ScalarTypes.def"
      },
      "or");
}

class detail::ConfigParser {
public:
  ConfigParser(std::string_view text, std::string_view name) : rest(text) { config.name = name; }

  Config parse();

private:
  /// The keys that have a value. The key of the block, dl, has none.
  enum Key { DeviceKey, UseGpuKey, DtypeKey, BackendKey, CpuThreadsKey, numKeys };
  static constexpr std::array<std::string_view, numKeys> keyNames = {"device", "use_gpu", "dtype",
                                                                     "backend", "cpu_threads"};
  static constexpr std::string_view blockKey = "dl";

  [[noreturn]] void fail(const std::string &what) const;
  [[noreturn]] void failValue(Key key, const std::string &choices) const;
  std::string place(int at) const { return config.name + ":" + std::to_string(at); }

  void requireText(std::string_view text) const;
  bool belongsHere(std::size_t indent);
  void readLine(std::string_view text);
  void readSetting(Key key, std::string_view text);
  void warnOf(std::string_view key);
  void once(std::string_view key, int &firstLine) const;
  std::string_view valueOf(Key key, std::string_view text) const;

  void readDevice();
  void readBackend();
  void readUseGpu();
  void readDtype();
  void readCpuThreads();

  void decide();
  void refuse(Key one, Key other);

  std::string_view rest;
  Config config;
  int line = 0;

  bool inBlock = false;        ///< whether the lines belong to the block dl:
  int blockLine = 0;           ///< the line of dl:, 0 before it
  std::size_t blockIndent = 0; ///< the indentation in the block, 0 before its first line
  /// The indentation of an unknown key whose block is skipped.
  std::optional<std::size_t> foreignIndent;

  std::array<std::string_view, numKeys> values;
  std::array<int, numKeys> lines{}; ///< the line of each key; 0 if it is not set
  std::optional<Backend> ofDevice, ofBackend;
};

void detail::ConfigParser::fail(const std::string &what) const {
  throw Error({.code = ErrorCode::InvalidArgument, .message = place(line) + ": " + what});
}

void detail::ConfigParser::failValue(Key key, const std::string &choices) const {
  fail(std::string(keyNames[key]) + " is " + quoted(values[key]) + "; it must be " + choices);
}

/// Throws if \p text is not text: for a binary file, or for UTF-16.
void detail::ConfigParser::requireText(std::string_view text) const {
  for (unsigned char c : text)
    if ((c < 0x20 && c != '\t') || c == 0x7f)
      fail("a control character, " + quoted({reinterpret_cast<const char *>(&c), 1}) +
           "; the file must be text in UTF-8");
}

/// Whether a line with this indentation is one of the settings.
bool detail::ConfigParser::belongsHere(std::size_t indent) {
  if (foreignIndent && indent > *foreignIndent)
    return false;
  foreignIndent.reset();
  if (indent == 0) {
    inBlock = false;
    return true;
  }
  if (!inBlock)
    fail("this line is indented, but no block starts before it");
  if (blockIndent == 0)
    blockIndent = indent;
  if (indent != blockIndent)
    fail("this line is indented by " + std::to_string(indent) + ", the first of its block by " +
         std::to_string(blockIndent));
  return true;
}

void detail::ConfigParser::readLine(std::string_view text) {
  requireText(text);
  const std::size_t indent = text.find_first_not_of(blanks);
  if (indent == std::string_view::npos || text[indent] == '#')
    return;
  if (text.substr(0, indent).find('\t') != std::string_view::npos)
    fail("this line is indented with a tab; indent with spaces");
  if (!belongsHere(indent))
    return;

  static constexpr std::string_view keyLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  const std::size_t colon = text.find(':');
  const std::string_view key = trimmed(text.substr(0, colon));
  if (colon == std::string_view::npos || key.empty() ||
      key.find_first_not_of(keyLetters) != std::string_view::npos)
    fail("expected 'KEY: VALUE', found " + quoted(trimmed(text)));
  text.remove_prefix(colon + 1);

  for (int known = 0; known < numKeys; ++known)
    if (key == keyNames[known])
      return readSetting(static_cast<Key>(known), text);
  if (key != blockKey || inBlock) {
    warnOf(key);
    foreignIndent = indent;
    return;
  }
  once(key, blockLine);
  if (std::string_view after = trimmed(text); !after.empty() && after[0] != '#')
    fail("found " + quoted(after) + " after 'dl:'; its settings are below it, indented");
  inBlock = true;
}

void detail::ConfigParser::readSetting(Key key, std::string_view text) {
  once(keyNames[key], lines[key]);
  values[key] = valueOf(key, text);
  switch (key) {
  case DeviceKey:
    return readDevice();
  case UseGpuKey:
    return readUseGpu();
  case DtypeKey:
    return readDtype();
  case BackendKey:
    return readBackend();
  case CpuThreadsKey:
    return readCpuThreads();
  case numKeys:
    break;
  }
}

void detail::ConfigParser::warnOf(std::string_view key) {
  std::vector<std::string> known(keyNames.begin(), keyNames.end());
  if (!inBlock)
    known.emplace_back(blockKey);
  const std::string correction = didYouMean(key, known);
  config.notes.push_back(place(line) + ": unknown key " + quoted(key) +
                         (correction.empty() ? "; the keys are " + joinNames(known) : correction));
}

void detail::ConfigParser::once(std::string_view key, int &firstLine) const {
  if (firstLine)
    fail(quoted(key) + " is on line " + std::to_string(firstLine) + " already");
  firstLine = line;
}

/// Returns the value in the text after the colon, without quotes and comment.
std::string_view detail::ConfigParser::valueOf(Key key, std::string_view text) const {
  text = trimmed(text);
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    const std::size_t end = text.find(text[0], 1);
    if (end == std::string_view::npos)
      fail("the value of " + std::string(keyNames[key]) + " has no closing quote: " + quoted(text));
    if (std::string_view after = trimmed(text.substr(end + 1)); !after.empty() && after[0] != '#')
      fail("found " + quoted(after) + " after the value of " + std::string(keyNames[key]));
    return text.substr(1, end - 1);
  }
  // A comment begins directly after the colon or after a blank. So a#b is a value, which is then
  // refused.
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || blanks.find(text[i - 1]) != std::string_view::npos))
      text = text.substr(0, i);
  text = trimmed(text);
  if (text.empty())
    fail(std::string(keyNames[key]) + " has no value");
  return text;
}

void detail::ConfigParser::readDevice() {
  const std::string_view value = values[DeviceKey];
  if (value == "auto")
    return;
  const std::size_t colon = value.find(':');
  ofDevice = backendNamed(value.substr(0, colon));
  bool isRight = ofDevice.has_value();
  if (isRight && colon != std::string_view::npos) {
    const std::string_view digits = value.substr(colon + 1);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), config.index);
    isRight = error == std::errc() && end == digits.data() + digits.size() && config.index >= 0;
  }
  if (!isRight)
    failValue(DeviceKey, "auto, " + anyBackend() + ", with an index if it is not 0, as in cuda:1");
}

void detail::ConfigParser::readBackend() {
  ofBackend = backendNamed(values[BackendKey]);
  if (!ofBackend && values[BackendKey] != "auto")
    failValue(BackendKey, "auto, " + anyBackend());
}

void detail::ConfigParser::readUseGpu() {
  if (values[UseGpuKey] != "true" && values[UseGpuKey] != "false")
    failValue(UseGpuKey, "true or false");
  config.gpu = values[UseGpuKey] == "true";
}

void detail::ConfigParser::readDtype() {
  config.type = scalarTypeNamed(values[DtypeKey]);
  if (!config.type)
    failValue(DtypeKey, anyScalarType());
}

void detail::ConfigParser::readCpuThreads() {
  config.threads = threadCountFrom(values[CpuThreadsKey]);
  if (!config.threads)
    failValue(CpuThreadsKey, std::string(threadCountRange));
}

/// Throws for two settings that contradict each other, at the later one.
void detail::ConfigParser::refuse(Key one, Key other) {
  if (lines[one] < lines[other])
    std::swap(one, other);
  line = lines[one];
  auto shown = [&](Key key) { return std::string(keyNames[key]) + " " + quoted(values[key]); };
  fail(shown(one) + " contradicts " + shown(other) + " on line " + std::to_string(lines[other]));
}

/// Chooses the backend from the settings device, use_gpu and backend.
void detail::ConfigParser::decide() {
  if (ofDevice && ofBackend && *ofDevice != *ofBackend)
    refuse(DeviceKey, BackendKey);
  auto contradicts = [&](std::optional<Backend> backend) {
    return backend && config.gpu && *config.gpu == backendEntry(*backend).runsOnHost;
  };
  if (contradicts(ofDevice))
    refuse(DeviceKey, UseGpuKey);
  if (contradicts(ofBackend))
    refuse(BackendKey, UseGpuKey);

  config.chosen = ofDevice ? ofDevice : ofBackend;
  const int by = ofDevice ? lines[DeviceKey] : ofBackend ? lines[BackendKey] : lines[UseGpuKey];
  if (by)
    config.decided = place(by);
}

Config detail::ConfigParser::parse() {
  if (rest.starts_with("\xEF\xBB\xBF")) // a byte order mark
    rest.remove_prefix(3);
  while (!rest.empty()) {
    ++line;
    std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    if (text.ends_with('\r'))
      text.remove_suffix(1);
    readLine(text);
  }
  decide();
  return std::move(config);
}

Config Config::parse(std::string_view text, std::string_view name) {
  return detail::ConfigParser(text, name).parse();
}

} // namespace spl
