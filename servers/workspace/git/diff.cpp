#include <toolwire/error.hpp>

#include "workspace/git/answer_text.hpp"
#include "workspace/git/records.hpp"
#include "workspace/names/secrets.hpp"
#include "workspace/text/credentials.hpp"

namespace workspace {
namespace {

std::vector<std::string> command_for(const Git& git, const DiffRequest& request, const std::string& base) {
  const InRepository& repository = git.repository();
  std::vector<std::string> command{"diff",
                                   "--no-ext-diff",
                                   "--no-textconv",
                                   "--no-color",
                                   "--no-renames",
                                   "--no-relative",
                                   "--ignore-submodules=all",
                                   "--submodule=short",
                                   "-O/dev/null",
                                   "--src-prefix=a/" + repository.before(),
                                   "--dst-prefix=b/" + repository.before()};
  if (request.output == DiffOutput::files) command.insert(command.end(), {"--numstat", "-z"});
  if (request.output == DiffOutput::diff) command.push_back("-U" + std::to_string(request.context));
  if (request.staged) command.emplace_back("--cached");
  command.insert(command.end(), {base, "--"});
  if (!repository.path.empty()) command.push_back(repository.path);
  return command;
}

/// Decides for the lines of a difference, in their order, which are of files that hold secrets. A line of content never
/// begins as the first line of a file does, as it begins with a space, "+", "-" or "\".
class SecretSections {
 public:
  explicit SecretSections(const InRepository& repository) : repository_(repository) {}

  bool has(std::string_view line) {
    if (!line.starts_with("diff --")) return is_secret_;
    const std::string path = path_of_diff(line);
    // What cannot be read is taken for a secret.
    is_secret_ = repository_.root->secrets() == Secrets::left_out &&
                 (path.size() <= repository_.prefix.size() || holds_secrets(path.substr(repository_.prefix.size())));
    if (is_secret_) ++count_;
    return is_secret_;
  }
  std::uint64_t count() const { return count_; }

 private:
  const InRepository& repository_;
  bool is_secret_ = false;
  std::uint64_t count_ = 0;
};

/// Lines from `offset` on; the others are counted. Returns false at the first that does not fit.
class Page {
 public:
  Page(AnswerText& text, std::uint64_t offset) : text_(text), offset_(offset) {}

  bool add(std::string_view line) {
    if (++number_ < offset_) return true;
    if (text_.add_line(line)) return true;
    if (text_.is_empty()) {
      text_.text().add_part_of_line(line);  // a line larger than an answer: its beginning
      ++number_;
    }
    text_.go_on_at(number_, ", or narrow with path; output files shows only how many lines each has");
    return false;
  }
  bool has_any() const { return number_ > 0; }

 private:
  AnswerText& text_;
  std::uint64_t offset_;
  std::uint64_t number_ = 0;
};

std::string file_line(const InRepository& repository, std::string_view record) {
  const std::size_t first = record.find('\t'), second = record.find('\t', first + 1);
  if (second == std::string_view::npos) return {};
  const std::string path(record.substr(second + 1));
  if (repository.root->secrets() == Secrets::left_out && holds_secrets(repository.in_root(path))) return {};
  return '+' + std::string(record.substr(0, first)) + " -" + std::string(record.substr(first + 1, second - first - 1)) +
         ' ' + repository.shown(path);
}

std::uint64_t add_files(const InRepository& repository, const std::string& output, Page& page) {
  std::uint64_t secret = 0;
  for (const std::string_view record : records_of(output)) {
    const std::string line = file_line(repository, record);
    if (line.empty()) {
      ++secret;
    } else if (!page.add(line)) {
      break;
    }
  }
  return secret;
}

std::uint64_t add_lines(const InRepository& repository, std::string output, Page& page) {
  if (repository.root->secrets() == Secrets::left_out) mask_credentials(output);
  SecretSections sections{repository};
  for (const std::string_view line : lines_of(output)) {
    if (!sections.has(line) && !page.add(line)) break;
  }
  return sections.count();
}

}  // namespace

GitResult diff_answer(const Git& git, const DiffRequest& request, TextBudget budget) {
  AnswerText text{git, budget};
  const std::string base = !request.revision.empty() ? git.commit(request.revision)
                           : text.head()             ? *text.head()
                                                     : git.empty_tree();
  ProgramOutput ran = git.run(command_for(git, request, base));
  Page page{text, request.offset};
  const std::uint64_t secret = request.output == DiffOutput::files
                                   ? add_files(git.repository(), ran.output, page)
                                   : add_lines(git.repository(), std::move(ran.output), page);
  if (!page.has_any()) text.notice("No tracked file differs. git_status also shows files that are not tracked.");
  if (page.has_any() && text.is_empty())
    text.notice("The difference has no line " + std::to_string(request.offset) + '.');
  if (ran.is_cut) text.notice("The difference is larger than 8 MiB, the most that is looked at; narrow with path.");
  if (secret > 0) text.notice("Left out: " + counted(secret, "file that holds", "files that hold") + " secrets.");
  return std::move(text).result();
}

}  // namespace workspace
