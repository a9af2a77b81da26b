// What the context of a function is made of, whatever kind of request runs it.
#pragma once

#include "protocol/exchange.hpp"

namespace toolwire::protocol {

/// `_meta` of the request; empty if it has none.
inline const JsonObject& meta_of(const Exchange& exchange) {
  static const JsonObject none;
  const Json* meta = exchange.arguments().if_contains("_meta");
  return meta != nullptr && meta->is_object() ? meta->get_object() : none;
}

}  // namespace toolwire::protocol
