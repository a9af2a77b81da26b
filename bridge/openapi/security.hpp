// How requests show who sends them: security schemes of an OpenAPI description as headers with variables of the
// environment in the places of secrets.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"
#include "openapi/document.hpp"

namespace toolwire::bridge::openapi {

/// One thread.
class SecurityImport {
 public:
  SecurityImport(const Document& document, Findings& notes);

  /// The headers of an operation, of the first alternative that can be carried over. Without one that can, a hint says
  /// so, and there are no headers.
  JsonObject headers_for(const JsonObject& operation, const std::string& place);

  /// The variables that headers name, and what each is for.
  const std::map<std::string, std::string>& variables() const { return variables_; }

 private:
  struct Header {
    std::string name;
    std::string value;
    std::string variable;
    std::string meaning;
  };
  std::optional<JsonObject> headers_of(const JsonObject& alternative);
  std::optional<Header> header_of(const std::string& scheme) const;

  const Document& document_;
  Findings& notes_;
  const std::string prefix_;  // of the variables
  std::map<std::string, std::string> variables_;
};

}  // namespace toolwire::bridge::openapi
