// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints diagnostics as text with source lines. llvm::SMDiagnostic is not used, because it copies
// lines of any length and shows no caret under lines that are not ASCII.

#include "frontend/diag/Engine.h"
#include "frontend/diag/Printable.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using llvm::raw_ostream;
using llvm::StringRef;

namespace spl::diag {

/// The number of bytes of a long line that are shown before the caret, and in total.
static constexpr size_t windowBefore = 60;
static constexpr size_t windowSize = 160;

static bool isContinuationByte(char c) { return (c & 0xC0) == 0x80; }

/// The part of a source line that is shown, and the range in it that is marked.
struct Window {
  StringRef text;
  bool cutBefore = false, cutAfter = false;
  size_t markBegin = 0, markEnd = 0;
};

static Window windowAround(SourceRange range, const llvm::SourceMgr &manager) {
  unsigned id = manager.FindBufferContainingLoc(llvm::SMLoc::getFromPointer(range.begin));
  StringRef buffer = manager.getMemoryBuffer(id)->getBuffer();
  // The search for the line's ends stops at the limits of the window, so that it is fast in a line
  // of megabytes.
  const char *low = range.begin - std::min<size_t>(range.begin - buffer.begin(), windowSize);
  const char *high = range.begin + std::min<size_t>(buffer.end() - range.begin, windowSize);
  const char *begin = range.begin;
  while (begin != low && begin[-1] != '\n')
    --begin;
  const char *end = std::find(range.begin, high, '\n');

  Window window;
  window.cutBefore = begin != buffer.begin() && begin[-1] != '\n';
  window.cutAfter = end != buffer.end() && *end != '\n';
  if (window.cutBefore || window.cutAfter || size_t(end - begin) > windowSize) {
    const char *start = range.begin - std::min<size_t>(range.begin - begin, windowBefore);
    const char *stop = start + std::min<size_t>(end - start, windowSize);
    while (start != range.begin && isContinuationByte(*start))
      ++start;
    while (stop != end && stop != range.begin && isContinuationByte(*stop))
      --stop;
    window.cutBefore |= start != begin;
    window.cutAfter |= stop != end;
    begin = start;
    end = stop;
  }
  if (end != begin && !window.cutAfter && end[-1] == '\r' && end > range.begin)
    --end;
  window.text = StringRef(begin, end - begin);
  window.markBegin = range.begin - begin;
  window.markEnd = std::clamp(range.end, range.begin, std::max(end, range.begin)) - begin;
  return window;
}

/// Returns the text that is shown for a character. Tabs and unprintable characters become printable
/// text.
static std::string shown(StringRef character) {
  if (character == "\t")
    return " ";
  if (llvm::sys::unicode::columnWidthUTF8(character) >= 0)
    return character.str();
  return "?";
}

/// Prints the line, then a caret under the start of the range and tildes under the rest of it.
static void printSnippet(raw_ostream &os, const Window &window, StringRef fix, bool colour) {
  StringRef ellipsis = "...";
  std::string line = window.cutBefore ? ellipsis.str() : "";
  std::string marks(line.size(), ' ');
  size_t caretColumn = line.size();
  StringRef rest = window.text;
  while (!rest.empty()) {
    size_t offset = window.text.size() - rest.size();
    std::string text = shown(takeCharacter(rest));
    size_t width = std::max(0, llvm::sys::unicode::columnWidthUTF8(text));
    if (offset == window.markBegin)
      caretColumn = marks.size();
    bool isMarked = offset >= window.markBegin && offset < window.markEnd;
    marks.append(width, isMarked ? '~' : ' ');
    line += text;
  }
  if (window.markBegin >= window.text.size())
    caretColumn = marks.size();
  marks.resize(std::max(marks.size(), caretColumn + 1), ' ');
  marks[caretColumn] = '^';
  os << line << (window.cutAfter ? ellipsis : "") << '\n';
  if (colour)
    os.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  os << StringRef(marks).rtrim();
  if (!fix.empty())
    os << '\n' << std::string(caretColumn, ' ') << fix;
  if (colour)
    os.resetColor();
  os << '\n';
}

static void printLabel(raw_ostream &os, Severity severity, bool colour) {
  auto print = [&](StringRef label, raw_ostream::Colors shade) {
    if (colour)
      os.changeColor(shade, /*Bold=*/true);
    os << label;
    if (colour)
      os.resetColor();
  };
  switch (severity) {
  case Severity::Error:
    return print("error: ", raw_ostream::RED);
  case Severity::Warning:
    return print("warning: ", raw_ostream::MAGENTA);
  case Severity::Note:
    return print("note: ", raw_ostream::CYAN);
  }
}

static void printMessage(raw_ostream &os, const Message &message, const SourceManager &sources,
                         bool colour) {
  const Info &row = info(message.kind);
  Position place = sources.position(message.range.begin);
  if (place.line != 0)
    os << printable(place.file, /*kept=*/"") << ':' << place.line << ':' << place.column << ": ";
  printLabel(os, row.severity, colour);
  os << printable(message.text) << " [" << row.name << "]\n";
  if (place.line != 0)
    printSnippet(os, windowAround(message.range, sources.llvm()), message.fix, colour);
  for (const Message &note : message.notes)
    printMessage(os, note, sources, colour);
}

void Engine::print(raw_ostream &os, bool colour) const {
  if (colour)
    os.enable_colors(true);
  for (const Message *message : inSourceOrder())
    printMessage(os, *message, sources, colour);
  for (const Message &message : epilogue())
    printMessage(os, message, sources, colour);
}

} // namespace spl::diag
