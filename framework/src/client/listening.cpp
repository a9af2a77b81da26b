#include "client/listening.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/json_members.hpp>

namespace toolwire::client {
namespace {

/// Whether a subscription to `watched` covers `uri`: the same, or a part of it (server/resources, subscriptions).
bool is_told(std::string_view watched, std::string_view uri) {
  if (!uri.starts_with(watched)) return false;
  const std::string_view rest = uri.substr(watched.size());
  return rest.empty() || watched.ends_with('/') || std::string_view("/?#").find(rest.front()) != std::string_view::npos;
}

bool lists(const Json* uris, const std::string& uri) {
  if (uris == nullptr || !uris->is_array()) return false;
  return std::any_of(uris->get_array().begin(), uris->get_array().end(),
                     [&](const Json& one) { return one.is_string() && one.get_string() == uri; });
}

}  // namespace

Listening::Listening(std::shared_ptr<Connection> connection, Heard heard,
                     std::function<void(const std::string&)> changed)
    : connection_{std::move(connection)}, heard_{std::move(heard)}, changed_{std::move(changed)} {}

void Listening::start() {
  const auto acknowledged = std::make_shared<Pending>();
  pending_->on_notification = [weak = weak_from_this(), acknowledged](const std::string& method, const Json& params) {
    if (const auto self = weak.lock()) self->take(method, params, *acknowledged);
  };
  pending_->on_done = [acknowledged] { acknowledged->complete(Json{}); };
  connection_->dialect().modern() ? start_modern(*acknowledged) : start_legacy();
}

void Listening::start_modern(Pending& acknowledged) {
  JsonObject filter;
  for (const std::string_view list : heard_.lists) filter[std::string{list} + "ListChanged"] = true;
  if (!heard_.uris.empty()) filter["resourceSubscriptions"] = JsonArray(heard_.uris.begin(), heard_.uris.end());
  const auto deadline = deadline_after(connection_->options().timeout);
  connection_->send(pending_, "subscriptions/listen", {{"notifications", std::move(filter)}}, false, deadline);
  wait_for_acknowledgement(acknowledged, deadline);
}

/// Each subscription sends its own resources/subscribe, which servers accept repeatedly; only the last one
/// unsubscribes.
void Listening::start_legacy() {
  connection_->listen(pending_);
  std::size_t asked = 0;
  try {
    for (const std::string& uri : heard_.uris) {
      connection_->watched_resources().add(uri);
      ++asked;
      connection_->request("resources/subscribe", {{"uri", uri}}, connection_->options().timeout);
    }
  } catch (...) {
    connection_->forget(*pending_, {.kind = Failure::Kind::cancelled, .text = "the subscription did not come about"});
    unsubscribe(asked);
    throw;
  }
}

/// In the reading thread.
void Listening::take(const std::string& method, const Json& params, Pending& acknowledged) {
  if (method == "notifications/subscriptions/acknowledged") acknowledged.complete(params);
  if (method == "notifications/resources/updated") {
    std::string uri = text_or(params, "uri");
    const auto tells_it = [&](const std::string& watched) { return is_told(watched, uri); };
    if (std::any_of(heard_.uris.begin(), heard_.uris.end(), tells_it)) note(std::move(uri));
    return;
  }
  const auto tells_it = [&](std::string_view list) {
    return method == "notifications/" + std::string{list} + "/list_changed";
  };
  if (std::any_of(heard_.lists.begin(), heard_.lists.end(), tells_it)) note({});
}

/// One waiting call is enough, however many subjects are noted until it runs.
void Listening::note(std::string subject) {
  {
    const MutexLock lock(noting_);
    if (noted_.size() >= connection_->options().max_waiting_notifications) return;
    noted_.insert(std::move(subject));
    if (noted_.size() > 1) return;
  }
  connection_->call_back([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->call();
  });
}

void Listening::wait_for_acknowledgement(Pending& acknowledged, Clock::time_point deadline) {
  if (!acknowledged.wait_until(deadline))
    connection_->abandon(*pending_, timed_out("subscriptions/listen", connection_->options().timeout), "timeout");
  if (pending_->is_done()) static_cast<void>(pending_->result());  // throws what went wrong, if anything did
  const Json params = acknowledged.result();
  const Json* honoured = find_member(params, "notifications");
  const Json* uris = honoured == nullptr ? nullptr : find_member(*honoured, "resourceSubscriptions");
  for (const std::string& uri : heard_.uris) {
    if (lists(uris, uri)) continue;
    stop();
    throw ProtocolError(error_code::invalid_params, "the server does not tell when this resource changes: " + uri);
  }
}

void Listening::call() {
  const MutexLock lock(calling_);
  std::set<std::string> subjects;
  {
    const MutexLock noting(noting_);
    subjects.swap(noted_);
  }
  for (const std::string& subject : subjects) {
    if (changed_) changed_(subject);
  }
}

void Listening::stop() {
  const Failure ended{.kind = Failure::Kind::cancelled, .text = "the subscription was ended"};
  if (connection_->dialect().modern()) {
    connection_->abandon(*pending_, ended, "");
  } else {
    const bool was_active = is_active();
    connection_->forget(*pending_, ended);
    if (was_active) unsubscribe(heard_.uris.size());
  }
  const MutexLock lock(calling_);
  changed_ = nullptr;
}

/// The first `count` resources. Nobody waits for the answers.
void Listening::unsubscribe(std::size_t count) {
  WatchedResources& watched = connection_->watched_resources();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& uri = heard_.uris[i];
    if (!watched.remove(uri)) continue;
    try {
      connection_->send_at_once(std::make_shared<Pending>(), "resources/unsubscribe", {{"uri", uri}}, false);
      // Another thread may have subscribed just before the server was told to stop.
      if (watched.has(uri))
        connection_->send_at_once(std::make_shared<Pending>(), "resources/subscribe", {{"uri", uri}}, false);
    } catch (const ConnectionError&) {  // then no subscription is left either
    }
  }
}

}  // namespace toolwire::client
