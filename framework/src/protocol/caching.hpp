// Caching hints of 2026-07-28 (server/utilities/caching).
#pragma once

#include <string>

#include "protocol/service.hpp"

namespace toolwire::protocol {

/// Appends `,"ttlMs":…,"cacheScope":…` for lists and discovery: they do not depend on who asks, unless a middleware has
/// made them.
inline void append_list_caching(std::string& out, const Service& service, bool same_for_everyone = true) {
  out.append(",\"ttlMs\":")
      .append(std::to_string(service.options.list_age.count()))
      .append(same_for_everyone ? ",\"cacheScope\":\"public\"" : ",\"cacheScope\":\"private\"");
}

}  // namespace toolwire::protocol
