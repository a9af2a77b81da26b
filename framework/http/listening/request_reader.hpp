// Bytes of a client become requests, one after the other, or the refusal of one (RFC 9110, RFC 9112). The grammar is
// Boost.Beast's; what it lets pass, and two readers could understand differently, is refused here. No I/O, no clock.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "refusal.hpp"
#include "toolwire/http/exchange.hpp"

namespace toolwire::http {

/// One thread at a time.
class RequestReader {
 public:
  /// Sizes are bytes; see ConnectionLimits.
  struct Bounds {
    std::size_t target;
    std::size_t head;
    std::size_t fields;
    std::size_t body;
  };
  enum class Progress {
    nothing,  ///< not a byte of a request is there
    head,     ///< some of a head is
    at_body,  ///< the head is there: `request` has no body yet, and `read_body` goes on
    body,     ///< some of the body may be missing
    whole,    ///< `request` has all; `begin_next` goes on
    refused   ///< `why_refused` says why; what follows cannot be told apart any more
  };

  explicit RequestReader(Bounds bounds);
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;
  ~RequestReader();

  void add(std::string_view bytes) { input_.append(bytes); }
  /// How much of what was added was not looked at.
  std::size_t unread() const { return input_.size() - used_; }

  Progress progress() const { return progress_; }
  /// Reads on, until there is something to do or nothing to read.
  Progress go_on();
  /// After `at_body`.
  void read_body();
  /// After `whole`, or `at_body` without a body. What was added behind the request stays.
  void begin_next();

  Request& request();
  const Refusal& why_refused() const { return *why_; }

  // Of the request, from `at_body` on:
  /// A body follows that is not empty.
  bool has_body() const;
  /// The client waits to be told that it may send it (RFC 9110 §10.1.1).
  bool waits_for_continue() const;
  /// The client wishes to send more over the connection.
  bool keeps_connection() const;
  /// Before HTTP/1.1, where no body can be chunked.
  bool is_old() const;

 private:
  class Parser;

  Progress read_head();
  Progress parse_body();
  Progress refuse(Refusal why);
  std::string_view rest() const { return std::string_view(input_).substr(used_); }
  void use(std::size_t count);
  void skip_empty_lines();

  const Bounds bounds_;
  Progress progress_ = Progress::nothing;
  std::string input_;
  std::size_t used_ = 0;       // of input_
  std::size_t looked_at_ = 0;  // of the rest, for the end of the head
  std::unique_ptr<Parser> parser_;
  std::optional<Refusal> why_;
};

}  // namespace toolwire::http
