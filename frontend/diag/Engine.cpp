// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/diag/Engine.h"
#include <algorithm>

namespace spl::diag {

bool Engine::isFull(Kind kind) {
  if (info(kind).severity != Severity::Error || errors < errorLimit)
    return false;
  ++dropped;
  return true;
}

Builder Engine::add(SourceRange range, Kind kind, std::string text) {
  if (!seen.insert({range.begin, kind, text}).second)
    return Builder(*this, size_t(-1));
  if (info(kind).severity == Severity::Error)
    ++errors;
  messages.push_back({kind, range, std::move(text), {}, {}});
  if (info(kind).severity == Severity::Error)
    messages.back().notes = context;
  return Builder(*this, messages.size() - 1);
}

Builder &Builder::fix(std::string replacement) {
  if (index != size_t(-1))
    engine.messages[index].fix = std::move(replacement);
  return *this;
}

std::vector<const Message *> Engine::inSourceOrder() const {
  // The index as the last key keeps messages about one place in the order in which they were
  // reported.
  std::vector<std::tuple<unsigned, const char *, size_t>> order;
  order.reserve(messages.size());
  for (size_t index = 0; index != messages.size(); ++index) {
    const char *place = messages[index].range.begin;
    llvm::SMLoc location = llvm::SMLoc::getFromPointer(place);
    unsigned buffer = place ? sources.llvm().FindBufferContainingLoc(location) : 0;
    order.push_back({buffer, place, index});
  }
  std::sort(order.begin(), order.end());
  std::vector<const Message *> sorted;
  for (const auto &[buffer, place, index] : order)
    sorted.push_back(&messages[index]);
  return sorted;
}

std::vector<Message> Engine::epilogue() const {
  if (dropped == 0)
    return {};
  return {{Kind::TooManyErrors,
           {},
           llvm::formatv(info(Kind::TooManyErrors).format.data(), dropped).str(),
           {},
           {}}};
}

} // namespace spl::diag
