// Who sends a request, as the predicates of tools, prompts and resources see it before the request has begun.
#pragma once

#include "protocol/asker.hpp"
#include "protocol/service.hpp"
#include "toolwire/context.hpp"

namespace toolwire::http {

/// Plain pointers; what they point to outlives this.
struct Sender {
  const Principal& principal;
  const Peer* peer = nullptr;
  const JsonObject* client_info = nullptr;  // of its session; null: what the request itself says
};

/// Whether ServerOptions::identify is yet to say who it is.
bool is_yet_to_be_named(const Sender& sender, const protocol::Service& service);

/// With the parameters of its request, which outlive it.
protocol::Asker asker_of(const JsonObject& params, const Sender& sender);

}  // namespace toolwire::http
