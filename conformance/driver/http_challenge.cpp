#include "driver/http_challenge.hpp"

#include <algorithm>
#include <cctype>

namespace toolwire::conformance {
namespace {

constexpr std::string_view white = " \t";

/// Reads one value of WWW-Authenticate, which may have several challenges.
class ChallengeReader {
 public:
  explicit ChallengeReader(std::string_view text) : rest_(text) {}

  std::optional<ChallengeParameters> bearer() {
    std::optional<ChallengeParameters> found;
    while (true) {
      skip(" \t,");
      std::string name = word();
      if (name.empty()) return found;
      skip(white);
      if (rest_.starts_with('=')) {
        rest_.remove_prefix(1);
        skip(white);
        std::string said = value();
        if (found) found->emplace(std::move(name), std::move(said));
      } else if (found) {
        return found;  // another challenge
      } else if (name == "bearer") {
        found.emplace();
      }
    }
  }

 private:
  void skip(std::string_view characters) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(characters), rest_.size()));
  }

  std::string word() {
    const std::size_t end = std::min(rest_.find_first_of(" \t,=\""), rest_.size());
    std::string text(rest_.substr(0, end));
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    rest_.remove_prefix(end);
    return text;
  }

  std::string value() {
    std::string text;
    if (!rest_.starts_with('"')) {
      const std::size_t end = std::min(rest_.find_first_of(" \t,"), rest_.size());
      text = rest_.substr(0, end);
      rest_.remove_prefix(end);
      return text;
    }
    std::size_t at = 1;
    for (; at < rest_.size() && rest_[at] != '"'; ++at) {
      if (rest_[at] == '\\' && at + 1 < rest_.size()) ++at;
      text += rest_[at];
    }
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
    return text;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<ChallengeParameters> bearer_challenge(const HttpReply& reply) {
  for (const auto& [name, value] : reply.headers) {
    if (!is_same_header(name, "WWW-Authenticate")) continue;
    if (auto found = ChallengeReader(value).bearer()) return found;
  }
  return std::nullopt;
}

std::string parameter(const std::optional<ChallengeParameters>& challenge, std::string_view name) {
  if (!challenge) return {};
  const auto found = challenge->find(name);
  return found == challenge->end() ? std::string() : found->second;
}

}  // namespace toolwire::conformance
