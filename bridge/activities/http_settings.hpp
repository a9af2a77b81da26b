// The settings of a binding of the kind "http", read and checked. Sends nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/json.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include "manifest/findings.hpp"
#include "templates/body_template.hpp"
#include "templates/template_text.hpp"
#include "templates/url_template.hpp"

namespace toolwire::bridge {

using HeaderTemplates = std::vector<std::pair<std::string, TemplateText>>;

/// What requests of both forms have in common. Immutable once read.
struct HttpLimits {
  HeaderTemplates headers = {};
  std::chrono::milliseconds timeout{300'000};
  std::size_t response_limit = std::size_t{8} << 20;
};

/// How an answer's body is interpreted; `automatic` follows its Content-Type, and is JSON if the tool has an `_output`.
enum class HttpOutput { automatic, text, json };

/// A request from templates. Immutable once read.
struct HttpSettings {
  HttpLimits limits = {};
  UrlTemplate url;
  std::string method = "GET";
  FieldTemplates query = {};
  std::optional<BodyTemplate> body = {};
  std::optional<FieldTemplates> form = {};
  bool arguments_as_body = false;
  HttpOutput output = HttpOutput::automatic;

  /// The parameters it uses.
  std::vector<std::string> names() const;
};

/// Both: `settings` has the shape of the schema; problems go to `findings`.
HttpLimits read_http_limits(const JsonObject& settings, const std::string& pointer, Findings& findings);
HttpSettings read_http_settings(const JsonObject& settings, const std::string& pointer, Findings& findings);

/// The headers with their values. Throws InvalidArguments for a value with control characters, ToolError for
/// `${env:NAME}` without a value. Secrets are added to `secrets`.
HttpHeaders headers_for(const HeaderTemplates& headers, const Json& parameters, std::vector<std::string>& secrets);

}  // namespace toolwire::bridge
