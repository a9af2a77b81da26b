// What a server behind the bridge gets of the bridge's own environment, which holds the secrets of others.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::bridge::mcp {

/// A plain value.
struct InheritedEnvironment {
  enum class Extent { usual, all, none };
  Extent extent = Extent::usual;
  std::vector<std::string> named = {};  // besides the usual ones; "PREFIX_*" means all that begin so
};

/// Whether programs get the variable without asking: HOME, LOGNAME, PATH, SHELL, TERM, USER, LANG, LC_*, TMPDIR, XDG_*,
/// *_PROXY in capitals or not, SSL_CERT_*, NODE_EXTRA_CA_CERTS.
bool is_usually_inherited(std::string_view name);

/// Why no variable can be meant by a name of InheritedEnvironment, or nothing.
std::optional<std::string> wrong_inherited(std::string_view name);

/// What of `own`, a list of "NAME=value", is passed on.
std::map<std::string, std::string> passed_on(const InheritedEnvironment& inherited,
                                             const std::vector<std::string_view>& own);
/// The same of the environment of this process.
std::map<std::string, std::string> passed_on(const InheritedEnvironment& inherited);

}  // namespace toolwire::bridge::mcp
