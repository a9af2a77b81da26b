#include "transcript.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "json_match.hpp"
#include "message_schema.hpp"

namespace toolwire_test {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::to_json_text;

/// Ends a transcript; what() says at which line and why.
struct Difference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The state of one replay: the current server, and what was saved.
class Replay {
 public:
  Replay(const std::string& revision, const ServerMaker& maker) : maker_(maker), schemas_(revision) {}

  void step(const JsonObject& step) {
    const auto& [name, value] = *step.begin();
    const std::string_view verb = name;
    if (verb == "about") return;
    if (verb == "server") return restart(FixtureOptions::from(value.as_object()));
    if (verb == "in") return send(filled_in(value, saved_));
    if (verb == "raw") return transport().feed_line(std::string_view(value.as_string()));
    if (verb == "bytes") return transport().feed(std::string_view(value.as_string()));
    if (verb == "out") return expect_one(value, step);
    if (verb == "out_in_any_order") return expect_all(value.as_array());
    if (verb == "silence") return expect_silence();
    if (verb == "eof") return transport().end_input();
    if (verb == "end") return expect_end();
    throw Difference("unknown step \"" + std::string(verb) + "\"");
  }

  /// Every transcript ends with silence and an orderly end, unless it has shown the end itself.
  void finish() {
    if (!served_) return;
    expect_silence();
    transport().end_input();
    expect_end();
  }

 private:
  ScriptTransport& transport() {
    if (!served_) restart({});
    return served_->transport;
  }

  void restart(const FixtureOptions& options) {
    served_.reset();
    served_ = std::make_unique<ServedFixture>(options, maker_);
  }

  void send(const Json& message) {
    schemas_.sent(message);
    transport().feed_line(to_json_text(message));
  }

  std::string next_line() {
    std::optional<std::string> line = transport().next();
    if (!line) throw Difference("expected a line, but none comes");
    return std::move(*line);
  }

  Json parsed(const std::string& line) {
    try {
      Json message = toolwire::parse_json(line, {.max_depth = 1000});
      if (std::string why = schemas_.objection(message); !why.empty()) throw Difference(why + "\n  in " + line);
      return message;
    } catch (const toolwire::JsonError& error) {
      throw Difference("the server wrote what is no JSON (" + std::string(error.what()) + "): " + line);
    }
  }

  void expect_one(const Json& expected, const JsonObject& step) {
    const std::string line = next_line();
    if (std::string why = mismatch(expected, parsed(line), saved_); !why.empty())
      throw Difference(why + "\n  in " + line);
    const Json* fragment = step.if_contains("text");
    if (fragment != nullptr && line.find(std::string_view(fragment->as_string())) == std::string::npos) {
      throw Difference("expected the text " + to_json_text(*fragment) + "\n  in " + line);
    }
  }

  void expect_all(const JsonArray& group) {
    std::vector<Json> missing(group.begin(), group.end());
    while (!missing.empty()) {
      const std::string line = next_line();
      const Json actual = parsed(line);
      auto found = std::find_if(missing.begin(), missing.end(), [&](const Json& expected) {
        Saved tried = saved_;
        if (!mismatch(expected, actual, tried).empty()) return false;
        saved_ = std::move(tried);
        return true;
      });
      if (found == missing.end())
        throw Difference("matches nothing of " + to_json_text(JsonArray(missing.begin(), missing.end())) + "\n  " +
                         line);
      missing.erase(found);
    }
  }

  /// A ping is answered in both eras and before any handshake; anything sent before it arrives before its answer.
  void expect_silence() {
    const std::string id = "silence-" + std::to_string(++silences_);
    transport().feed_line(R"({"jsonrpc":"2.0","id":")" + id + R"(","method":"ping"})");
    const std::string expected = R"({"jsonrpc":"2.0","id":")" + id + R"(","result":{}})";
    if (std::string line = next_line(); line != expected) throw Difference("expected silence, got " + line);
  }

  void expect_end() {
    if (auto line = transport().next()) throw Difference("expected the end, got " + *line);
    served_.reset();
  }

  const ServerMaker& maker_;
  std::unique_ptr<ServedFixture> served_;
  Saved saved_;
  MessageSchemas schemas_;
  int silences_ = 0;
};

}  // namespace

void replay(const Transcript& transcript, const ServerMaker& maker) {
  int line = 1;
  try {
    const std::vector<TranscriptStep> steps = steps_of(transcript);
    BOOST_TEST(steps.size() >= 2u, transcript.file.string() << " shows nothing in " << transcript.revision);
    Replay replay(transcript.revision, maker);
    for (const TranscriptStep& step : steps) {
      line = step.line;
      replay.step(step.content);
    }
    ++line;
    replay.finish();
  } catch (const std::exception& error) {
    BOOST_ERROR(transcript.file.string() << ":" << line << " (" << transcript.revision << "): " << error.what());
  }
}

}  // namespace toolwire_test
