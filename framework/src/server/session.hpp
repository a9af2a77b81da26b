// One connection from its first line to its last: read, parse, route. Owns the parts; decides nothing about MCP.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "engine/engine.hpp"
#include "engine/source.hpp"
#include "jsonrpc/message.hpp"
#include "protocol/connection.hpp"
#include "protocol/service.hpp"
#include "toolwire/transport.hpp"
#include "transport/line_splitter.hpp"
#include "transport/pollable.hpp"

namespace toolwire::runtime {
class BatchAnswers;
}

namespace toolwire::server {

/// Works on the threads of an engine, one at a time, from `attach` until it is over: at the end of input, at a stop, or
/// when the peer is lost.
class Session final : public engine::Source {
 public:
  struct Settings {
    std::shared_ptr<const Peer> peer = nullptr;  // if it is known
    std::string token = {};                      // what the client has to say in its first line; empty: nothing
    std::function<void()> ended = {};            // called when it is over
  };

  Session(protocol::Service& service, Transport& transport, std::shared_ptr<engine::Engine> engine, Settings settings);

  /// Once. `keeps`: let go when it is over. Throws as engine::Engine::attach.
  void attach(std::shared_ptr<void> keeps = nullptr);

 private:
  Outcome wait_and_read() override;
  Outcome read_at_once() override;
  Outcome go_on() override;
  int input_descriptor() const override { return pollable_ == nullptr ? -1 : pollable_->input_descriptor(); }
  int output_descriptor() const override { return pollable_ == nullptr ? -1 : pollable_->output_descriptor(); }
  void interrupt() override { transport_.interrupt(); }
  bool input_closed() override { return transport_.input_closed(); }
  bool all_answered() override { return connection_->in_flight.unsettled() == 0; }
  void stop_reading() override { end_of_input(); }
  void cancel_all() override { connection_->in_flight.cancel_all(); }
  void over() override;

  Outcome take(std::ptrdiff_t count);
  Outcome admit(std::size_t bytes);
  void admit_in_time();
  Outcome take_lines();
  Outcome take_rest();
  Outcome leave_for_later(const transport::LineSplitter::Line& line);
  void end_of_input();
  void on_line(const transport::LineSplitter::Line& line);
  void on_batch(jsonrpc::Batch&& batch);
  void on_message(jsonrpc::Message&& message, const std::shared_ptr<runtime::BatchAnswers>& batch);
  void on(jsonrpc::Request&& request, const std::shared_ptr<runtime::BatchAnswers>& batch);
  void on(jsonrpc::Notification&& notification, const std::shared_ptr<runtime::BatchAnswers>& batch);
  void on(jsonrpc::Response&& response, const std::shared_ptr<runtime::BatchAnswers>& batch);
  void on(jsonrpc::Malformed&& malformed, const std::shared_ptr<runtime::BatchAnswers>& batch);
  void on(jsonrpc::Ignored&& ignored, const std::shared_ptr<runtime::BatchAnswers>& batch);

  protocol::Service& service_;
  Transport& transport_;
  transport::Pollable* const pollable_;  // the transport, if it can be waited for together with others
  transport::LineSplitter lines_;
  const jsonrpc::Bounds bounds_;
  json::KeptMember kept_meta_;                          // of whoever reads
  std::optional<transport::LineSplitter::Line> large_;  // a message that is yet to be parsed
  bool at_end_ = false;                                 // of the input
  const std::shared_ptr<engine::Engine> engine_;
  const std::function<void()> ended_;
  const std::string token_;
  const std::shared_ptr<std::atomic<bool>> admitted_;  // has said the token, if there is one
  std::size_t unadmitted_bytes_ = 0;
  std::shared_ptr<protocol::Connection> connection_;
  std::list<protocol::Service::Listener*>::iterator listener_;
};

}  // namespace toolwire::server
