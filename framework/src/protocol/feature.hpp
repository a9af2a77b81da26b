// What a server may offer its clients: capabilities and methods depend on it. Independent of how it is offered.
#pragma once

#include <atomic>
#include <cstdint>

namespace toolwire::protocol {

enum class Feature : std::uint8_t { tools, prompts, resources, resource_updates, completions, logging, tasks };

/// A plain set of features.
class Features {
 public:
  constexpr bool has(Feature feature) const { return (bits_ & bit(feature)) != 0; }
  constexpr Features with(Feature feature) const { return Features(bits_ | bit(feature)); }
  constexpr bool is_empty() const { return bits_ == 0; }

  constexpr Features() = default;

 private:
  friend class OfferedFeatures;
  constexpr explicit Features(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(Feature feature) { return std::uint32_t{1} << static_cast<unsigned>(feature); }
  std::uint32_t bits_ = 0;
};

/// The features of a server, or those a client was told of. Thread-safe.
class OfferedFeatures {
 public:
  /// A feature that is offered stays so, also when the last thing of its kind is removed: clients have been told of it.
  void add(Feature feature) { bits_.fetch_or(Features().with(feature).bits_, std::memory_order_acq_rel); }
  void set(Features features) { bits_.store(features.bits_, std::memory_order_release); }
  Features get() const { return Features(bits_.load(std::memory_order_acquire)); }

 private:
  std::atomic<std::uint32_t> bits_{0};
};

}  // namespace toolwire::protocol
