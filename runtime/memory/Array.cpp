// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Array.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/interop/ReleaseCallback.h"
#include "runtime/memory/Elements.h"
#include "runtime/system/Checks.h"
#include "spl/Context.h"
#include "spl/Error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace spl {

using detail::refuse;

/// The size of the pieces in which an array is copied through the host, so that a large array needs
/// little host memory.
static constexpr std::size_t stageBytes = std::size_t{16} << 20;

namespace {

/// Memory of another owner, who frees it.
class BorrowedMemory final : public detail::Allocation {
public:
  BorrowedMemory(std::shared_ptr<detail::BackendContext> context, std::uint64_t address,
                 std::size_t bytes, std::function<void()> release)
      : Allocation(std::move(context), address, bytes), release(std::move(release)) {}

  ~BorrowedMemory() override {
    if (context->inMakingProcess())
      finishUses();
  }

private:
  detail::ReleaseCallback release;
};

} // namespace

Buffer Context::allocBuffer(const ElementType &element, const Shape &shape,
                            MemoryPlace place) const {
  detail::BackendContext &context = usable();
  std::int64_t count = detail::elementCount(element, shape);
  std::shared_ptr<detail::Allocation> memory;
  if (std::size_t bytes = static_cast<std::size_t>(count) * element.size()) {
    memory = context.allocate(place, bytes);
    memory->describeAs(element, shape);
  }
  return Buffer(opened, std::move(memory), element, shape, count);
}

Buffer::Buffer(std::shared_ptr<detail::BackendContext> context,
               std::shared_ptr<detail::Allocation> given, ElementType element, const Shape &shape,
               std::int64_t count)
    : owner(std::move(context)), memory(std::move(given)), base(memory ? memory->address : 0),
      count(count), extents(shape), element(std::move(element)) {}

Buffer::Buffer(Buffer &&other) noexcept
    : owner(std::move(other.owner)), memory(std::move(other.memory)),
      base(std::exchange(other.base, 0)), count(std::exchange(other.count, 0)),
      extents(std::exchange(other.extents, Shape())), element(other.element),
      readOnly(other.readOnly) {}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  if (this != &other) {
    free();
    owner = std::move(other.owner);
    memory = std::move(other.memory);
    base = std::exchange(other.base, 0);
    count = std::exchange(other.count, 0);
    extents = std::exchange(other.extents, Shape());
    element = other.element;
    readOnly = other.readOnly;
  }
  return *this;
}

void Buffer::free() noexcept {
  memory.reset(); // the memory is freed before its context
  owner.reset();
  base = 0;
  count = 0;
  extents = Shape();
}

Buffer Buffer::borrow(const Context &context, std::uint64_t address, const ElementType &element,
                      const Shape &shape, std::function<void()> release) {
  context.usable();
  std::int64_t count = detail::elementCount(element, shape);
  std::size_t bytes = static_cast<std::size_t>(count) * element.size();
  if (bytes && (address == 0 || address % element.align() != 0))
    refuse("borrow: the address is " +
           std::string(address ? "not aligned as " + element.str() + " is" : "null"));
  if (std::uint64_t end = 0; __builtin_add_overflow(address, bytes, &end))
    refuse("borrow: the memory would end beyond all addresses");
  // An array without elements has an allocation too, because the allocation calls release.
  auto memory = std::make_shared<BorrowedMemory>(context.opened, bytes ? address : 0, bytes,
                                                 std::move(release));
  memory->describeAs(element, shape);
  return Buffer(context.opened, std::move(memory), element, shape, count);
}

void Buffer::requireUsable(const char *call) const {
  if (!owner)
    refuse(std::string(call) + ": the array was moved from or freed");
  owner->requireMakingProcess();
}

/// Throws InvalidArgument for a read-only array. The array must be usable.
static void requireWritable(const char *call, const Buffer &array) {
  if (array.isReadOnly())
    refuse(std::string(call) + ": the array is a read-only view",
           "take the view of an array that is not const");
}

void Buffer::requireElement(const ElementType &expected) const {
  if (!element.takes(expected))
    refuse("a buffer of " + element.str() + " cannot become an array of " + expected.str());
}

/// Throws InvalidArgument unless \p bytes is the size of the whole array, so that a short host
/// buffer is never overrun.
static void requireBytes(const char *call, const Buffer &array, std::size_t bytes) {
  if (array.sizeBytes() != bytes)
    refuse(std::string(call) + ": the array has " + std::to_string(array.sizeBytes()) +
           " bytes; the host memory has " + std::to_string(bytes));
}

static void requireStream(const char *call, const std::shared_ptr<detail::BackendContext> &context,
                          const Stream &stream) {
  detail::requireStreamOf(context, "the array's context", stream, call);
}

static detail::DeviceRange rangeOf(const Buffer &array) {
  return {array.allocation(), array.address(), array.sizeBytes()};
}

bool Buffer::isHostAccessible() const { return memory && memory->isHostAccessible(); }

void *Buffer::hostData() const {
  requireUsable("host");
  if (sizeBytes() != 0 && !isHostAccessible())
    refuse("host: the array is in the device's own memory",
           "allocate it as unified or pinned memory, or download it");
  return reinterpret_cast<void *>(base);
}

Buffer Buffer::view(std::int64_t begin, std::int64_t extent) {
  requireUsable("view");
  const std::int64_t rows = extents[0];
  if (begin < 0 || extent < 0 || begin > rows || extent > rows - begin)
    refuse("view: the array has " + std::to_string(rows) + " rows; " + std::to_string(extent) +
           " from " + std::to_string(begin) + " on are not all in it");
  std::vector<std::int64_t> viewed(extents.begin(), extents.end());
  viewed[0] = extent;
  const std::int64_t row = rows ? count / rows : 0;
  Buffer result(owner, memory, element, Shape::of(viewed), row * extent);
  result.base = result.count ? base + static_cast<std::uint64_t>(row * begin) * element.size() : 0;
  result.readOnly = readOnly;
  return result;
}

Buffer Buffer::view(std::int64_t begin, std::int64_t extent) const {
  Buffer result = const_cast<Buffer *>(this)->view(begin, extent);
  result.readOnly = true;
  return result;
}

Buffer Buffer::reshape(const Shape &shape) {
  requireUsable("reshape");
  if (detail::elementCount(element, shape) != count)
    refuse("reshape: an array of " + std::to_string(count) + " elements cannot have the shape " +
           shape.str());
  Buffer result(owner, memory, element, shape, count);
  result.base = base;
  result.readOnly = readOnly;
  return result;
}

Buffer Buffer::reshape(const Shape &shape) const {
  Buffer result = const_cast<Buffer *>(this)->reshape(shape);
  result.readOnly = true;
  return result;
}

void Buffer::uploadBytes(const void *source, std::size_t bytes) {
  requireUsable("upload");
  requireWritable("upload", *this);
  requireBytes("upload", *this, bytes);
  if (!bytes)
    return;
  memory->waitForUses();
  owner->upload(base, source, bytes);
}

void Buffer::downloadBytes(void *target, std::size_t bytes) const {
  requireUsable("download");
  requireBytes("download", *this, bytes);
  if (!bytes)
    return;
  memory->waitForUses();
  owner->download(target, base, bytes);
}

void Buffer::uploadBytesAsync(const void *source, std::size_t bytes, const Stream &stream) {
  requireUsable("uploadAsync");
  requireWritable("uploadAsync", *this);
  requireBytes("uploadAsync", *this, bytes);
  requireStream("uploadAsync", owner, stream);
  if (bytes)
    stream.backend()->upload(rangeOf(*this), source);
}

void Buffer::downloadBytesAsync(void *target, std::size_t bytes, const Stream &stream) const {
  requireUsable("downloadAsync");
  requireBytes("downloadAsync", *this, bytes);
  requireStream("downloadAsync", owner, stream);
  if (bytes)
    stream.backend()->download(target, rangeOf(*this));
}

/// The number of bytes of \p value that a fill repeats, or 0 if no device has a fill of that size.
static std::size_t fillUnit(const ElementType &element, const void *value) {
  const auto *first = static_cast<const std::byte *>(value);
  if (std::all_of(first, first + element.size(), [&](std::byte byte) { return byte == *first; }))
    return 1;
  return element.size() <= sizeof(std::uint64_t) && std::has_single_bit(element.size())
             ? element.size()
             : 0;
}

void Buffer::fillBytes(const void *value) {
  requireUsable("fill");
  requireWritable("fill", *this);
  if (sizeBytes() == 0)
    return;
  memory->waitForUses();
  if (std::size_t unit = fillUnit(element, value)) {
    const std::shared_ptr<detail::BackendStream> &stream = owner->defaultStream();
    stream->fill(rangeOf(*this), value, unit);
    return stream->sync();
  }
  const std::size_t maxStage =
      std::max(stageBytes / element.size(), std::size_t{1}) * element.size();
  std::vector<std::byte> stage(std::min(maxStage, sizeBytes()));
  for (std::size_t at = 0; at < stage.size(); at += element.size())
    std::memcpy(stage.data() + at, value, element.size());
  for (std::size_t done = 0; done < sizeBytes(); done += stage.size())
    owner->upload(base + done, stage.data(), std::min(stage.size(), sizeBytes() - done));
}

void Buffer::fillBytesAsync(const void *value, const Stream &stream) {
  requireUsable("fillAsync");
  requireWritable("fillAsync", *this);
  requireStream("fillAsync", owner, stream);
  std::size_t unit = fillUnit(element, value);
  if (unit == 0)
    refuse("fillAsync: no device can fill elements of " + std::to_string(element.size()) + " bytes",
           "use fill, or upload the elements");
  if (sizeBytes() != 0)
    stream.backend()->fill(rangeOf(*this), value, unit);
}

/// Throws unless \p source can be copied into \p target. Both are usable.
static void requireSameElements(const char *call, const Buffer &source, const Buffer &target) {
  requireWritable(call, target);
  if (!(source.elementType() == target.elementType()) || source.size() != target.size())
    refuse(std::string(call) + ": " + std::to_string(source.size()) + " elements of " +
           source.elementType().str() + " do not fit an array of " + std::to_string(target.size()) +
           " of " + target.elementType().str());
  if (source.allocation() && source.allocation() == target.allocation() &&
      source.address() < target.address() + target.sizeBytes() &&
      target.address() < source.address() + source.sizeBytes())
    refuse(std::string(call) + ": the two arrays share memory");
}

void Buffer::copyToAsync(Buffer &target, const Stream &stream) const {
  requireUsable("copyToAsync");
  target.requireUsable("copyToAsync");
  requireSameElements("copyToAsync", *this, target);
  requireStream("copyToAsync", owner, stream);
  requireStream("copyToAsync", target.owner, stream);
  if (sizeBytes() != 0)
    stream.backend()->copy(rangeOf(target), rangeOf(*this));
}

void Buffer::copyTo(Buffer &target) const {
  requireUsable("copyTo");
  target.requireUsable("copyTo");
  requireSameElements("copyTo", *this, target);
  if (owner != target.owner)
    refuse("copyTo: the arrays belong to two contexts", "use copyToPeer");
  if (sizeBytes() == 0)
    return;
  memory->waitForUses();
  target.memory->waitForUses();
  const std::shared_ptr<detail::BackendStream> &stream = owner->defaultStream();
  stream->copy(rangeOf(target), rangeOf(*this));
  stream->sync();
}

void Buffer::copyToPeerAsync(Buffer &target, const Stream &stream) const {
  requireUsable("copyToPeerAsync");
  target.requireUsable("copyToPeerAsync");
  requireSameElements("copyToPeerAsync", *this, target);
  requireStream("copyToPeerAsync", owner, stream);
  if (owner->info.backend != target.owner->info.backend)
    throw Error({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "copyToPeerAsync: the arrays are of two backends, on " +
                            owner->describe() + " and " + target.owner->describe(),
                 .hint = "use copyToPeer, which goes through the host"});
  if (sizeBytes() != 0)
    stream.backend()->copyToPeer(rangeOf(target), rangeOf(*this));
}

void Buffer::copyToPeer(Buffer &target) const {
  requireUsable("copyToPeer");
  target.requireUsable("copyToPeer");
  requireSameElements("copyToPeer", *this, target);
  if (sizeBytes() == 0)
    return;
  memory->waitForUses();
  target.memory->waitForUses();
  if (owner->info.backend == target.owner->info.backend) {
    target.owner->defaultStream()->sync();
    const std::shared_ptr<detail::BackendStream> &stream = owner->defaultStream();
    stream->copyToPeer(rangeOf(target), rangeOf(*this));
    return stream->sync();
  }
  std::vector<std::byte> stage(std::min(stageBytes, sizeBytes()));
  for (std::size_t done = 0; done < sizeBytes(); done += stage.size()) {
    const std::size_t bytes = std::min(stage.size(), sizeBytes() - done);
    owner->download(stage.data(), base + done, bytes);
    target.owner->upload(target.base + done, stage.data(), bytes);
  }
}

} // namespace spl
