// A conversation in the form of a model's API, as its own text: results of calls are put into it, all else stays byte
// for byte, whether it is understood or not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/bridge/model_formats.hpp>
#include <toolwire/bridge/tool_turn.hpp>

#include "messages/formats/codec.hpp"
#include "messages/text_edits.hpp"

namespace toolwire::bridge {

class Transcript {
 public:
  /// `text` is a conversation (`messages`, `input` or `contents` as an array), the body of a request that holds one, or
  /// one answer of the model, which becomes the beginning of a conversation. Only calls and results are looked at; of
  /// the native form, all. Throws JsonError, and std::invalid_argument with a JSON pointer and what was expected there.
  Transcript(ModelFormat format, std::string text);

  /// What is to become a conversation: as above, but no answer; the body of a request need not hold messages yet.
  static Transcript begun(ModelFormat format, std::string text);

  /// Runs every call without a result as `run_turn` does, and puts the results where the form has them, in the order of
  /// the calls. `again`: those with a result, too; the new one takes its place. Returns what to do after the last
  /// message. Waits.
  NextStep complete(const std::shared_ptr<ToolRunner>& tools, const TurnOptions& options = {}, bool again = false);

  /// Puts what a user says behind the last message.
  void say(const std::string& text);
  /// Puts an answer of the model behind the last message and returns it. Throws as the constructor, and changes nothing
  /// then.
  AssistantMessage answer(const Json& response);

  /// The body of a request that asks for the next answer: this conversation, with these tools besides those it has.
  std::string request(const std::vector<ToolDefinition>& tools) const;

  const std::string& text() const { return text_; }

 private:
  /// A message of the model, and what stands behind it up to its next one.
  struct Round {
    AssistantMessage message = {};
    std::size_t last = 0;  // its last element
    std::size_t end = 0;   // of what stands behind it
  };
  struct Standing {
    std::size_t element = 0;
    formats::Entry::Recorded recorded = {};
  };

  explicit Transcript(ModelFormat format) : format_(format), codec_(formats::codec_of(format)) {}
  const Json* conversation_in(const Json& document);
  void read(const Json& document);
  void apply_edits();
  void begin_list(const Json& document);
  void append(const JsonArray& elements);
  std::string with_member(std::string_view name, const std::string& value) const;
  Round round_at(std::size_t first) const;
  std::vector<Standing> results_of(const Round& round) const;
  NextStep run(const Round& round, const std::shared_ptr<ToolRunner>& tools, const TurnOptions& options, bool again);
  void replace(const Standing& standing, const ToolResultMessage& result);
  void add(const Round& round, const std::vector<Json>& results);
  void add_blocks(const Round& round, const std::vector<Json>& results);
  void insert_behind(const JsonPath& list, std::size_t element, const std::vector<Json>& values);
  JsonPath path_of(std::size_t element) const;

  ModelFormat format_;
  formats::Codec codec_;
  std::string text_;
  JsonPath list_;  // where the conversation stands
  std::vector<formats::Entry> entries_;
  std::optional<StopReason> stop_reason_;  // of the last message of the model, if it came as an answer
  bool is_paused_ = false;                 // the same
  std::vector<TextEdit> edits_;
};

}  // namespace toolwire::bridge
