// One request of the HTTP client as libcurl carries it out: its settings, what has arrived, and what became of it.
// Knows neither the loop that drives it nor the other requests.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <toolwire/detail/event_loop.hpp>
#include <toolwire/http/detail/address_policy.hpp>
#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/http_url.hpp>
#include "fetch/curl_library.hpp"

namespace toolwire {

/// What the transfers of one client share.
struct HttpTransferSettings {
  AddressPolicy addresses;
  std::string proxy;
  std::string ca_file;
};

/// Used by one thread; stays where it is, since libcurl points to it.
class HttpTransfer {
 public:
  using Resolved = std::function<void()>;

  /// `request` has no problem. `settings` outlive the transfer. `resolved` is called each time an address is known.
  HttpTransfer(std::uint64_t id, HttpRequest request, HttpTransferSettings& settings, Resolved resolved);
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  [[nodiscard]] std::uint64_t id() const { return id_; }
  [[nodiscard]] CURL* handle() const { return easy_.get(); }
  /// Whether its host is a name that has to be resolved, for which libcurl starts a thread.
  [[nodiscard]] bool needs_resolving() const;
  static HttpTransfer& of(CURL* easy);

  /// The outcome, when libcurl is done with it; nothing if it has to be started again for a redirect.
  std::optional<HttpOutcome> outcome(CURLcode code);
  [[nodiscard]] HttpFailure failure(std::string code, const std::string& text) const;

 private:
  struct FreeEasy {
    void operator()(CURL* easy) const { curl().easy_cleanup(easy); }
  };
  struct FreeList {
    void operator()(curl_slist* list) const { curl().slist_free_all(list); }
  };

  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* self);

  template <class Value>
  void set(CURLoption option, Value value) {
    curl().easy_setopt(easy_.get(), option, value);
  }
  void prepare();
  void set_safety();
  void set_method();
  void set_headers();
  void add_header(const std::string& line);
  bool is_repeatable() const;
  bool may_open(const sockaddr* address);
  void add_header_line(std::string_view line);
  HttpFailure failure_of(CURLcode code) const;
  void note_status();
  bool hand_over(std::string_view piece);
  bool is_redirected() const;
  std::optional<HttpOutcome> redirect_or_response();

  const std::uint64_t id_;
  HttpRequest request_;
  HttpTransferSettings& settings_;
  const Resolved resolved_;
  HttpUrl url_;
  std::unique_ptr<CURL, FreeEasy> easy_;
  std::unique_ptr<curl_slist, FreeList> headers_;
  HttpResponse response_;
  std::optional<HttpFailure> refused_;
  bool is_satisfied_ = false;  // nothing more of the answer is wanted
  bool has_status_ = false;    // of three digits
  std::size_t header_bytes_ = 0;
  int redirects_ = 0;
};

}  // namespace toolwire
