// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches made ahead of their use, on threads of their own: reading, decoding, shuffling. The
/// consumer takes them in order, however many threads make them. A loader is used from one thread
/// at a time; its producer is called on several at once where there are several workers.
#ifndef SPL_DATALOADER_H
#define SPL_DATALOADER_H

#include <spl/Cxx20.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace spl {

class Trace;

/// How far ahead a loader works.
struct DataLoaderOptions {
  /// How many batches may be ready or in the making beyond those taken, 1 to 65536.
  std::size_t prefetch = 2;
  std::size_t workers = 1; ///< threads that make them; more than prefetch have nothing to do
  Trace *trace = nullptr;  ///< where to note what ran when; outlives the loader
};

/// Times in milliseconds.
struct DataLoaderStats {
  std::size_t batches = 0;   ///< that were taken
  double produceMs = 0;      ///< in the producer, of all workers together
  double producerWaitMs = 0; ///< workers waited for room, together
  double consumerWaitMs = 0; ///< next waited for a batch
};

namespace detail {

/// The loader without the type of its batches: which are in the making and which are ready.
class Prefetcher {
public:
  /// Makes batch \p index and keeps it at \p place; answers whether there is one. Called on many
  /// threads, never twice at once for one place.
  using Make = std::function<bool(std::size_t index, std::size_t place)>;

  /// How many places there are. Throws InvalidArgument for none and for too many.
  static std::size_t placesFor(const DataLoaderOptions &options);

  Prefetcher(Make make, const DataLoaderOptions &options);
  Prefetcher(Prefetcher &&) noexcept;
  Prefetcher &operator=(Prefetcher &&) noexcept;
  ~Prefetcher();

  /// Waits for the next batch in order: its place, or none at the end. Throws what making it threw,
  /// and is past it then.
  std::optional<std::size_t> wait();

  /// The place of the batch that wait answered is free again.
  void release();

  DataLoaderStats stats() const;

private:
  struct State;
  State &usable() const;
  void end() noexcept;

  std::unique_ptr<State> state;
};

} // namespace detail

/// Calls a producer ahead of the consumer, by DataLoaderOptions::prefetch batches at most.
/// Move-only; its functions are called from one thread at a time. In a child made by fork they
/// throw ForkedProcess.
template <typename Batch> class DataLoader {
public:
  /// Makes batch \p index, or none past the end of the data. With several workers it is called on
  /// many threads, and for some batches past the end.
  using Producer = std::function<std::optional<Batch>(std::size_t index)>;

  /// Starts at once. Throws InvalidArgument without a producer or workers, and for a number of
  /// batches ahead that cannot be.
  /// When it ends, it waits for the calls of the producer that are going on, and drops what was not
  /// taken.
  explicit DataLoader(Producer producer, const DataLoaderOptions &options = {})
      : places(std::make_shared<Places>(detail::Prefetcher::placesFor(options))),
        prefetcher(maker(std::move(producer), places), options) {}

  /// The next batch in order, or none once the data has ended. Waits until it is there. Throws what
  /// the producer threw for it; the call after that answers the batch that follows. InvalidArgument
  /// in the producer itself.
  std::optional<Batch> next() {
    const std::optional<std::size_t> place = prefetcher.wait();
    if (!place)
      return std::nullopt;
    std::optional<Batch> batch = std::move((*places)[*place]);
    (*places)[*place].reset();
    prefetcher.release();
    return batch;
  }

  DataLoaderStats stats() const { return prefetcher.stats(); }

private:
  using Places = std::vector<std::optional<Batch>>;

  static detail::Prefetcher::Make maker(Producer producer, std::shared_ptr<Places> places) {
    if (!producer)
      return nullptr;
    return [producer = std::move(producer), places = std::move(places)](std::size_t index,
                                                                        std::size_t place) {
      (*places)[place] = producer(index);
      return (*places)[place].has_value();
    };
  }

  std::shared_ptr<Places> places; ///< the workers hold them too
  detail::Prefetcher prefetcher;
};

} // namespace spl

#endif
