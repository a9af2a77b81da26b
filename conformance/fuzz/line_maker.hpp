// Lines that a broken or hostile host might send: messages that fit a server, changed by chance. The same seed and the
// same messages give the same lines, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

class LineMaker {
 public:
  /// `messages`: at least one.
  LineMaker(std::uint64_t seed, std::vector<Json> messages) : random_(seed), messages_(std::move(messages)) {}

  /// One in four as it is, one in two with other values, one in four no longer sure to be JSON. Without line feed.
  std::string next();

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  Json changed(Json message);
  void change(Json& value);
  void change_members(JsonObject& object);
  Json odd_value();
  std::string damaged(std::string text);
  std::string noise();

  std::mt19937_64 random_;
  const std::vector<Json> messages_;
};

}  // namespace toolwire::conformance
