// Parameters of tools that are repeated in header fields (`x-mcp-header`, 2026-07-28 basic/transports/streamable-http).
// Decides only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::remote {

/// A value as a header field carries it: as it is, or coded in base64.
std::string header_value(std::string_view text);

/// Why the annotations of an input schema cannot be followed, so that its tool must not be offered; or nothing.
std::optional<std::string> wrong_parameter_header(const Json& input_schema);

/// Takes tools that must not be offered for that out of an answer to `tools/list`. Returns why, for each.
std::vector<std::string> take_out_wrong_tools(Json& answer);

/// What the tools that a server has listed want. A plain value.
class ParameterHeaders {
 public:
  /// Takes note of a result of `tools/list`: of the tools in it, and of no others.
  void learn(const Json& result);
  /// The fields for a call of this tool.
  [[nodiscard]] HttpHeaders headers_for(const std::string& tool, const Json& arguments) const;

 private:
  struct Parameter {
    std::string header;
    std::vector<std::string> path;  // of names of properties
  };
  static void collect(const Json& schema, std::vector<std::string> path, std::vector<Parameter>& into);

  std::map<std::string, std::vector<Parameter>> by_tool_;
};

}  // namespace toolwire::remote
