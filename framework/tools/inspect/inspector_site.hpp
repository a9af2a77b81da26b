// The local page of the inspector, and what it asks for. Who may ask: a page of this address with the secret that one
// of the addresses shown at the terminal was exchanged for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/http/site.hpp>

#include "inspect/event_log.hpp"
#include "inspect/inspected_server.hpp"

namespace toolwire::inspect {

/// Thread-safe.
class InspectorSite {
 public:
  /// `shown` gets a URL whenever there is a new one: each opens one page. Both others must outlive this.
  InspectorSite(InspectedServer& server, EventLog& log, std::function<void(const std::string& url)> shown);

  /// To be given to a SiteServer, which must not outlive this.
  http::Site site();
  /// The port it listens on, before it runs. Shows the first URL.
  void listens_on(std::uint16_t port);

 private:
  std::optional<http::Reply> at_head(const http::Request& head);
  http::Reply answer(const http::Request& request);
  Json answer_to(const std::string& name, const JsonObject& body);
  void do_what(const std::string& name, const JsonObject& body);
  std::optional<http::Reply> refused(const http::Request& head);
  http::Reply begin_session(const http::Request& request);
  void show_new_url();

  InspectedServer& server_;
  EventLog& log_;
  const std::function<void(const std::string& url)> shown_;
  std::uint16_t port_ = 0;
  Mutex mutex_;
  std::string ticket_ TOOLWIRE_GUARDED_BY(mutex_);  // in the URL; good for one session
  std::set<std::string> sessions_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::inspect
