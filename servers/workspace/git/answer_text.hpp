// Lines of an answer of git with its notices. Independent of commands.
#pragma once

#include <string>
#include <utility>

#include "workspace/git/answers.hpp"
#include "workspace/text/bounded_text.hpp"

namespace workspace {

/// One answer in the making. One thread.
class AnswerText {
 public:
  AnswerText(const Git& git, TextBudget budget) : text_(budget), answer_{.repository = git.repository().shown("")} {
    if (std::string head = git.head(); !head.empty()) answer_.head = std::move(head);
  }

  const std::optional<std::string>& head() const { return answer_.head; }
  bool is_empty() const { return text_.is_empty(); }
  bool add_line(std::string_view line) { return text_.add_line(line); }
  BoundedText& text() { return text_; }

  void notice(const std::string& notice) {
    text_.notice(notice);
    answer_.notices.push_back(notice);
  }

  void go_on_at(std::uint64_t offset, const std::string& or_else) {
    answer_.next_offset = offset;
    notice("More follows. Continue with offset " + std::to_string(offset) + or_else + '.');
  }

  GitResult result() && { return {text_.text(), std::move(answer_)}; }

 private:
  BoundedText text_;
  GitAnswer answer_;
};

}  // namespace workspace
