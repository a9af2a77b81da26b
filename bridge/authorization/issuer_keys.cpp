#include "authorization/issuer_keys.hpp"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include <toolwire/json_members.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::chrono::seconds patience{8};  // below that of whoever waits to be let in
constexpr std::size_t max_metadata = std::size_t{256} << 10;

struct Place {
  std::string url;
  HttpOrigin origin = HttpOrigin::operators;
};

/// From one address to the keys. Held by the request that is under way.
class KeyFetch : public std::enable_shared_from_this<KeyFetch> {
 public:
  KeyFetch(const AuthorizationSettings& settings, std::shared_ptr<HttpClient> http, Done<std::string> done)
      : issuer_(settings.issuer()), http_(std::move(http)), done_(std::move(done)) {
    if (settings.keys.empty()) metadata_ = metadata_addresses(issuer_);
  }

  void begin(const std::string& keys) {
    if (!keys.empty()) return fetch_keys({.url = keys});
    ask_for_metadata();
  }

 private:
  using Taken = void (KeyFetch::*)(HttpOutcome&&);

  void get(const Place& place, std::size_t max_size, Taken taken) {
    HttpRequest request{.url = place.url, .headers = {{"Accept", "application/json"}}};
    request.deadline = ends_;
    request.response_limit = max_size;
    request.origin = place.origin;
    request.proxy_of_environment = place.url.starts_with("https:");
    http_->start(std::move(request), {},
                 [self = shared_from_this(), taken](HttpOutcome&& outcome) { ((*self).*taken)(std::move(outcome)); });
  }

  void ask_for_metadata() {
    if (asked_ == metadata_.size()) return fail("no metadata was found: " + why_);
    get({.url = metadata_[asked_++]}, max_metadata, &KeyFetch::take_metadata);
  }

  void take_metadata(HttpOutcome&& outcome) {
    if (const std::string why = why_not(outcome); !why.empty()) {
      why_ = why;
      return ask_for_metadata();
    }
    try {
      const auto place = place_in(parse_json(std::get<HttpResponse>(outcome).body));
      fetch_keys(place);
    } catch (const std::runtime_error& error) {  // a JsonError, too
      fail(std::string("its metadata cannot be used: ") + error.what());
    }
  }

  /// What another server says of itself is nothing that this one says.
  Place place_in(const Json& metadata) const {
    if (text_member(metadata, "issuer") != issuer_) throw std::runtime_error("it is that of another issuer");
    std::string url = text_or(metadata, "jwks_uri");
    if (const std::string wrong = wrong_key_address(url); !wrong.empty())
      throw std::runtime_error("jwks_uri: expected " + wrong);
    const bool is_own = http_origin_of(url) == http_origin_of(issuer_);
    return {.url = std::move(url), .origin = is_own ? HttpOrigin::operators : HttpOrigin::other};
  }

  void fetch_keys(const Place& place) { get(place, http::max_key_set, &KeyFetch::take_keys); }

  void take_keys(HttpOutcome&& outcome) {
    if (const std::string why = why_not(outcome); !why.empty()) return fail(why);
    done_(std::move(std::get<HttpResponse>(outcome).body));
  }

  /// Empty if it is an answer.
  static std::string why_not(const HttpOutcome& outcome) {
    if (const auto* const failure = std::get_if<HttpFailure>(&outcome)) return failure->text;
    const int status = std::get<HttpResponse>(outcome).status;
    return status == 200 ? std::string() : "it answers with status " + std::to_string(status);
  }

  void fail(const std::string& why) { done_.fail(std::make_exception_ptr(std::runtime_error(why))); }

  const std::string issuer_;
  const std::shared_ptr<HttpClient> http_;
  const HttpRequest::Clock::time_point ends_ = HttpRequest::Clock::now() + patience;
  std::vector<std::string> metadata_;
  std::size_t asked_ = 0;
  std::string why_;
  Done<std::string> done_;
};

}  // namespace

std::vector<std::string> metadata_addresses(const std::string& issuer) {
  const std::size_t slash = issuer.find('/', issuer.find("://") + 3);
  const std::string origin = issuer.substr(0, slash);
  std::string path = slash == std::string::npos ? "" : issuer.substr(slash);
  if (path.ends_with('/')) path.pop_back();
  const std::string well_known = origin + "/.well-known/";
  std::vector<std::string> addresses{well_known + "oauth-authorization-server" + path,
                                     well_known + "openid-configuration" + path};
  if (!path.empty()) addresses.push_back(origin + path + "/.well-known/openid-configuration");
  return addresses;
}

std::function<void(Done<std::string>)> issuer_keys(const AuthorizationSettings& settings,
                                                   std::shared_ptr<HttpClient> http) {
  return [settings, http = std::move(http)](Done<std::string> done) {
    std::make_shared<KeyFetch>(settings, http, std::move(done))->begin(settings.keys);
  };
}

}  // namespace toolwire::bridge
