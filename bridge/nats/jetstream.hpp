// What a nats-server keeps in streams (JetStream): puts messages there and reads them again, with the server's word on
// each. Independent of what they are.
//
// The library's own functions for this wait, and their subscriptions come and go; here a question is a message, and its
// answer comes to an inbox that stays.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

#include "client.hpp"

namespace toolwire::nats {

/// On the client's loop only, where it also calls back; all answers come later. Lives in a shared_ptr; whoever uses it
/// keeps the client alive.
class JetStream final : public std::enable_shared_from_this<JetStream> {
 public:
  /// `inbox`: a subject of its own that nobody guesses, below which answers come.
  JetStream(Client& client, std::string inbox) : client_(client), inbox_(std::move(inbox)) {}
  JetStream(const JetStream&) = delete;
  JetStream& operator=(const JetStream&) = delete;

  /// Once, at first; from any thread.
  void begin();
  /// Nothing is called back any more.
  void end();

  /// What the server says to a question.
  struct Answer {
    bool came = false;
    bool was_sent = true;       ///< If nothing came: perhaps.
    bool nobody_there = false;  ///< No JetStream, or no stream for this subject.
    bool is_forbidden = false;  ///< To this user; certainly not done.
    Json json = {};
    std::string error = {};  ///< Its words, or why nothing came; empty: all is well.
    std::int64_t code = 0;   ///< `err_code` of its error.
  };
  using Answered = std::function<void(const Answer& answer)>;
  /// `call`: "STREAM.CREATE.toolwire".
  void ask(const std::string& call, const Json& question, Answered answered);

  enum class Put {
    kept,
    exists,    ///< There is a message of this subject already.
    refused,   ///< Not kept, as the stream is full or the user may not, for example.
    not_sent,  ///< Certainly not.
    unknown
  };
  using PutDone = std::function<void(Put how, const std::string& why, std::uint64_t sequence)>;
  /// Puts it into the stream of this subject. The server keeps one of those with the same `id` that come within some
  /// minutes.
  void put(const std::string& subject, const std::string& payload, const std::string& id, PutDone done);
  /// Puts it there if there is none of this subject.
  void create(const std::string& subject, const std::string& payload, PutDone done);

  enum class Read { found, none, failed };
  using ReadDone = std::function<void(Read how, std::string&& payload, const std::string& why)>;
  /// The first of this subject: what a stranger adds later changes nothing.
  void read_first(const std::string& stream, const std::string& subject, ReadDone done);

 private:
  struct Waiting {
    std::string subject;
    Answered answered;
    EventLoop::Timer timer;
  };

  void send(const std::string& subject, const std::string& payload, Headers headers, Answered answered);
  void came(Message&& message);
  void settle(std::uint64_t number, const Answer& answer);
  void lost(const std::string& why);
  void forbidden(const std::string& what);

  Client& client_;
  const std::string inbox_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, Waiting> waiting_;
  bool is_deaf_ = false;  // this user may not hear the answers
  std::uint64_t subscription_ = 0;
  std::uint64_t watcher_ = 0;
};

/// Whether NATS has such an error for a stream that there is already, with other settings.
inline constexpr std::int64_t stream_is_another = 10'058;

}  // namespace toolwire::nats
