// Names and values for a place where strangers read and write: names tell nothing about what they are of, and a value
// opens only under the name, and until the time, that it was sealed for. Independent of where they are kept.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::bridge {

/// Thread-safe.
class Sealing {
 public:
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  /// `place`: what is sealed for one opens in no other. Throws std::invalid_argument if a key is shorter than 16 bytes;
  /// the second may be empty.
  Sealing(std::string_view place, std::string_view key, std::string_view second_key, std::string prefix);

  /// What `what` of this kind is called, with each of the keys; the first is the one it is kept under. The kind is
  /// readable.
  std::vector<std::string> names(std::string_view kind, std::string_view what) const;

  /// What something is called that tells nothing: the same with every key.
  std::string plain_name(std::string_view what) const { return prefix_ + std::string(what); }

  /// Sealed with the first key.
  std::string seal(std::string_view name, std::string_view value, Time expires) const;

  enum class Refusal { altered, unknown_key, expired };
  struct Opened {
    std::string value = {};
    std::optional<Refusal> refusal = {};  ///< Why there is no value.
  };
  Opened open(std::string_view name, std::string_view sealed, Time now) const;

 private:
  using Secret = std::array<unsigned char, 32>;
  struct Key {
    std::string id;
    Secret of_names;
    Secret of_values;
  };

  static Key key_of(std::string_view place, std::string_view text);
  const Key* key_in(std::string_view sealed) const;

  const std::string prefix_;
  std::vector<Key> keys_;
};

}  // namespace toolwire::bridge
