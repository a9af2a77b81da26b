// An HTTP server for tests, written on raw sockets so that it can send what no well-behaved server would. It only
// detects where a request ends; the test supplies the bytes of the answer.
#pragma once

#include <poll.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace toolwire_test {

/// What is sent for one request.
struct HttpAnswer {
  std::string bytes = {};     ///< As they are: status line, headers, body.
  std::string repeated = {};  ///< Sent over and over after them, until the client goes away.
  bool held = false;          ///< Not before `release`.
  bool keep = false;          ///< The connection stays open for another request.

  /// A whole answer with its length.
  static HttpAnswer of(int status, const std::string& body, const std::string& headers = "");
  static HttpAnswer json(const std::string& body) { return of(200, body, "Content-Type: application/json\r\n"); }
};

/// One thread of its own for all connections. All functions from any thread.
class HttpTestServer {
 public:
  /// Called with the whole request: request line, headers, body. Runs on the server's thread.
  using Handler = std::function<HttpAnswer(const std::string& request)>;

  explicit HttpTestServer(Handler handler);
  HttpTestServer(const HttpTestServer&) = delete;
  HttpTestServer& operator=(const HttpTestServer&) = delete;
  ~HttpTestServer();

  int port() const { return port_; }
  std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::string url(const std::string& path) const { return origin() + path; }

  std::vector<std::string> requests() const;
  /// Waits until this many requests have come; false after half a minute.
  bool wait_for_requests(std::size_t count);
  /// Waits until every client has closed its connection; false after half a minute.
  bool wait_until_idle();
  /// Sends the answers that are held; later ones are not held.
  void release();

 private:
  struct Connection {
    std::string input = {};
    std::string output = {};
    HttpAnswer answer = {};
    bool answering = false;
    bool held = false;
  };

  void run();
  std::optional<std::vector<pollfd>> what_to_wait_for();
  void serve(const pollfd& ready);
  void accept_all();
  bool read(int socket, Connection& connection);
  void take_request(Connection& connection, std::size_t length);
  bool write(int socket, Connection& connection);
  void wake() const;

  const Handler handler_;
  const int listener_;
  const int wake_;
  int port_ = 0;
  std::map<int, Connection> connections_;  // used by the thread only
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> requests_;  // guarded by mutex_, as all below
  std::size_t open_ = 0;
  bool released_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace toolwire_test
