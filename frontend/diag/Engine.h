// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects diagnostics for one compilation and renders them. The engine owns nothing but the
// messages; the SourceManager that locations point into must outlive it. Emitting never fails;
// after Engine::errorLimit errors the rest are dropped and one 'too-many-errors' says so.
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

/// One rendered message: an error or a warning with the notes that belong to it.
struct Message {
  Kind kind;
  SourceRange range; ///< may be invalid: a message about the whole run
  std::string text;
  std::string fix; ///< replacement text for range, or empty
  std::vector<Message> notes;
};

class Engine;

/// Returned by Engine::emit to attach notes: emit(...).note(range, diag::DeclaredHere, name).
class Builder {
public:
  Builder(Engine &engine, size_t index) : engine(engine), index(index) {}
  template <class... Args>
  Builder &note(SourceRange range, Diagnostic<Args...> kind, std::type_identity_t<Args>... args);
  /// The text that would mend the marked range; shown as a fix-it.
  Builder &fix(std::string replacement);

private:
  Engine &engine;
  size_t index; ///< npos where the message was dropped
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

  /// Notes that errors get from now on before those of their own: which instance of a generic they
  /// are in.
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

  /// As file:line:col: error: text [name], the source line, a caret range; in source order.
  void print(llvm::raw_ostream &os, bool colour) const;
  /// One JSON object a line: {"severity","name","message","file","line","column","endLine",
  /// "endColumn","notes":[...],"fix"}; columns count bytes from 1.
  void printJson(llvm::raw_ostream &os) const;

private:
  friend class Builder;
  /// Whether no more messages of this kind are taken; counts what is dropped.
  bool isFull(Kind kind);
  Builder add(SourceRange range, Kind kind, std::string text);
  /// Messages without a place first, then by file and place.
  std::vector<const Message *> inSourceOrder() const;
  /// What is after all messages: the one that counts the dropped ones, or nothing.
  std::vector<Message> epilogue() const;

  const SourceManager &sources;
  std::vector<Message> messages;
  std::vector<Message> context;
  /// The same message at the same place is given once.
  std::set<std::tuple<const char *, Kind, std::string>> seen;
  unsigned errors = 0;
  unsigned dropped = 0;
};

template <class... Args>
Builder &Builder::note(SourceRange range, Diagnostic<Args...> kind,
                       std::type_identity_t<Args>... args) {
  if (index != size_t(-1))
    engine.messages[index].notes.push_back(Engine::note(range, kind, args...));
  return *this;
}

} // namespace spl::diag
