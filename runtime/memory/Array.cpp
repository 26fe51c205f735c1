// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Array.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/interop/Release.h"
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

/// What goes through the host goes piece by piece, so that a large array does not need as much of
/// it.
static constexpr std::size_t stageBytes = std::size_t{16} << 20;

namespace {

/// Borrowed memory: it is its owner's to free.
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
  detail::Release release;
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
  memory.reset(); // before its context
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
  // An array without elements has an allocation too, for the sake of its release.
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

void Buffer::requireWritable(const char *call) const {
  requireUsable(call);
  if (readOnly)
    refuse(std::string(call) + ": the array is a read-only view",
           "take the view of an array that is not const");
}

void Buffer::requireElement(const ElementType &expected) const {
  if (!element.takes(expected))
    refuse("a buffer of " + element.str() + " cannot become an array of " + expected.str());
}

/// A transfer moves a whole array, so that a short host buffer is an error and never an overrun.
void Buffer::requireBytes(const char *call, std::size_t bytes) const {
  if (sizeBytes() != bytes)
    refuse(std::string(call) + ": the array has " + std::to_string(sizeBytes()) +
           " bytes; the host memory has " + std::to_string(bytes));
}

void Buffer::requireStream(const char *call, const Stream &stream) const {
  detail::requireStreamOf(owner, "the array's context", stream, call);
}

detail::DeviceRange Buffer::range() const { return {memory, base, sizeBytes()}; }

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
  requireWritable("upload");
  requireBytes("upload", bytes);
  if (!bytes)
    return;
  memory->waitForUses();
  owner->upload(base, source, bytes);
}

void Buffer::downloadBytes(void *target, std::size_t bytes) const {
  requireUsable("download");
  requireBytes("download", bytes);
  if (!bytes)
    return;
  memory->waitForUses();
  owner->download(target, base, bytes);
}

void Buffer::uploadBytesAsync(const void *source, std::size_t bytes, const Stream &stream) {
  requireWritable("uploadAsync");
  requireBytes("uploadAsync", bytes);
  requireStream("uploadAsync", stream);
  if (bytes)
    stream.backend()->upload(range(), source);
}

void Buffer::downloadBytesAsync(void *target, std::size_t bytes, const Stream &stream) const {
  requireUsable("downloadAsync");
  requireBytes("downloadAsync", bytes);
  requireStream("downloadAsync", stream);
  if (bytes)
    stream.backend()->download(target, range());
}

/// The size of the piece that fills the array when it is repeated, or 0 where no device has a fill
/// of that size.
std::size_t Buffer::fillUnit(const void *value) const {
  const auto *first = static_cast<const std::byte *>(value);
  if (std::all_of(first, first + element.size(), [&](std::byte byte) { return byte == *first; }))
    return 1;
  return element.size() <= sizeof(std::uint64_t) && std::has_single_bit(element.size())
             ? element.size()
             : 0;
}

void Buffer::fillBytes(const void *value) {
  requireWritable("fill");
  if (sizeBytes() == 0)
    return;
  memory->waitForUses();
  if (std::size_t unit = fillUnit(value)) {
    const std::shared_ptr<detail::BackendStream> &stream = owner->defaultStream();
    stream->fill(range(), value, unit);
    return stream->sync();
  }
  const std::size_t maxBytes =
      std::max(stageBytes / element.size(), std::size_t{1}) * element.size();
  std::vector<std::byte> stage(std::min(maxBytes, sizeBytes()));
  for (std::size_t at = 0; at < stage.size(); at += element.size())
    std::memcpy(stage.data() + at, value, element.size());
  for (std::size_t done = 0; done < sizeBytes(); done += stage.size())
    owner->upload(base + done, stage.data(), std::min(stage.size(), sizeBytes() - done));
}

void Buffer::fillBytesAsync(const void *value, const Stream &stream) {
  requireWritable("fillAsync");
  requireStream("fillAsync", stream);
  std::size_t unit = fillUnit(value);
  if (unit == 0)
    refuse("fillAsync: no device fills elements of " + std::to_string(element.size()) + " bytes",
           "use fill, or upload the elements");
  if (sizeBytes() != 0)
    stream.backend()->fill(range(), value, unit);
}

void Buffer::requireSameElements(const char *call, const Buffer &target) const {
  requireUsable(call);
  target.requireWritable(call);
  if (!(element == target.element) || count != target.count)
    refuse(std::string(call) + ": " + std::to_string(count) + " elements of " + element.str() +
           " do not fit an array of " + std::to_string(target.count) + " of " +
           target.element.str());
  if (memory && memory == target.memory && base < target.base + target.sizeBytes() &&
      target.base < base + sizeBytes())
    refuse(std::string(call) + ": the two arrays share memory");
}

void Buffer::copyToAsync(Buffer &target, const Stream &stream) const {
  requireSameElements("copyToAsync", target);
  requireStream("copyToAsync", stream);
  target.requireStream("copyToAsync", stream);
  if (sizeBytes() != 0)
    stream.backend()->copy(target.range(), range());
}

void Buffer::copyTo(Buffer &target) const {
  requireSameElements("copyTo", target);
  if (owner != target.owner)
    refuse("copyTo: the arrays belong to two contexts", "use copyToPeer");
  if (sizeBytes() == 0)
    return;
  memory->waitForUses();
  target.memory->waitForUses();
  const std::shared_ptr<detail::BackendStream> &stream = owner->defaultStream();
  stream->copy(target.range(), range());
  stream->sync();
}

void Buffer::copyToPeerAsync(Buffer &target, const Stream &stream) const {
  requireSameElements("copyToPeerAsync", target);
  requireStream("copyToPeerAsync", stream);
  if (owner->info.backend != target.owner->info.backend)
    throw Error({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "copyToPeerAsync: the arrays are of two backends, on " +
                            owner->describe() + " and " + target.owner->describe(),
                 .remedy = "use copyToPeer, which goes through the host"});
  if (sizeBytes() != 0)
    stream.backend()->copyToPeer(target.range(), range());
}

void Buffer::copyToPeer(Buffer &target) const {
  requireSameElements("copyToPeer", target);
  if (sizeBytes() == 0)
    return;
  memory->waitForUses();
  target.memory->waitForUses();
  if (owner->info.backend == target.owner->info.backend) {
    target.owner->defaultStream()->sync();
    const std::shared_ptr<detail::BackendStream> &stream = owner->defaultStream();
    stream->copyToPeer(target.range(), range());
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
