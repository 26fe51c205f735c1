// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds cycles of calls by a depth-first search. The stack is explicit, because a chain of calls
// may contain all functions of the program.
#include "frontend/sema/declarations/Recursion.h"
#include "frontend/sema/DiagnosticText.h"

namespace spl::sema {
namespace {

class CycleFinder {
public:
  explicit CycleFinder(Session &session)
      : session(session), states(session.functions.size(), State::New) {}

  void run() {
    for (unsigned root = 0; root != states.size(); ++root)
      if (states[root] == State::New)
        walk(root);
  }

private:
  enum class State : uint8_t { New, Open, Done };
  struct Step {
    unsigned function;
    size_t nextCall; ///< the index of the next call to follow; the call before it leads to the next
                     ///< step
  };

  void walk(unsigned root);
  void report(size_t first);
  StringRef name(unsigned function) const { return session.functions[function].writtenName(); }

  Session &session;
  std::vector<State> states;
  std::vector<bool> reported = std::vector<bool>(states.size());
  std::vector<Step> stack;
};

void CycleFinder::walk(unsigned root) {
  stack.push_back({root, 0});
  states[root] = State::Open;
  while (!stack.empty()) {
    unsigned function = stack.back().function;
    const std::vector<CallSite> &calls = session.functions[function].calls;
    if (stack.back().nextCall == calls.size()) {
      states[function] = State::Done;
      stack.pop_back();
      continue;
    }
    unsigned callee = calls[stack.back().nextCall++].callee;
    if (states[callee] == State::New) {
      states[callee] = State::Open;
      stack.push_back({callee, 0});
    } else if (states[callee] == State::Open && !(reported[function] && reported[callee]) &&
               session.isListening()) {
      size_t first = stack.size() - 1;
      while (stack[first].function != callee)
        --first;
      report(first);
    }
  }
}

// Reports the cycle on the stack from index `first`. Only a part of a long cycle is shown.
void CycleFinder::report(size_t first) {
  constexpr size_t maxShown = 8;
  size_t length = stack.size() - first;
  std::string path;
  for (size_t i = 0; i != length; ++i) {
    reported[stack[first + i].function] = true;
    if (i < maxShown || i + 1 == length)
      path += (shown(name(stack[first + i].function)) + " -> ").str();
    else if (i == maxShown)
      path += "... -> ";
  }
  unsigned start = stack[first].function;
  path += shown(name(start));
  diag::Builder message = session.diagnostics.emit(session.functions[start].function->range,
                                                   diag::Recursion, shown(name(start)), path);
  for (size_t i = 0; i != std::min(length, maxShown); ++i) {
    const Step &step = stack[first + i];
    const CallSite &call = session.functions[step.function].calls[step.nextCall - 1];
    message.note(call.range, diag::CalledHere, shown(name(step.function)),
                 shown(name(call.callee)));
  }
}

} // namespace

void checkRecursion(Session &session) { CycleFinder(session).run(); }

} // namespace spl::sema
