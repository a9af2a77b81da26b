#include "protocol/asker.hpp"

#include <exception>

#include "log/log.hpp"
#include "toolwire/detail/context_builder.hpp"
#include "toolwire/detail/what_of.hpp"

namespace toolwire::protocol {
namespace {

const JsonObject no_answers;

}  // namespace

Asker::Asker(const Who& who) : context_({}, no_answers, who.meta) {
  detail::ContextBuilder builder(context_);
  builder.called_by(who.client_info);
  builder.identified_as(who.principal);
  if (who.peer != nullptr) builder.connected_by(who.peer->process);
  if (who.session != nullptr) builder.within(*who.session);
}

Asker::Asker(const Exchange& exchange)
    : Asker(Who{.meta = exchange.meta(),
                .client_info = exchange.client_info(),
                .principal = exchange.principal(),
                .peer = exchange.connection->peer.get(),
                .session = &exchange.connection->session}) {}

bool Asker::sees(const Visible& visible, const std::string& key) {
  try {
    return visible(context_);
  } catch (...) {
    process::log(LogLevel::error, "\"" + key + "\" is hidden, for its predicate has failed: " +
                                      detail::what_of(std::current_exception()));
    return false;
  }
}

std::optional<features::FoundResource> find_visible(const std::string& uri, const Exchange& exchange) {
  return exchange.connection->service.resources.find(
      uri, [&exchange](const Visible& visible, const std::string& key) { return Asker(exchange).sees(visible, key); });
}

}  // namespace toolwire::protocol
