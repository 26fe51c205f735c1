// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Trace.h"

#include "spl/Error.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>

namespace spl {

/// Returns the number of bytes of the first UTF-8 character of \p text, or 0 if it is invalid. \p
/// text must not be empty.
static std::size_t characterLength(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  struct Form {
    unsigned char mask, bits;
    std::uint32_t least; ///< the smallest code point that needs this many bytes
  };
  constexpr std::array<Form, 4> forms = {
      {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};
  for (std::size_t length = 1; length <= forms.size() && length <= text.size(); ++length) {
    const Form &form = forms[length - 1];
    if ((byte(0) & form.mask) != form.bits)
      continue;
    std::uint32_t code = byte(0) & ~form.mask & 0xffu;
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(i) & 0xc0) != 0x80)
        return 0;
      code = code << 6 | (byte(i) & 0x3fu);
    }
    const bool isSurrogate = code >= 0xd800 && code < 0xe000;
    return code >= form.least && code <= 0x10ffff && !isSurrogate ? length : 0;
  }
  return 0;
}

/// Returns \p text as a JSON string. Invalid UTF-8 becomes U+FFFD, because JSON must be valid
/// UTF-8.
static std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    const char first = text.front();
    if (length == 0) {
      result += "\\ufffd";
    } else if (first == '"' || first == '\\') {
      result += '\\';
      result += first;
    } else if (static_cast<unsigned char>(first) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(first));
      result += escape;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + '"';
}

/// Formats a time in microseconds with three decimals, independently of the locale.
static std::string microseconds(Trace::Clock::duration time) {
  const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  const std::int64_t size = count < 0 ? -count : count;
  std::string fraction = std::to_string(size % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return (count < 0 ? "-" : "") + std::to_string(size / 1000) + "." + fraction;
}

Trace::Lane Trace::addLane(std::string name) {
  std::lock_guard lock(mutex);
  lanes.push_back(std::move(name));
  return Lane(static_cast<int>(lanes.size()));
}

void Trace::span(Lane lane, std::string name, Clock::time_point begin, Clock::time_point end,
                 std::optional<std::size_t> batch) {
  std::lock_guard lock(mutex);
  spans.push_back({lane.number, std::move(name), begin, end, batch});
}

void Trace::write(std::ostream &out) const {
  std::lock_guard lock(mutex);
  out << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
  const char *separator = "";
  // Numbers are formatted by to_string, because the stream's locale may write 1,000.
  auto event = [&](std::string_view name, const char *phase, int lane) -> std::ostream & {
    out << separator << "{\"name\": " << quoted(name) << ", \"ph\": \"" << phase
        << "\", \"pid\": 1, \"tid\": " << std::to_string(lane);
    separator = ",\n";
    return out;
  };
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const int lane = static_cast<int>(i + 1);
    event("thread_name", "M", lane) << ", \"args\": {\"name\": " << quoted(lanes[i]) << "}}";
    event("thread_sort_index", "M", lane)
        << ", \"args\": {\"sort_index\": " << std::to_string(lane) << "}}";
  }
  for (const Span &span : spans) {
    event(span.name, "X", span.lane) << ", \"ts\": " << microseconds(span.begin - start)
                                     << ", \"dur\": " << microseconds(span.end - span.begin);
    if (span.batch)
      out << ", \"args\": {\"batch\": " << std::to_string(*span.batch) << "}";
    out << "}";
  }
  out << "\n]}\n";
}

void Trace::save(const std::string &path) const {
  errno = 0;
  std::ofstream file(path);
  if (file)
    write(file);
  file.close();
  if (!file)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "the trace cannot be written to '" + path + "'",
                 .call = "write",
                 .native = errno,
                 .nativeName = errno ? std::strerror(errno) : ""});
}

} // namespace spl
