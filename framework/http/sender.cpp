#include "sender.hpp"

#include <toolwire/json_members.hpp>

namespace toolwire::http {

bool is_yet_to_be_named(const Sender& sender, const protocol::Service& service) {
  return service.options.identify && sender.principal.id.empty();
}

protocol::Asker asker_of(const JsonObject& params, const Sender& sender) {
  static const JsonObject none;
  const JsonObject* const meta = object_member(params, "_meta");
  const JsonObject* info = sender.client_info;
  if (info == nullptr && meta != nullptr) info = object_member(*meta, protocol::meta_key::client_info);
  return protocol::Asker({.meta = meta != nullptr ? *meta : none,
                          .client_info = info != nullptr ? *info : none,
                          .principal = sender.principal,
                          .peer = sender.peer});
}

}  // namespace toolwire::http
