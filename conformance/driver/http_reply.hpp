// An HTTP/1.1 reply as its bytes come: status, headers, body, and the events of a stream. It knows no JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolwire::conformance {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// Whether two names of headers are the same: case does not matter.
bool is_same_header(std::string_view a, std::string_view b);

/// One event of a stream of server-sent events (https://html.spec.whatwg.org, § 9.2).
struct SseEvent {
  std::string type = {};  // "": message
  std::string data = {};
  std::optional<std::string> id = {};  // if the event has one of its own
};

/// What came back for one request.
struct HttpReply {
  int status = 0;  // 0: none came
  HttpHeaders headers = {};
  std::string body = {};              // without the framing of chunks
  std::vector<SseEvent> events = {};  // of a stream of events, those that are whole
  std::optional<int> retry_ms = {};   // the last `retry` of the stream
  std::string last_event_id = {};     // as a client would send it back
  bool has_headers = false;           // all of them
  bool is_complete = false;           // to the end of its body
  std::string problem = {};           // why it is no reply of HTTP/1.1

  /// The value of the first header of that name. Null: there is none.
  const std::string* header(std::string_view name) const;
  /// The media type without parameters, in small letters; "" without Content-Type.
  std::string content_type() const;
  bool is_event_stream() const { return content_type() == "text/event-stream"; }
  /// "HTTP status 404 (text/plain: Not found)"
  std::string text() const;
};

/// Reads a reply piece by piece.
class HttpReplyReader {
 public:
  static constexpr std::size_t max_body = std::size_t{256} << 20;

  void add(std::string_view bytes);
  /// The connection was closed by the server.
  void end();
  const HttpReply& reply() const { return reply_; }
  /// Nothing that comes now belongs to it.
  bool is_done() const { return reply_.is_complete || !reply_.problem.empty(); }

 private:
  bool read_headers();
  void find_framing();
  bool read_body();
  bool read_chunk();
  void add_body(std::string_view bytes);
  void read_event_lines();
  void read_event_line(std::string_view line);
  void fail(std::string problem) { reply_.problem = std::move(problem); }

  enum class Framing { length, chunks, until_close };
  HttpReply reply_;
  std::string unread_;
  Framing framing_ = Framing::until_close;
  std::size_t left_ = 0;  // of the body, or of the chunk
  bool in_chunk_ = false;
  std::string event_text_;       // of a stream: what is not yet a line
  bool has_event_line_ = false;  // some line of the stream was read
  SseEvent event_;
  bool has_data_ = false;
};

}  // namespace toolwire::conformance
