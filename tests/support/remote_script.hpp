// A server of Streamable HTTP that says what a test tells it, on bare sockets; and a client of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <toolwire/client.hpp>
#include <toolwire/json.hpp>
#include <toolwire/json_members.hpp>
#include <utility>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/remote_transport.hpp>
#include "http_test_server.hpp"

namespace toolwire_test {

/// A request as it came.
struct RemoteRequest {
  std::string verb = {};  ///< "POST"
  std::string text = {};  ///< All of it.
  toolwire::Json json = {};

  std::string method() const { return toolwire::text_or(json, "method"); }
  std::string id() const { return toolwire::to_json_text(toolwire::member_or_null(json, "id")); }
  /// The value of a header field; "-" if there is none.
  std::string header(const std::string& name) const {
    const std::size_t at = text.find("\r\n" + name + ": ");
    if (at == std::string::npos || at > text.find("\r\n\r\n")) return "-";
    const std::size_t begin = at + name.size() + 4;
    return text.substr(begin, text.find("\r\n", begin) - begin);
  }
};

inline RemoteRequest remote_request(const std::string& text) {
  RemoteRequest request{.verb = text.substr(0, text.find(' ')), .text = text};
  const std::string body = text.substr(text.find("\r\n\r\n") + 4);
  if (!body.empty()) request.json = toolwire::parse_json(body);
  return request;
}

/// A stream of events, which ends; with `open` it stays.
inline HttpAnswer events(const std::string& text, bool open = false) {
  return {.bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + text,
          .keep = open};
}
inline std::string event(const std::string& data, const std::string& more = "") {
  return more + "data: " + data + "\n\n";
}
inline HttpAnswer accepted() { return HttpAnswer::of(202, ""); }
inline std::string result_text(const RemoteRequest& request, const std::string& result) {
  return R"({"jsonrpc":"2.0","id":)" + request.id() + R"(,"result":)" + result + "}";
}
inline HttpAnswer result(const RemoteRequest& request, const std::string& result) {
  return HttpAnswer::json(result_text(request, result));
}

/// Answers what a test does not say otherwise, as a server of a revision with or without handshake.
class RemoteScript {
 public:
  using Answers = std::function<HttpAnswer(const RemoteRequest&)>;

  /// `answers`: by method, or by verb for GET and DELETE.
  RemoteScript(std::string revision, std::map<std::string, Answers> answers)
      : revision_(std::move(revision)),
        answers_(std::move(answers)),
        server_([this](const std::string& text) { return answer(remote_request(text)); }) {}

  HttpTestServer& server() { return server_; }
  bool modern() const { return revision_ >= "2026"; }

  /// Those of this method, or with this verb.
  std::vector<RemoteRequest> requests(const std::string& what) const {
    std::vector<RemoteRequest> found;
    for (const std::string& text : server_.requests()) {
      RemoteRequest request = remote_request(text);
      if (request.verb == what || request.method() == what) found.push_back(std::move(request));
    }
    return found;
  }

 private:
  HttpAnswer answer(const RemoteRequest& request) {
    const auto own = answers_.find(request.verb == "POST" ? request.method() : request.verb);
    if (own != answers_.end()) return own->second(request);
    if (request.verb != "POST") return HttpAnswer::of(405, "");
    if (request.method() == "server/discover") {
      if (!modern())
        return HttpAnswer::of(400, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}})");
      return result(request, R"({"supportedVersions":[")" + revision_ +
                                 R"("],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})");
    }
    if (request.method() == "initialize")
      return result(request, R"({"protocolVersion":")" + revision_ +
                                 R"(","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})");
    if (request.id() == "null") return accepted();
    return result(request, "{}");
  }

  const std::string revision_;
  const std::map<std::string, Answers> answers_;
  HttpTestServer server_;
};

/// A client of an address.
struct RemoteClient {
  explicit RemoteClient(const std::string& url, toolwire::ClientOptions options = {},
                        toolwire::HttpHeaders headers = {}, std::size_t max_message = std::size_t{1} << 20)
      : http(std::make_shared<toolwire::HttpClient>()),
        client(std::make_unique<toolwire::Client>(
            std::make_unique<toolwire::remote::RemoteTransport>(
                toolwire::remote::RemoteServer{.url = url, .headers = std::move(headers)}, http, max_message),
            options)) {}
  ~RemoteClient() {
    client.reset();
    http->close();
  }
  toolwire::Client* operator->() const { return client.get(); }

  std::shared_ptr<toolwire::HttpClient> http;
  std::unique_ptr<toolwire::Client> client;
};

}  // namespace toolwire_test
