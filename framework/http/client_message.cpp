#include "client_message.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <toolwire/json_members.hpp>
#include <utility>
#include <variant>

#include "post.hpp"

namespace toolwire::http {
namespace {

constexpr std::size_t longest = std::size_t{256} << 10;  // bytes of a body that goes over a bus

constexpr const char* cancelled = "notifications/cancelled";

/// Of all that a body holds only this is for requests that are under way.
struct Taker {
  const Front& front;
  std::string_view session;
  std::string_view principal;

  void operator()(jsonrpc::Response& response) const { answer(front, principal, std::move(response)); }
  void operator()(jsonrpc::Notification& notification) const { cancel(front, session, notification); }
  template <class Other>
  void operator()(Other&) const {}
};

}  // namespace

bool answer(const Front& front, std::string_view principal, jsonrpc::Response&& response) {
  const auto post = front.asked_with(runtime::Outgoing::prefix_in(response.id.key()));
  return post && post->caller() == principal && post->take_answer(std::move(response));
}

bool cancel(const Front& front, std::string_view session, const jsonrpc::Notification& notification) {
  if (notification.method != cancelled) return true;  // others are for nobody
  const Json* const id = find_member(notification.params.get_object(), "requestId");
  const auto key = id != nullptr ? jsonrpc::key_of(*id) : std::nullopt;
  if (!key) return true;
  bool found = false;
  for (const auto& post : front.open_posts()) {
    if (post->is_of_session(session)) found = post->cancel(*key) || found;
  }
  return found;
}

bool hand_on(Front& front, std::string_view session, std::string_view principal, std::string_view body) {
  if (body.size() > longest) return false;
  const std::string params = to_json_text(JsonObject{{"principal", principal}, {"body", body}});
  return front.service().hand_on(
      {Event::Kind::client_message, std::string(session), params.substr(1, params.size() - 2)});
}

void take(Front& front, const Event& event) {
  try {
    const Json params = parse_json("{" + event.params + "}");
    const std::string_view body = text_member(params, "body");
    const Limits& limits = front.service().options.limits;
    auto parsed = jsonrpc::parse(body, {{limits.depth, limits.values}, limits.batch});
    const Taker taker{front, event.subject, text_member(params, "principal")};
    if (auto* const message = std::get_if<jsonrpc::Message>(&parsed)) return std::visit(taker, *message);
    for (jsonrpc::Message& message : std::get<jsonrpc::Batch>(parsed)) std::visit(taker, message);
  } catch (const std::exception&) {  // another program, or a later one, says something else
  }
}

}  // namespace toolwire::http
