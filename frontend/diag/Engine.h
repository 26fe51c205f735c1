// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the diagnostics of one compilation and prints them. Owns the messages, but not the
// source text that their ranges point into: the SourceManager must outlive the engine. Emitting
// never fails. After Engine::errorLimit errors, further errors are dropped. The final message
// 'too-many-errors' has their number.
#pragma once

#include "frontend/diag/Diagnostics.h"
#include "frontend/diag/Source.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace spl::diag {

/// An error or a warning with its notes.
struct Message {
  Kind kind;
  SourceRange range; ///< invalid for a message without a place in the source
  std::string text;
  std::string fix; ///< replacement text for the range, or empty
  std::vector<Message> notes;
};

class Engine;

/// Returned by Engine::emit, to add notes: emit(...).note(range, diag::DeclaredHere, name).
class Builder {
public:
  Builder(Engine &engine, size_t index) : engine(engine), index(index) {}
  template <class... Args>
  Builder &note(SourceRange range, Diagnostic<Args...> kind, std::type_identity_t<Args>... args);
  /// Sets the text that should replace the range of the message. It is shown as a fix-it.
  Builder &fix(std::string replacement);

private:
  Engine &engine;
  size_t index; ///< npos if the message was dropped
};

class Engine {
public:
  static constexpr unsigned errorLimit = 100;

  explicit Engine(const SourceManager &sources) : sources(sources) {}

  template <class... Args>
  Builder emit(SourceRange range, Diagnostic<Args...> kind, std::type_identity_t<Args>... args) {
    if (isFull(kind.kind))
      return Builder(*this, size_t(-1));
    return add(range, kind.kind, llvm::formatv(info(kind.kind).format.data(), args...).str());
  }

  /// Sets notes that are added to each later error, before its own notes. They name the instance of
  /// a generic function that is being checked.
  void setContext(std::vector<Message> notes) { context = std::move(notes); }
  /// A note for setContext.
  template <class... Args>
  static Message note(SourceRange range, Diagnostic<Args...> kind,
                      std::type_identity_t<Args>... args) {
    return {kind.kind, range, llvm::formatv(info(kind.kind).format.data(), args...).str(), {}, {}};
  }

  bool hasErrors() const { return errors != 0; }
  unsigned errorCount() const { return errors; }
  const std::vector<Message> &all() const { return messages; }

  /// Prints the messages in the order of the source. A message is file:line:col: error: text
  /// [name], then the source line, then a caret and the range.
  void print(llvm::raw_ostream &os, bool colour) const;
  /// Prints one JSON object per line: {"severity","name","message","file","line","column",
  /// "endLine","endColumn","notes":[...],"fix"}. Columns count bytes from 1.
  void printJson(llvm::raw_ostream &os) const;

private:
  friend class Builder;
  friend class InContext;
  /// Returns whether a message of this kind must be dropped. Counts it if it is dropped.
  bool isFull(Kind kind);
  Builder add(SourceRange range, Kind kind, std::string text);
  /// Returns the messages without a place, then those of each file by place.
  std::vector<const Message *> inSourceOrder() const;
  /// Returns the message with the number of dropped errors, if there are any.
  std::vector<Message> epilogue() const;

  const SourceManager &sources;
  std::vector<Message> messages;
  std::vector<Message> context;
  /// Identifies the messages so far, because the same text is reported only once for one place.
  std::set<std::tuple<const char *, Kind, std::string>> seen;
  unsigned errors = 0;
  unsigned dropped = 0;
};

/// Adds a note to each error that is emitted during a scope. With more than a few of them, the
/// outermost ones stay.
class InContext {
public:
  InContext(Engine &engine, Message note) : engine(engine), outer(engine.context) {
    constexpr size_t maxNotes = 5;
    if (outer.size() < maxNotes)
      engine.context.insert(engine.context.begin(), std::move(note));
  }
  ~InContext() { engine.context = std::move(outer); }
  InContext(const InContext &) = delete;
  InContext &operator=(const InContext &) = delete;

private:
  Engine &engine;
  std::vector<Message> outer;
};

template <class... Args>
Builder &Builder::note(SourceRange range, Diagnostic<Args...> kind,
                       std::type_identity_t<Args>... args) {
  if (index != size_t(-1))
    engine.messages[index].notes.push_back(Engine::note(range, kind, args...));
  return *this;
}

} // namespace spl::diag
