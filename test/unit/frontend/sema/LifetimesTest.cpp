// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices of local arrays, in every block that may hold them, by every expression that makes one.
#include "CheckedSource.h"
#include "gtest/gtest.h"

using spl::test::CheckedSource;

namespace {

// Each ends where a block begins that is one deeper than the function's.
const char *const blocks[] = {
    "    if b:\n",
    "    if b:\n        pass\n    elif not b:\n",
    "    if b:\n        pass\n    elif not b:\n        pass\n    elif b:\n",
    "    if b:\n        pass\n    else:\n",
    "    if b:\n        pass\n    elif not b:\n        pass\n    else:\n",
    "    while b:\n",
    "    for _i in 0..3:\n",
    "    for _x in a:\n",
};

// With $ for what the slice is of.
const char *const slices[] = {
    "$",
    "$[1..]",
    "$[..1]",
    "$[..1] if b else a",
    "a if b else $[1..]",
    "first($, a)",
    "first(a, $[1..])",
    "first(a, a if b else first($, a))",
};

std::string replaced(std::string text, const std::string &by) {
  for (size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + by.size()))
    text.replace(at, 1, by);
  return text;
}

std::string messagesOf(const std::string &result, const std::string &body) {
  return CheckedSource(
             "fn first(a: &[f32], b: &[f32]) -> &[f32]:\n    return a if a.len() > 1 else b\n"
             "fn test(b: bool, a: &[f32]) -> " +
             result + ":\n" + body)
      .messages();
}

/// Whether the one message there is is of that kind.
bool isOne(const std::string &messages, const std::string &kind) {
  return messages.find(',') == std::string::npos && messages.ends_with(" " + kind);
}

} // namespace

TEST(Lifetimes, AnOuterVariableKeepsNoSliceOfItsBlock) {
  for (const char *block : blocks)
    for (const char *slice : slices)
      for (bool isInner : {true, false}) {
        const std::string body = "    var view = a\n    val outer = [1.0, 2.0]\n" +
                                 std::string(block) + "        val inner = [1.0, 2.0]\n" +
                                 "        view = " + replaced(slice, isInner ? "inner" : "outer") +
                                 "\n        view = a if inner[0] > 0 else view\n" +
                                 "    return view[0] + outer[0]\n";
        const std::string messages = messagesOf("f32", body);
        EXPECT_TRUE(isInner ? isOne(messages, "dangling-slice") : messages.empty())
            << messages << "\n"
            << body;
      }
}

TEST(Lifetimes, ASliceOfTheSameBlockMayBeKept) {
  for (const char *block : blocks)
    for (const char *slice : slices) {
      const std::string body = "    var sum = a[0]\n" + std::string(block) +
                               "        val inner = [1.0, 2.0]\n        var view = a\n" +
                               "        view = " + replaced(slice, "inner") +
                               "\n        sum += view[0]\n    return sum\n";
      EXPECT_EQ(messagesOf("f32", body), "") << body;
    }
}

TEST(Lifetimes, NothingLocalIsReturned) {
  for (const char *block : blocks)
    for (const char *slice : slices)
      for (const char *of : {"outer", "inner", "a"}) {
        const std::string body = "    val outer = [1.0, 2.0]\n" + std::string(block) +
                                 "        val inner = [1.0, 2.0]\n        if inner[0] > outer[0]:\n"
                                 "            return " +
                                 replaced(slice, of) + "\n    return a\n";
        const std::string messages = messagesOf("&[f32]", body);
        EXPECT_TRUE(of[0] == 'a' ? messages.empty() : isOne(messages, "dangling-slice"))
            << messages << "\n"
            << body;
      }
}

// What is kept in one block is followed into the next.
TEST(Lifetimes, WhatAVariableHoldsIsFollowed) {
  for (const char *block : blocks)
    for (bool isSound : {true, false}) {
      const std::string body =
          "    val outer = [1.0, 2.0]\n    var view = a\n" + std::string(block) +
          "        view = outer\n    if view[0] > 1:\n        return a\n    return " +
          (isSound ? "a" : "view") + "\n";
      const std::string messages = messagesOf("&[f32]", body);
      EXPECT_TRUE(isSound ? messages.empty() : isOne(messages, "dangling-slice"))
          << messages << "\n"
          << body;
    }
}
