#include "activities/http_settings.hpp"

#include <toolwire/error.hpp>
#include <toolwire/json_members.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace toolwire::bridge {
namespace {

bool has_body(const std::string& method) { return method == "POST" || method == "PUT" || method == "PATCH"; }

void check_bodies(const JsonObject& settings, const std::string& method, const std::string& pointer,
                  Findings& findings) {
  const bool has_json = settings.contains("body");
  const bool has_form = settings.contains("form");
  if (has_json && has_form) findings.problem(pointer, "expected \"body\" or \"form\", not both");
  if ((has_json || has_form) && (method == "GET" || method == "HEAD"))
    findings.problem(pointer, "expected no body with the method " + method);
}

}  // namespace

std::vector<std::string> HttpSettings::names() const {
  std::vector<std::string> all;
  url.add_names_to(all);
  query.add_names_to(all);
  if (body) body->add_names_to(all);
  if (form) form->add_names_to(all);
  for (const auto& [name, text] : limits.headers) text.add_names_to(all);
  return all;
}

HttpLimits read_http_limits(const JsonObject& settings, const std::string& pointer, Findings& findings) {
  HttpLimits limits;
  if (const Json* headers = settings.if_contains("headers")) {
    for (const auto& [name, value] : headers->get_object()) {
      if (const std::string wrong = wrong_header_name(name); !wrong.empty())
        findings.problem(below(below(pointer, "headers"), name), wrong);
      try {
        limits.headers.emplace_back(name, TemplateText(value.get_string(), TemplatePlace::header));
      } catch (const TemplateError& error) {
        findings.problem(below(below(pointer, "headers"), name), error.what());
      }
    }
  }
  if (const Json* timeout = settings.if_contains("timeout_seconds"))
    limits.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(timeout->to_number<double>() * 1000));
  if (const Json* limit = settings.if_contains("response_limit"))
    limits.response_limit = limit->to_number<std::size_t>();
  return limits;
}

HttpSettings read_http_settings(const JsonObject& settings, const std::string& pointer, Findings& findings) {
  HttpSettings read{.limits = read_http_limits(settings, pointer, findings),
                    .url = UrlTemplate(settings.at("url").get_string(), below(pointer, "url"), findings)};
  read.method = text_or(settings, "method", "GET");
  check_bodies(settings, read.method, pointer, findings);
  if (const Json* query = settings.if_contains("query"))
    read.query = FieldTemplates(query->get_object(), below(pointer, "query"), findings);
  if (const Json* body = settings.if_contains("body")) read.body.emplace(*body, below(pointer, "body"), findings);
  if (const Json* form = settings.if_contains("form"))
    read.form.emplace(form->get_object(), below(pointer, "form"), findings);
  read.arguments_as_body = !read.body && !read.form && has_body(read.method);
  const std::string output = text_or(settings, "output", "");
  read.output = output == "text" ? HttpOutput::text : output == "json" ? HttpOutput::json : HttpOutput::automatic;
  return read;
}

HttpHeaders headers_for(const HeaderTemplates& headers, const Json& parameters, std::vector<std::string>& secrets) {
  HttpHeaders all;
  for (const auto& [name, text] : headers) {
    std::string value;
    if (!fill(text, parameters, value, secrets)) continue;
    const bool has_control = std::any_of(value.begin(), value.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
    });
    if (has_control)
      throw InvalidArguments("the header " + name + " would get a value with control characters or line breaks");
    all.emplace_back(name, std::move(value));
  }
  return all;
}

}  // namespace toolwire::bridge
