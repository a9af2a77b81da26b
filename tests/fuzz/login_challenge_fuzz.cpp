// Any bytes in WWW-Authenticate: what is found can be sent on, and what the framework's own servers say is read as they
// meant it. The first byte says which of the two.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <toolwire/http/protected_resource.hpp>
#include <vector>

#include "login/challenge.hpp"

namespace {

using namespace toolwire;
using bridge::login::Challenge;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

Challenge read(std::string header) {
  HttpResponse head{.status = 401};
  head.headers.emplace_back("www-authenticate", std::move(header));
  return bridge::login::challenge_in(head);
}

void read_any(std::string_view text) {
  const Challenge found = read(std::string(text));
  require(found.scopes.size() <= bridge::login::max_scopes, "scopes are bounded");
  for (const std::string& one : found.scopes) require(is_scope(one), "a scope can be one");
  require(bridge::login::scopes_in(bridge::login::text_of(found.scopes)) == found.scopes,
          "scopes are written and read");
}

void read_own(std::string_view text) {
  http::ProtectedResource resource{.resource = "https://mcp.example.com/mcp",
                                   .authorization_servers = {"https://login.example.com"}};
  resource.scopes = bridge::login::scopes_in(text);
  const Challenge found = read(http::challenge(resource, "insufficient_scope", text));
  require(found.error == "insufficient_scope", "the error is read");
  require(found.scopes == resource.scopes, "the scopes are read");
  require(found.resource_metadata == http::metadata_url(resource), "the address is read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    read_any(text);
  } else {
    read_own(text);
  }
  return 0;
}
