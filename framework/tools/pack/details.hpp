// What a package says of itself: given by options, or by the server when it is started, and checked.
#pragma once

#include <string>

#include "install/server_start.hpp"
#include "package.hpp"

namespace toolwire::pack {

/// The options as they were given; empty: not given.
struct GivenDetails {
  std::string name = {}, npm_name = {}, version = {}, title = {}, description = {}, author = {}, license = {},
              repository = {}, bundle_url = {};
};

/// Throws install::Misuse if one that was given is of a form that no package may have. Needs no server.
void require_good_details(const GivenDetails& given);

/// Fills all texts of a package. Throws install::Misuse naming the option for what neither says, or the server says in
/// a form that packages may not have. `needs_author`: bundles do.
void fill_details(Package& package, const GivenDetails& given, const install::ServerReport& server, bool needs_author);

/// Whether the text is a version as in semver.org.
bool is_version(const std::string& text);

}  // namespace toolwire::pack
