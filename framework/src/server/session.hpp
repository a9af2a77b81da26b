// One connection from its first line to its last: read, parse, route. Owns the parts; decides nothing about MCP.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "jsonrpc/message.hpp"
#include "protocol/connection.hpp"
#include "protocol/service.hpp"
#include "toolwire/transport.hpp"
#include "transport/line_splitter.hpp"
#include "transport/read_along.hpp"

namespace toolwire::runtime {
class BatchAnswers;
}

namespace toolwire::server {

/// `run` is called once, on the thread that is to do the work. All else happens on the driver of the crew.
class Session {
 public:
  struct Settings {
    bool take_signals = false;           // SIGTERM and SIGINT, blocked in all threads, end the session
    std::function<void()> abandon = {};  // called when the end is due but a tool will not stop
  };

  Session(protocol::Service& service, Transport& transport, Settings settings);

  /// Serves until the end of input, a signal, or the loss of the peer.
  void run();

 private:
  runtime::Crew::Turn read_turn();
  runtime::Crew::Turn read_own();
  bool reads_along();
  void read_alone();
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
  transport::ReadAlong& along_ = transport::ReadAlong::of_process();
  int own_input_ = -1;  // what others can be waited for along with; of the driver
  std::atomic<bool> reads_along_ = false;
  transport::LineSplitter lines_;
  std::shared_ptr<protocol::Connection> connection_;
};

}  // namespace toolwire::server
