#include "inspect/inspector_site.hpp"

#include <array>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "header_fields.hpp"
#include "inspect/page_files.hpp"
#include "types/random_id.hpp"

namespace toolwire::inspect {
namespace {

using http::Field;
using http::HeaderFields;
using http::Reply;
using http::Request;

constexpr std::chrono::seconds patience{20};  // of a page that waits for events
constexpr std::string_view api = "/api/";
constexpr std::string_view bearer = "Bearer ";

/// For every answer: nothing from elsewhere, in no frame, kept by nobody.
std::vector<Field> fields_for(std::string type) {
  return {{"Content-Type", std::move(type)},
          {"Content-Security-Policy",
           "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cache-Control", "no-store"}};
}

Reply json_reply(int status, const Json& body) { return {status, fields_for("application/json"), to_json_text(body)}; }
Reply failure(int status, const std::string& why) { return json_reply(status, JsonObject{{"error", why}}); }

/// The one value of a field; none if it is missing or there are several.
std::optional<std::string> only(const Request& request, std::string_view name) {
  const HeaderFields fields(request.fields);
  return fields.count(name) == 1 ? std::optional(std::string(fields.value_or_empty(name))) : std::nullopt;
}

std::string path_of(const Request& request) { return request.target.substr(0, request.target.find('?')); }

std::string secret_in(const Request& request) {
  const std::string value = only(request, "authorization").value_or("");
  return value.starts_with(bearer) ? value.substr(bearer.size()) : std::string();
}

struct File {
  std::string_view path;
  const char* type;
  std::string_view (*text)();
};
constexpr std::array files{File{"/", "text/html; charset=utf-8", page_markup},
                           File{"/inspect.js", "text/javascript; charset=utf-8", page_script},
                           File{"/inspect.css", "text/css; charset=utf-8", page_style}};

const Json& member(const JsonObject& body, std::string_view name) {
  const Json* const found = body.if_contains(name);
  if (found == nullptr) throw std::invalid_argument("expected a member \"" + std::string(name) + "\"");
  return *found;
}
std::string text_in(const JsonObject& body, std::string_view name) {
  const Json& value = member(body, name);
  if (!value.is_string()) throw std::invalid_argument("\"" + std::string(name) + "\": expected a text");
  return std::string(value.get_string());
}
std::uint64_t number_in(const JsonObject& body, std::string_view name) {
  const Json& value = member(body, name);
  if (!value.is_number() || value.to_number<double>() < 0 || value.to_number<double>() > 1e15)
    throw std::invalid_argument("\"" + std::string(name) + "\": expected a number");
  return value.to_number<std::uint64_t>();
}

}  // namespace

InspectorSite::InspectorSite(InspectedServer& server, EventLog& log, std::function<void(const std::string& url)> shown)
    : server_(server), log_(log), shown_(std::move(shown)) {}

http::Site InspectorSite::site() {
  return {.at_head = [this](const Request& head) { return at_head(head); },
          .answer = [this](const Request& request,
                           const std::shared_ptr<http::Exchange>& exchange) { send(answer(request), *exchange); },
          .refuse = [](int status, std::string_view why) { return failure(status, std::string(why)); }};
}

void InspectorSite::listens_on(std::uint16_t port) {
  port_ = port;
  show_new_url();
}

void InspectorSite::show_new_url() {
  std::string url;
  {
    const MutexLock lock(mutex_);
    ticket_ = types::random_id();
    url = "http://127.0.0.1:" + std::to_string(port_) + "/#" + ticket_;
  }
  shown_(url);
}

/// Pages of other addresses, and of names that only lead here, are told nothing.
std::optional<Reply> InspectorSite::refused(const Request& head) {
  const std::string port = ":" + std::to_string(port_);
  const auto host = only(head, "host");
  if (host != "127.0.0.1" + port && host != "localhost" + port) return failure(403, "this is another host");
  const bool has_origin = HeaderFields(head.fields).count("origin") > 0;
  if (!has_origin || only(head, "origin") == "http://" + *host) return std::nullopt;
  return failure(403, "this page may not ask");
}

std::optional<Reply> InspectorSite::at_head(const Request& head) {
  if (auto reply = refused(head)) return reply;
  const std::string path = path_of(head);
  for (const File& file : files) {
    if (path != file.path) continue;
    if (head.method != "GET" && head.method != "HEAD") return failure(405, "expected GET");
    return Reply{200, fields_for(file.type), std::string(file.text())};
  }
  if (!path.starts_with(api)) return failure(404, "there is no such page");
  if (head.method != "POST") return failure(405, "expected POST");
  if (path == "/api/session") return std::nullopt;
  const MutexLock lock(mutex_);
  if (!sessions_.contains(secret_in(head))) return failure(401, "open the address that the terminal shows");
  return std::nullopt;
}

Reply InspectorSite::begin_session(const Request& request) {
  const std::string session = types::random_id();
  {
    const MutexLock lock(mutex_);
    if (ticket_.empty() || secret_in(request) != ticket_)
      return failure(401, "this address was used already; open the last one that the terminal shows");
    ticket_.clear();
    sessions_.insert(session);
  }
  show_new_url();
  return json_reply(200, JsonObject{{"session", session}});
}

Reply InspectorSite::answer(const Request& request) {
  const std::string path = path_of(request);
  if (path == "/api/session") return begin_session(request);
  try {
    const Json body = parse_json(request.body);
    if (!body.is_object()) return failure(400, "expected an object");
    return json_reply(200, answer_to(path.substr(api.size()), body.get_object()));
  } catch (const std::invalid_argument& error) {
    return failure(400, error.what());
  } catch (const JsonError& error) {
    return failure(400, error.what());
  } catch (const std::exception& error) {
    return failure(502, error.what());
  }
}

/// What has no answer of its own.
void InspectorSite::do_what(const std::string& name, const JsonObject& body) {
  if (name == "cancel") return server_.cancel(number_in(body, "call"));
  if (name == "log_level") return server_.set_log_level(text_in(body, "level"));
  if (name != "answer") throw std::invalid_argument("there is no \"" + name + "\"");
  const Json* const result = body.if_contains("result");
  server_.answer(number_in(body, "question"), result == nullptr ? std::nullopt : std::optional(*result));
}

Json InspectorSite::answer_to(const std::string& name, const JsonObject& body) {
  if (name == "events") return log_.wait(number_in(body, "after"), patience);
  if (name == "describe") return server_.description();
  if (name == "list") return server_.list(text_in(body, "kind"));
  if (name == "call") return JsonObject{{"call", server_.call(text_in(body, "tool"), member(body, "arguments"))}};
  if (name == "read") return server_.read(text_in(body, "uri"));
  if (name == "prompt") return server_.prompt(text_in(body, "name"), member(body, "arguments"));
  if (name == "complete")
    return server_.complete(member(body, "ref"), text_in(body, "argument"), text_in(body, "value"),
                            member(body, "context"));
  do_what(name, body);
  return JsonObject{};
}

}  // namespace toolwire::inspect
