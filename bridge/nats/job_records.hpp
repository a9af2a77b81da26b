// Reads and writes what is known of calls that are tasks, in the streams of a nats-server (see job.hpp). Replicas and
// workers do it in the same way. Independent of who decides what.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client.hpp"
#include "jetstream.hpp"
#include "job.hpp"

namespace toolwire::nats {

/// On the client's loop only, where it also calls back. Lives in a shared_ptr; whoever uses it keeps the client alive.
class JobRecords final : public std::enable_shared_from_this<JobRecords> {
 public:
  /// `inbox` as JetStream has it.
  JobRecords(Client& client, const std::string& stream, std::string inbox)
      : client_(client),
        streams_(job_streams(stream)),
        stream_(std::make_shared<JetStream>(client, std::move(inbox))) {}

  const JobStreams& streams() const { return streams_; }
  JetStream& stream() { return *stream_; }
  JobSubjects subjects_of(const JobName& job) const { return {client_.prefix(), job}; }

  std::string sealed(const std::string& subject, const std::string& text, WallTime until) const {
    return client_.sealing().seal(subject, text, until);
  }
  /// Nothing if it was altered or made by somebody else.
  std::optional<std::string> opened(const std::string& subject, const std::string& payload) const;

  using Put = JetStream::Put;
  using PutDone = std::function<void(Put how, const std::string& why)>;
  /// Puts each text where there is none yet, one after the other. Ends with the first that is neither kept nor there.
  struct Piece {
    std::string subject;
    std::string text;
  };
  void create_all(std::vector<Piece> pieces, PutDone done);
  /// The last one, alone: `exists` if somebody was first.
  void create(const Piece& piece, PutDone done);

  using Read = JetStream::Read;
  using TextDone = std::function<void(Read how, std::string&& text)>;
  /// What cannot be opened counts as empty: what stands there first stands there for good.
  void read(const std::string& subject, TextDone done);
  /// `text` and what follows at these subjects.
  void read_on(std::string text, std::vector<std::string> subjects, TextDone done);

  /// What a call has come to.
  struct End {
    enum class How { none, answered, given_up, failed };
    How how = How::failed;   ///< `failed`: nobody can say at the moment.
    std::string text = {};   ///< The answer; or why it was given up.
    bool has_begun = false;  ///< Of one that was given up: nobody knows how far it came.
  };
  using EndDone = std::function<void(End&& end)>;
  void read_end(const JobName& job, EndDone done);
  /// It does not begin any more, if it has not begun; what it has come to until now stays.
  void give_up(const JobName& job, const std::string& why, EndDone done);

 private:
  void create_from(const std::shared_ptr<std::vector<Piece>>& pieces, std::size_t index, PutDone done);
  void take_ending(const JobName& job, std::string&& text, EndDone done);

  Client& client_;
  const JobStreams streams_;
  const std::shared_ptr<JetStream> stream_;
};

/// How long what is kept there opens.
WallTime end_of_records();

}  // namespace toolwire::nats
