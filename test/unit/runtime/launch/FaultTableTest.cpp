// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of checks and fault records, good and bad.
#include "runtime/launch/FaultTable.h"
#include "runtime/launch/PrintFormat.h"

#include "test/unit/runtime/Thrown.h"

#include <gtest/gtest.h>

using namespace spl;
using spl::detail::FaultTable;
using spl::test::thrownBy;

namespace {

/// A table with a check of each kind at line 300 + its number, and a message.
std::string tableBytes() {
  std::string bytes = "tsFS";
  bytes += {1, 0, 0, 0};
  bytes += char(8); // sites
  for (char kind = 0; kind < 8; ++kind)
    bytes += {kind, char(kind == 5), char(((300 + kind) & 0x7f) | 0x80), char(300 >> 7), 9, 0, 1};
  bytes += char(3); // texts
  bytes += {5, 1, 9};
  return bytes + "k.spl" + "a" + "n is \1i" + char(0) + "!";
}

spl_fault_record recordOf(std::uint32_t site) {
  spl_fault_record record{};
  record.seal[0] = SPL_FAULT_SEAL;
  record.claimed[0] = 1;
  record.site[0] = site;
  record.value[0] = -7;
  record.bound[0] = 5;
  record.localId[0] = 3;
  record.groupId[0] = 2;
  record.groupId[2] = 1;
  return record;
}

/// A launch of 70 x 1 x 2 work-items.
const detail::Geometry launched{
    .numGroups = {3, 1, 2}, .localSize = {32, 1, 1}, .workItems = {70, 1, 2}};

Error errorOf(const spl_fault_record &record) {
  return FaultTable(tableBytes()).errorOf(record, launched, "k", "a device");
}

} // namespace

TEST(FaultTable, SaysWhatWhereAndWho) {
  const Error error = errorOf(recordOf(0));
  EXPECT_STREQ(error.what(), "k.spl:300:9: error: index -7 is out of bounds for 'a' of length 5 "
                             "[index-out-of-bounds]; in work-item (67, 0, 1) of group (2, 0, 1)");
  EXPECT_EQ(error.code(), ErrorCode::KernelFault);
  EXPECT_EQ(error.context(), "k on a device");
}

TEST(FaultTable, SaysThatTheLaunchWasRoundedUp) {
  spl_fault_record record = recordOf(0);
  record.localId[0] = 6;
  EXPECT_STREQ(
      errorOf(record).what(),
      "k.spl:300:9: error: index -7 is out of bounds for 'a' of length 5 "
      "[index-out-of-bounds]; in work-item (70, 0, 1) of group (2, 0, 1); the launch of "
      "70 x 1 x 2 work-items was rounded up to 96 x 1 x 2, 3 x 1 x 2 groups of 32 x 1 x 1");
}

TEST(FaultTable, KnowsEveryKind) {
  for (std::uint32_t kind = 0; kind < 8; ++kind) {
    const Error error = errorOf(recordOf(kind));
    ASSERT_TRUE(error.fault()) << error.what();
    EXPECT_EQ(static_cast<std::uint32_t>(error.fault()->kind), kind);
    EXPECT_EQ(error.fault()->line, static_cast<int>(300 + kind));
  }
  EXPECT_EQ(errorOf(recordOf(5)).message(), "negative exponent 18446744073709551609"); // unsigned
}

TEST(FaultTable, ShowsTheValuesOfAMessage) {
  spl_fault_record record = recordOf(2);
  record.message[0] = 3;
  record.values[0] = 42;
  EXPECT_EQ(errorOf(record).message(), "assertion failed: n is 42!");
}

TEST(FaultTable, RefusesAnotherVersionAndEveryDamage) {
  std::string other = tableBytes();
  other[4] = 2;
  EXPECT_STREQ(thrownBy([&] { FaultTable table(other); }).what(),
               "the image's table of checks is of version 2; this runtime reads version 1; compile "
               "it again");
  for (std::size_t size = 0; size < tableBytes().size(); ++size) {
    const Error error = thrownBy([&] { FaultTable table(tableBytes().substr(0, size)); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidImage) << size;
    EXPECT_EQ(error.message(), "the image's table of checks is damaged") << size;
  }
  // Any byte may be wrong: an error, or a table that is read.
  for (std::size_t at = 0; at < tableBytes().size(); ++at)
    for (int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string bytes = tableBytes();
      bytes[at] = static_cast<char>(value);
      try {
        const FaultTable table(bytes);
        for (std::uint32_t site = 0; site < 9; ++site)
          table.errorOf(recordOf(site), launched, "k", "a device");
      } catch (const Error &error) {
        EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
      }
    }
}

TEST(FaultTable, RefusesTextsAndPlacesThatNoCompilerWrites) {
  const auto isRefused = [](std::size_t at, char value) {
    std::string bytes = tableBytes();
    bytes[at] = value;
    try {
      const FaultTable table(bytes);
      return false;
    } catch (const Error &error) {
      EXPECT_EQ(error.message(), "the image's table of checks is damaged");
      return true;
    }
  };
  const std::size_t texts = tableBytes().find("k.spl");
  for (std::size_t at = texts; at < tableBytes().size(); ++at) // but the digits of "n is {}"
    EXPECT_EQ(isRefused(at, 0), at + 2 != tableBytes().size()) << at;
  EXPECT_FALSE(isRefused(9 + 4, 8));
  EXPECT_TRUE(isRefused(9 + 4, 0)); // the column of the first site
}

TEST(FaultTable, SaysThatARecordCannotBeRead) {
  auto problemOf = [](const std::function<void(spl_fault_record &)> &change) {
    spl_fault_record record = recordOf(0);
    change(record);
    const Error error = errorOf(record);
    EXPECT_EQ(error.code(), ErrorCode::KernelFault);
    EXPECT_EQ(error.fault(), nullptr);
    EXPECT_EQ(error.hint(), "run the kernel on the CPU to see where");
    return error.message();
  };
  const std::string damaged = "a check failed, but the fault record is damaged";
  EXPECT_EQ(problemOf([](auto &record) { record.seal[0] += 1; }),
            "a check failed, but the fault record is of version 2; this runtime reads version 1");
  EXPECT_EQ(problemOf([](auto &record) { record.seal[0] = 7; }), damaged);
  EXPECT_EQ(problemOf([](auto &record) { record.claimed[0] = 0; }), damaged);
  EXPECT_EQ(problemOf([](auto &record) { record.site[0] = 8; }), damaged);
  EXPECT_EQ(problemOf([](auto &record) { record.message[0] = 4; }), damaged);
  EXPECT_EQ(problemOf([](auto &record) { record.localId[0] = 32; }), damaged);
  EXPECT_EQ(problemOf([](auto &record) { record.localId[1] = 1; }), damaged);
  EXPECT_EQ(FaultTable().errorOf(recordOf(0), launched, "k", "d").message(), damaged);
}

TEST(PrintFormat, ShowsAQuestionMarkForAValueThatIsMissing) {
  const std::uint64_t values[] = {1, 2};
  const std::string format = std::string("\1i") + '\0' + " \1b" + '\0' + " \1u" + '\0';
  EXPECT_EQ(detail::printed(format, values), "1 true ?");
  EXPECT_EQ(detail::printed("a\1\1\1b\1", {}), "a\1b\1");
}

TEST(PrintFormat, CutsALongMessageBehindACharacter) {
  const auto message = [](const std::string &text) { return detail::printedMessage(text, {}); };
  const std::string whole(detail::maxMessage, 'x');
  EXPECT_EQ(message(whole), whole);
  EXPECT_EQ(message(whole + "x"), std::string(detail::maxMessage - 3, 'x') + "...");
  std::string wide;
  while (wide.size() < 2000)
    wide += "\u20ac"; // three bytes; 1020 is a multiple of three
  EXPECT_EQ(message(wide), wide.substr(0, 1020) + "...");
  EXPECT_EQ(message("x" + wide), "x" + wide.substr(0, 1017) + "...");
  EXPECT_EQ(message("xy" + wide), "xy" + wide.substr(0, 1017) + "...");
}
