// Caching hints of 2026-07-28 (server/utilities/caching).
#pragma once

#include <string>

#include "protocol/service.hpp"

namespace toolwire::protocol {

/// Appends `,"ttlMs":…,"cacheScope":"public"` for lists and discovery: they do not depend on who asks.
inline void append_list_caching(std::string& out, const Service& service) {
  out.append(",\"ttlMs\":")
      .append(std::to_string(service.options.list_age.count()))
      .append(",\"cacheScope\":\"public\"");
}

}  // namespace toolwire::protocol
