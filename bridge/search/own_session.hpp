// A client of the bridge's own server, in this process: what is called through it goes the way of every call, with the
// same checks, policies and limits. Questions, progress, log messages and cancellation pass between its calls and those
// that they are made for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <toolwire/client.hpp>
#include <toolwire/server.hpp>

#include "activities/mcp/back_request.hpp"
#include "activities/mcp/open_questions.hpp"
#include "activities/mcp/requests_under_way.hpp"

namespace toolwire::bridge {

/// Thread-safe. The server must outlive it; destruction ends its calls.
class OwnSession : private mcp::BackLine {
 public:
  explicit OwnSession(Server& server);
  ~OwnSession() override;
  OwnSession(const OwnSession&) = delete;
  OwnSession& operator=(const OwnSession&) = delete;

  /// Whether a request is one of this session.
  bool is_own(const Context& context) const;

  /// Calls another tool of the server for the caller of `context`. Returns soon.
  void call_tool(std::string name, const Json& arguments, Context& context, Reply reply);
  /// All tools of the server, as tools/list has them; nothing if the session has ended. On a thread of the client.
  void list_tools(const std::function<void(std::optional<JsonArray>)>& done);

 private:
  const std::string& name() const override { return name_; }
  std::shared_ptr<const std::vector<std::string>> secrets() const override { return no_secrets_; }
  JsonObject meta_for(const Context& context) const override;
  std::optional<std::string> open_question(const std::shared_ptr<mcp::BackRequest>& request) override;
  void close_question(const std::string& prefix) override { questions_.close(prefix); }
  void carry(ServerRequest&& question) override;
  void send_again(const std::shared_ptr<mcp::BackRequest>& request) override { send(request); }

  ClientOptions client_options();
  void send(const std::shared_ptr<mcp::BackRequest>& request);
  void give_up_old_questions();
  void pass_log(const Json& message);

  const std::string name_ = "call_tool";
  const std::shared_ptr<const std::vector<std::string>> no_secrets_ = std::make_shared<std::vector<std::string>>();
  const std::string mark_;  // of its requests, which nobody can guess
  mcp::OpenQuestions questions_;
  mcp::RequestsUnderWay under_way_;
  std::unique_ptr<Transport> server_end_;
  std::thread server_thread_;
  std::optional<Client> client_;
};

}  // namespace toolwire::bridge
