// Which message has asked a question of a server, and which ones are withdrawn, told by the lines of a connection.
// Shows nothing and answers nothing.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

namespace toolwire::inspect {

/// One thread at a time. Lines that are no whole messages say nothing.
class AskedQuestions {
 public:
  /// Of a question: the request of the server that is one, or the request of the client whose result has asked it.
  struct Origin {
    std::string message = {};   ///< Differs from that of every other message that is under way.
    bool is_withdrawn = false;  ///< Before it could be shown.
  };

  /// A line from the server. The message whose questions it withdraws, if it does.
  std::optional<std::string> from_server(std::string_view line);
  /// The same of a line to the server: a request that is cancelled asks nothing more.
  std::optional<std::string> to_server(std::string_view line);

  /// The origin of a question that is about to be shown, the oldest one of those that are alike; none if it is not
  /// known.
  std::optional<Origin> take(std::string_view method, const Json& params);

  /// Whether the message is a request of the server, to which nobody answers once it is withdrawn.
  static bool is_of_server(std::string_view message);

 private:
  struct Asked {
    std::string method = {};
    Json params = {};
    Origin origin = {};
  };
  void note(std::string message, const Json& request);
  void note(const Json& message);
  std::string withdrawn(std::string message);

  static constexpr std::size_t max_asked = 256;  // the oldest go
  std::deque<Asked> asked_;
};

}  // namespace toolwire::inspect
