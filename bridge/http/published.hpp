// A manifest as it goes out: the bodies of the discovery endpoints and their tags. Immutable, shared by requests.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <toolwire/bridge/manifest.hpp>

#include "http/message.hpp"

namespace toolwire::bridge::http {

struct Body {
  std::string text = {};
  std::string tag = {};  // for `ETag`, quotes and all
};

/// Bodies of one manifest.
class Published {
 public:
  explicit Published(const Manifest& manifest);

  const Body& whole() const { return whole_; }
  /// Null if there is no such tool.
  const Body* tool(std::string_view name) const;

 private:
  Body whole_;
  std::map<std::string, Body, std::less<>> tools_;
};

/// Who may keep an answer for others to have.
enum class Caches { shared, of_the_client };

/// Answers GET and HEAD below /api/v1/tools, and everything else that is no execution. `published` is null while the
/// scenario is unavailable.
Answer answer_discovery(const Request& request, const Published* published, Caches caches);

inline constexpr std::string_view execute_path = "/api/v1/tools/execute";
/// Whether this is a request for POST /api/v1/tools/execute.
bool is_execution(const Request& request);

}  // namespace toolwire::bridge::http
