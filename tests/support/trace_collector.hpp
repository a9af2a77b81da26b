// A collector of traces (OTLP over HTTP, in JSON) that keeps what it is sent.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/json_members.hpp>

#include "http_test_server.hpp"

namespace toolwire_test {

/// A span as it came. A plain value.
struct CollectedSpan {
  toolwire::Json json = {};

  std::string text(std::string_view member) const { return toolwire::text_or(json, member); }
  std::string name() const { return text("name"); }
  std::string id() const { return text("spanId"); }
  std::string parent() const { return text("parentSpanId"); }
  std::string trace() const { return text("traceId"); }
  bool has_failed() const { return toolwire::member_or_null(json, "status", "code") == 2; }
  /// What goes on with it is given.
  std::string traceparent() const { return "00-" + trace() + "-" + id() + "-01"; }
  /// "-" if there is none.
  std::string attribute(std::string_view key) const {
    for (const toolwire::Json& one : json.at("attributes").as_array()) {
      if (toolwire::text_or(one, "key") == key)
        return toolwire::text_or(one.at("value"), "stringValue", toolwire::text_or(one.at("value"), "intValue"));
    }
    return "-";
  }
};

class TraceCollector {
 public:
  explicit TraceCollector(HttpTestServer::Handler answer = [](const std::string&) { return HttpAnswer::json("{}"); })
      : server_(std::move(answer)) {}

  std::string endpoint() const { return server_.origin(); }
  HttpTestServer& server() { return server_; }
  const HttpTestServer& server() const { return server_; }

  std::vector<CollectedSpan> spans() const {
    std::vector<CollectedSpan> all;
    for (const std::string& request : server_.requests()) {
      const toolwire::Json body = toolwire::parse_json(request.substr(request.find("\r\n\r\n") + 4));
      for (const toolwire::Json& resource : body.at("resourceSpans").as_array()) {
        for (const toolwire::Json& scope : resource.at("scopeSpans").as_array()) {
          for (const toolwire::Json& span : scope.at("spans").as_array()) all.push_back({span});
        }
      }
    }
    return all;
  }
  /// Those of this name and kind (2: of a request that is served, 3: of one that is made), once there are so many;
  /// fewer after half a minute.
  std::vector<CollectedSpan> wait_for(const std::string& name, int kind, std::size_t count = 1) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (true) {
      std::vector<CollectedSpan> found = spans();
      std::erase_if(found, [&](const CollectedSpan& one) { return one.name() != name || one.json.at("kind") != kind; });
      if (found.size() >= count || std::chrono::steady_clock::now() > until) return found;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  /// All that was sent, heads included.
  std::string everything() const {
    std::string all;
    for (const std::string& request : server_.requests()) all += request + "\n";
    return all;
  }

 private:
  HttpTestServer server_;
};

}  // namespace toolwire_test
