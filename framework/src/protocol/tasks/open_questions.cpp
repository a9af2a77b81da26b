#include "protocol/tasks/open_questions.hpp"

#include <utility>

#include "json/writer.hpp"
#include "protocol/input_requests/question_params.hpp"

namespace toolwire::protocol {

/// A key that was used before must not be used again for another question, so a tool that asks again gets a new one.
std::string OpenQuestions::wire_key(const std::string& key) {
  std::string fresh = key;
  for (int again = 2; !used_keys_.insert(fresh).second; ++again) fresh = key + "-" + std::to_string(again);
  return fresh;
}

void OpenQuestions::open(std::vector<Question> questions) {
  answers_.clear();
  for (Question& question : questions) {
    std::string key = wire_key(question.key);
    open_.emplace(std::move(key), Open{question.key, std::move(question)});
  }
}

bool OpenQuestions::take(const JsonObject& responses) {
  const std::size_t before = open_.size();
  for (const auto& [key, response] : responses) {
    auto found = open_.find(std::string(key));
    if (found == open_.end()) continue;
    answers_[found->second.key] = response;
    open_.erase(found);
  }
  return open_.size() != before;
}

void OpenQuestions::cancel_all() {
  for (const auto& [key, open] : open_) answers_[open.key] = JsonObject{{"action", "cancel"}};
  open_.clear();
}

JsonObject OpenQuestions::take_answers() { return std::exchange(answers_, JsonObject{}); }

std::string OpenQuestions::text(const Revision& revision) const {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const auto& [key, open] : open_) {
    writer.key(key).begin_object();
    writer.key("method").string(open.question.method);
    if (Json params = params_for(revision, open.question); !params.is_null()) writer.key("params").value(params);
    writer.end_object();
  }
  writer.end_object();
  return text;
}

}  // namespace toolwire::protocol
