// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Npy.h"
#include "cli/Failure.h"
#include "test/unit/TemporaryFolder.h"
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <spl/Signature.h>

using namespace spl;
using namespace spl::cli;

namespace {

class Npy : public testing::Test {
protected:
  const spl::test::TemporaryFolder own;
  const std::filesystem::path &folder = own.path();
  const std::string path = (folder / "x.npy").string();

  void write(const std::string &bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  // Writes a file of version 1.0 with this header text and data.
  void writeFile(std::string header, const std::string &data) const {
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    write(bytes + header + data);
  }
  std::string refusal(const ElementType &expected = ScalarType::F32) const {
    try {
      readNpy(path, expected);
    } catch (const Failure &failure) {
      return failure.what();
    }
    return "accepted";
  }
  std::string refused(const std::string &why) const { return "cannot read '" + path + "': " + why; }
};

HostArray arrayOf(const std::vector<std::int32_t> &values, std::vector<std::int64_t> shape) {
  HostArray array{ScalarType::I32, std::move(shape), {}};
  const auto *bytes = reinterpret_cast<const std::byte *>(values.data());
  array.bytes.assign(bytes, bytes + values.size() * 4);
  return array;
}

TEST_F(Npy, ReadsBackWhatItWrote) {
  for (const std::vector<std::int64_t> &shape :
       {std::vector<std::int64_t>{6}, {2, 3}, {1, 2, 3}, {6, 1, 1, 1}}) {
    const HostArray written = arrayOf({1, -2, 3, -4, 5, -6}, shape);
    writeNpy(path, written);
    const HostArray read = readNpy(path, ScalarType::F32);
    EXPECT_EQ(read.element, ScalarType::I32);
    EXPECT_EQ(read.shape, shape);
    EXPECT_EQ(read.bytes, written.bytes);
  }
  writeNpy(path, arrayOf({}, {0, 5}));
  EXPECT_EQ(readNpy(path, ScalarType::F32).shape, (std::vector<std::int64_t>{0, 5}));
}

TEST_F(Npy, AlignsItsElements) {
  writeNpy(path, arrayOf({7}, {1}));
  EXPECT_EQ((std::filesystem::file_size(path) - 4) % 64, 0u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1)
      << "left a temporary";
}

TEST_F(Npy, ReadsWhatNumPyWrites) {
  writeFile("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
            std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  const HostArray read = readNpy(path, ScalarType::F32);
  EXPECT_EQ(read.element, ScalarType::F64);
  double value;
  std::memcpy(&value, read.bytes.data(), 8);
  EXPECT_EQ(value, 1.0);
  writeFile("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", std::string("\x02\0", 2));
  EXPECT_EQ(readNpy(path, ScalarType::F32).bytes,
            (std::vector<std::byte>{std::byte(1), std::byte(0)}));
}

TEST_F(Npy, ReadsTheOrderOfTheMachine) {
  writeFile("{'descr': '=f4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  EXPECT_EQ(readNpy(path, ScalarType::F32).element, ScalarType::F32);
}

TEST_F(Npy, RefusesAKeyThatIsGivenTwice) {
  writeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (2,), }", "abcd");
  EXPECT_EQ(refusal(), refused("its header has two 'shape'"));
  writeFile("{'descr': '<f8', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  EXPECT_EQ(refusal(), refused("its header has two 'descr'"));
}

TEST_F(Npy, RefusesOtherTypesAndOrders) {
  writeFile("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  EXPECT_EQ(refusal(), refused("its elements are big-endian ('>f4'); save it little-endian, as "
                               "array.astype('<f4')"));
  writeFile("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "abcdefgh");
  EXPECT_EQ(refusal(), refused("its elements are '<c8', which is no scalar type of the language"));
  writeFile("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "abcd");
  EXPECT_EQ(refusal(), refused("it is in Fortran order; save it in C order, as "
                               "numpy.ascontiguousarray(array)"));
  writeFile("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd");
  EXPECT_EQ(refusal(), refused("its elements are [('x', '<f4')], and the parameter's are f32"));
}

// The bytes that numpy.save writes for a struct Body, whose type is np.dtype([("pos", "<f4", 4),
// ("spin", [("axis", "u1"), ("rate", "<f8")]), ...], align=True).
const ElementType body =
    Signature::parse(
        "enum Level(Low = 0) struct Spin(axis: u8, rate: f64) struct Body(pos: f32x4, "
        "spin: Spin, rows: [[i16; 3]; 2], half: bf16, level: Level, on: bool) k(b: Body)")
        .parameters()[0]
        .type.element;
const std::string bodyDescriptor =
    "[('pos', '<f4', (4,)), ('spin', [('axis', '|u1'), ('', '|V7'), ('rate', '<f8')]), "
    "('rows', '<i2', (2, 3)), ('half', '<u2'), ('', '|V2'), ('level', '<i4'), ('on', '|b1'), "
    "('', '|V11')]";

TEST_F(Npy, ComposedTypesAreRecordsAndFurtherAxes) {
  ASSERT_EQ(body.size(), 64u);
  std::string data(128, '\0');
  for (std::size_t i = 0; i != data.size(); ++i)
    data[i] = static_cast<char>(i);
  writeFile("{'descr': " + bodyDescriptor + ", 'fortran_order': False, 'shape': (2,), }", data);
  const HostArray read = readNpy(path, body);
  EXPECT_EQ(read.element, body);
  EXPECT_EQ(read.shape, std::vector<std::int64_t>{2});
  data[52] = data[64 + 52] = 1; // the bools
  EXPECT_EQ(std::string(reinterpret_cast<const char *>(read.bytes.data()), 128), data);
  writeNpy(path, read);
  EXPECT_EQ(readNpy(path, body).bytes, read.bytes);

  const ElementType vector = ElementType::vector(ScalarType::I32, 2);
  writeNpy(path, arrayOf({1, 2, 3, 4, 5, 6}, {3, 2}));
  const HostArray vectors = readNpy(path, vector);
  EXPECT_EQ(vectors.element, vector);
  EXPECT_EQ(vectors.shape, std::vector<std::int64_t>{3});
  writeNpy(path, vectors);
  EXPECT_EQ(readNpy(path, ScalarType::I32).shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(readNpy(path, ElementType::vector(ScalarType::I32, 4)).element, ScalarType::I32);

  writeFile("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", "ab");
  EXPECT_EQ(readNpy(path, ScalarType::BF16).element, ScalarType::BF16);
  EXPECT_EQ(readNpy(path, ScalarType::F16).element, ScalarType::U16);
  writeFile("{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", "ab");
  EXPECT_EQ(readNpy(path, ScalarType::BF16).element, ScalarType::F16);
}

TEST_F(Npy, RefusesRecordsOfAnotherLayoutSayingBoth) {
  const ElementType pair =
      Signature::parse("struct Pair(x: f32, y: f64) k(p: Pair)").parameters()[0].type.element;
  const std::string packed = "[('x', '<f4'), ('y', '<f8')]";
  writeFile("{'descr': " + packed + ", 'fortran_order': False, 'shape': (1,), }", "abcdabcdefgh");
  EXPECT_EQ(refusal(pair), refused("its elements are " + packed +
                                   ", and Pair is "
                                   "[('x','<f4'),('','|V4'),('y','<f8')]"));
  writeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  // A parameter of type pair then rejects it.
  EXPECT_EQ(readNpy(path, pair).element, ScalarType::F32);
  writeFile("{'descr': [('x', '<f4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  EXPECT_EQ(refusal(pair), refused("its header's 'descr' has a bracket that does not end"));
  writeFile("{'descr': [('x, <f4)], fortran_order: False, 'fortran_order': 'shape': (1,), }", "");
  EXPECT_EQ(refusal(pair), refused("its 'fortran_order' is neither True nor False"));
  writeFile("{'fortran_order': False, 'shape': (1,), 'descr': '<f4, }", "abcd");
  EXPECT_EQ(refusal(pair), refused("its header's 'descr' has a string that does not end"));
}

TEST_F(Npy, LongHeadersTakeVersionTwo) {
  std::string fields;
  for (int i = 0; i != 200; ++i)
    fields += (i ? ", " : "") + std::string(400, 'a') + std::to_string(i) + ": u8";
  const ElementType wide =
      Signature::parse("struct Wide(" + fields + ") k(w: Wide)").parameters()[0].type.element;
  HostArray array{wide, {3}, std::vector<std::byte>(600, std::byte(7))};
  writeNpy(path, array);
  EXPECT_EQ(std::filesystem::file_size(path) % 64, 600u % 64);
  EXPECT_EQ(readNpy(path, wide).bytes, array.bytes);
}

TEST_F(Npy, RefusesDamage) {
  EXPECT_EQ(refusal(), refused("No such file or directory"));
  write("");
  EXPECT_EQ(refusal(), refused("it is not a .npy file"));
  write("\x93NUMPY\x09");
  EXPECT_EQ(refusal(), refused("it is not a .npy file"));
  writeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd");
  EXPECT_EQ(refusal(), refused("its shape needs 8 bytes and the file holds 4"));
  writeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "abcdX");
  EXPECT_EQ(refusal(), refused("its shape needs 4 bytes and the file holds 5"));
  writeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999,9999999999,), }", "");
  EXPECT_EQ(refusal(), refused("its shape is too large"));
  writeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "");
  EXPECT_EQ(refusal(), refused("its shape is malformed"));
  writeFile("{'descr': '<f4', 'shape': (1,), }", "abcd");
  EXPECT_EQ(refusal(), refused("its header has no 'fortran_order'"));
}

// Every proper prefix of a valid file is rejected, and none crashes.
TEST_F(Npy, RefusesEveryTruncation) {
  writeNpy(path, arrayOf({1, 2, 3}, {3}));
  std::ifstream file(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  for (std::size_t length = 0; length != whole.size(); ++length) {
    write(whole.substr(0, length));
    EXPECT_NE(refusal(), "accepted") << length;
  }
}

TEST_F(Npy, SaysWhyItCannotWrite) {
  EXPECT_THROW(writeNpy((folder / "missing" / "x.npy").string(), arrayOf({1}, {1})), Failure);
}

} // namespace
