// What a client sends in a request of its own for one that is under way: the answer to a question, or that it is
// cancelled (the revisions with a handshake). That may run at another of the servers that are one to clients; then it
// is handed to them all, over their bus.
#pragma once

#include <string_view>

#include "front.hpp"
#include "jsonrpc/message.hpp"
#include "toolwire/stores.hpp"

namespace toolwire::http {

/// The answer to a question of a post of this front, which only who was asked knows the id of; the principal has to be
/// the same, too. False if there is none.
bool answer(const Front& front, std::string_view principal, jsonrpc::Response&& response);
/// Cancels what the notification names, if it is one that does; false if nothing of this session is that.
bool cancel(const Front& front, std::string_view session, const jsonrpc::Notification& notification);

/// Says it to the other servers; false if there are none, or it is too long for their bus.
bool hand_on(Front& front, std::string_view session, std::string_view principal, std::string_view body);
/// Does what such an event is about, if it is about a post of this front.
void take(Front& front, const Event& event);

}  // namespace toolwire::http
