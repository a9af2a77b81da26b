#include "login/challenge.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include <toolwire/http/protected_resource.hpp>

#include <toolwire/http/detail/header_text.hpp>

namespace toolwire::bridge::login {
namespace {

constexpr std::size_t max_scope = 256;  // bytes

/// Reads one header field from its beginning to its end.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// The parameters of the first Bearer challenge; nothing if there is none.
  std::optional<std::map<std::string, std::string>> bearer() {
    std::optional<std::map<std::string, std::string>> found;
    bool is_bearer = false;
    for (skip(" \t,"); at_ < text_.size(); skip(" \t,")) {
      const std::string name = header_text::lower(token());
      if (name.empty()) return found;  // no challenge any more
      const std::size_t behind = at_;
      skip(" \t");
      if (peek() == '=' && is_parameter()) {
        std::string stated = value();
        if (is_bearer) found->emplace(name, std::move(stated));
        continue;
      }
      if (found) return found;  // the next scheme
      at_ = behind;
      is_bearer = name == "bearer";
      if (is_bearer) found.emplace();
      skip_token68();
    }
    return found;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip(std::string_view what) { at_ = std::min(text_.find_first_not_of(what, at_), text_.size()); }

  std::string_view token() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && header_text::is_token(text_.substr(at_, 1))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// And no "=" at the end of a token68.
  [[nodiscard]] bool is_parameter() const {
    const std::size_t next = text_.find_first_not_of(" \t", at_ + 1);
    return next != std::string_view::npos && text_[next] != '=' && text_[next] != ',';
  }

  /// "Basic dGV4dA==": the credentials of a scheme without parameters.
  void skip_token68() {
    const std::size_t before = at_;
    skip(" ");
    token();
    const std::size_t end = text_.find_first_not_of('=', at_);
    const std::size_t next = text_.find_first_not_of(" \t", std::min(end, text_.size()));
    const bool is_alone = next == std::string_view::npos || text_[next] == ',';
    at_ = is_alone ? std::min(next, text_.size()) : before;
  }

  std::string value() {
    ++at_;
    skip(" \t");
    if (peek() != '"') return std::string(token());
    std::string stated;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      stated.push_back(text_[at_]);
    }
    at_ = std::min(at_ + 1, text_.size());
    return stated;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> scopes_in(std::string_view text) {
  std::vector<std::string> scopes;
  while (!text.empty() && scopes.size() < max_scopes) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string one(text.substr(0, end));
    if (one.size() <= max_scope && is_scope(one) && std::ranges::find(scopes, one) == scopes.end())
      scopes.push_back(one);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return scopes;
}

std::vector<std::string> union_of(std::vector<std::string> scopes, const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    if (std::ranges::find(scopes, one) == scopes.end()) scopes.push_back(one);
  }
  return scopes;
}

std::string text_of(const std::vector<std::string>& scopes) {
  std::string text;
  for (const std::string& one : scopes) text.append(text.empty() ? "" : " ").append(one);
  return text;
}

Challenge challenge_in(const HttpResponse& head) {
  for (const auto& [name, value] : head.headers) {
    if (name != "www-authenticate") continue;
    if (auto found = Reader(value).bearer())
      return {.resource_metadata = (*found)["resource_metadata"],
              .error = (*found)["error"],
              .scopes = scopes_in((*found)["scope"])};
  }
  return {};
}

}  // namespace toolwire::bridge::login
