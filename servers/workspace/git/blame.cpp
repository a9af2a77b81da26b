#include <algorithm>
#include <charconv>
#include <ctime>
#include <map>
#include <toolwire/error.hpp>

#include "workspace/git/answer_text.hpp"
#include "workspace/git/records.hpp"
#include "workspace/text/credentials.hpp"

namespace workspace {
namespace {

constexpr std::size_t short_name = 10;

struct Commit {
  std::string author, subject, day;
};

std::string day_of(std::string_view seconds) {
  std::int64_t value = 0;
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), value);
  const std::time_t time = value;
  std::tm parts{};
  char text[32] = "";
  if (::gmtime_r(&time, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

/// Reads `git blame --porcelain`: a line "NAME OLD NEW", facts of commits not seen before, and the line behind a tab.
class Blamed {
 public:
  Blamed(AnswerText& text, Secrets secrets) : text_(text), secrets_(secrets) {}

  /// False if a line does not fit; then `next` is its number.
  bool take(std::string_view line) {
    if (line.starts_with('\t')) return add(line.substr(1));
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view key = line.substr(0, space), value = line.substr(std::min(space + 1, line.size()));
    if (key.size() >= 40 && key.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      name_ = key;
      const std::string_view numbers = value.substr(std::min(value.find(' ') + 1, value.size()));
      std::from_chars(numbers.data(), numbers.data() + numbers.size(), number_);
    } else if (key == "author") {
      commits_[name_].author = value;
    } else if (key == "author-time") {
      commits_[name_].day = day_of(value);
    } else if (key == "summary") {
      commits_[name_].subject = value;
    }
    return true;
  }
  std::uint64_t next() const { return number_; }

 private:
  bool is_committed() const { return name_.find_first_not_of('0') != std::string::npos; }

  std::string head_line() {
    if (!is_committed()) return "not committed";
    const Commit& commit = commits_[name_];
    return name_.substr(0, short_name) + ' ' + commit.day + ' ' + commit.author + ": " + commit.subject;
  }

  std::string shown(std::string_view text) const {
    return secrets_ == Secrets::left_out ? with_masked_credentials(text) : std::string(text);
  }

  bool add(std::string_view line) {
    const std::string numbered = std::to_string(number_) + ": " + shown(line);
    if (name_ == last_) return text_.add_line(numbered);
    last_ = name_;
    return text_.add_line(shown(head_line())) && text_.add_line(numbered);
  }

  AnswerText& text_;
  Secrets secrets_;
  std::map<std::string, Commit> commits_;
  std::string name_, last_;
  std::uint64_t number_ = 0;
};

/// Git obeys blame.ignoreRevsFile whatever it is told, and shows lines of the file that are not as they should be: that
/// may be any file the process may read.
ProgramOutput blame(const Git& git, const BlameRequest& request) {
  const std::vector<std::string> command{"blame",
                                         "--no-textconv",
                                         "--porcelain",
                                         "-L",
                                         std::to_string(request.offset) + ",+" + std::to_string(request.limit),
                                         "--",
                                         git.repository().path};
  if (!git.has_setting("blame.ignorerevsfile")) return git.run(command);
  ProgramOutput ran = git.try_run(command);
  if (ran.exit_status == 0) return ran;
  throw toolwire::ToolError(
      "git blame fails. The repository's setting blame.ignoreRevsFile is obeyed; expected that it names a file of "
      "commits inside the workspace, and that the file has the lines offset names");
}

}  // namespace

GitResult blame_answer(const Git& git, const BlameRequest& request, TextBudget budget) {
  const InRepository& repository = git.repository();
  if (repository.kind() == FileKind::directory) throw toolwire::ToolError("path: is a folder; expected a file");
  AnswerText text{git, budget};
  if (!text.head()) throw toolwire::ToolError("path: the repository has no commit yet, so nobody wrote a line of it");
  const ProgramOutput ran = blame(git, request);
  Blamed blamed{text, repository.root->secrets()};
  for (const std::string_view line : lines_of(ran.output)) {
    if (blamed.take(line)) continue;
    if (text.is_empty()) throw toolwire::ToolError("offset: that line is too long to be shown; read_file shows parts");
    text.go_on_at(blamed.next(), "");
    return std::move(text).result();
  }
  const bool is_page = blamed.next() + 1 == request.offset + request.limit;
  if (is_page) text.go_on_at(blamed.next() + 1, ", if the file is longer");
  return std::move(text).result();
}

}  // namespace workspace
