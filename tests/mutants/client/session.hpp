// One session of the client: opens it, lists the tools, calls one if it is told to, and shows what was answered.
#pragma once

#include <toolwire/json.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "faults.hpp"
#include "incoming.hpp"
#include "server_link.hpp"

namespace judged_client {

/// Not thread-safe.
class Session {
 public:
  explicit Session(const Settings& settings);

  /// All of it. Throws Ends with what went wrong.
  void run();

 private:
  using Json = toolwire::Json;
  using JsonObject = toolwire::JsonObject;

  // session.cpp: messages
  Json new_id();
  Json send_request(std::string_view method, JsonObject params);
  void notify(std::string_view method, JsonObject params = {});
  void send(JsonObject message);
  void add_meta(JsonObject& params);
  Json wait_for(const Json& id, std::chrono::milliseconds time);
  bool is_answer(const Json& message, const Json& id) const;
  Json outcome(const Json& message);
  /// The result. Throws Ends for an error, and where nothing came.
  Json request(std::string_view method, JsonObject params, std::chrono::milliseconds time);
  void give_up(const Json& id);

  // opening.cpp
  void start();
  void open();
  bool discover();
  void initialize();
  void take_opening(const Json& result);
  bool offers(const char* capability) const;

  // using.cpp
  std::chrono::milliseconds limit() const;
  void list_tools();
  void take_tools(const Json& result);
  void call_tool();
  JsonObject answers_to(const Json& questions) const;
  JsonObject next_round(const Json& result, const JsonObject& params);
  void show(const Json& result);
  void listen();
  void part();

  const Settings& settings_;
  std::unique_ptr<ServerLink> link_;
  std::unique_ptr<Incoming> incoming_;
  std::set<std::string> waited_for_ = {};  // ids of requests that were answered or given up
  Json capabilities_ = JsonObject{}, first_state_ = nullptr;
  std::int64_t last_id_ = 0;
  int starts_ = 0;
  bool modern_ = false;
};

}  // namespace judged_client
