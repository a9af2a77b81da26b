#include "workspace/symbols/ctags.hpp"

#include <algorithm>
#include <iterator>
#include <toolwire/error.hpp>
#include <toolwire/json.hpp>
#include <utility>

#include "workspace/text/parts.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

using toolwire::Json;
using toolwire::JsonObject;

// What ctags is asked to do with a text that follows. Only characters that tell a language stay in the name.
std::string request_for(const Source& source) {
  std::string name = source.name;
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7E || c == '/') c = '_';
  }
  const JsonObject request{{"command", "generate-tags"}, {"filename", name}, {"size", source.text.size()}};
  return toolwire::to_json_text(Json(request)) + '\n' + source.text;
}

std::string text_of(const JsonObject& tag, std::string_view name) {
  const Json* const value = tag.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::uint64_t number_of(const JsonObject& tag, std::string_view name) {
  const Json* const value = tag.if_contains(name);
  return value != nullptr && value->is_number() ? value->to_number<std::uint64_t>() : 0;
}

// What has no name, ctags calls "__anon" and a number made of the file's name.
std::string readable(std::string name) {
  constexpr std::string_view made = "__anon", shown = "(anonymous)";
  for (std::size_t at = 0; (at = name.find(made, at)) != std::string::npos; at += shown.size()) {
    const std::size_t end = std::min(name.find_first_not_of("0123456789abcdef", at + made.size()), name.size());
    name.replace(at, end - at, shown);
  }
  return name;
}

Symbol symbol_of(const JsonObject& tag) {
  Symbol symbol{.name = readable(text_of(tag, "name")), .kind = text_of(tag, "kind"), .line = number_of(tag, "line")};
  symbol.end = std::max(symbol.line, number_of(tag, "end"));
  symbol.scope = readable(text_of(tag, "scope"));
  symbol.signature = text_of(tag, "signature");
  symbol.language = text_of(tag, "language");
  return symbol;
}

// Reads what ctags answers: tags, and a mark when a text is done.
class Answers {
 public:
  void take(std::string_view line) {
    std::optional<Json> parsed;
    try {
      parsed = toolwire::parse_json(valid_utf8(line));
    } catch (const std::exception&) {
      return;  // an answer that was cut off
    }
    const JsonObject* const object = parsed->if_object();
    const std::string type = object == nullptr ? "" : text_of(*object, "_type");
    if (type == "tag") symbols_.push_back(symbol_of(*object));
    if (type == "completed") finish();
  }
  std::vector<TaggedSource>& done() { return done_; }

 private:
  void finish() {
    std::stable_sort(symbols_.begin(), symbols_.end(),
                     [](const Symbol& one, const Symbol& other) { return one.line < other.line; });
    done_.emplace_back(std::exchange(symbols_, {}));
  }

  std::vector<Symbol> symbols_;
  std::vector<TaggedSource> done_;
};

constexpr std::size_t most_answer = std::size_t{256} << 20;
constexpr int most_failures = 20;

ProgramRun run_of(std::vector<std::string> arguments, std::string input = {}) {
  arguments.insert(arguments.begin(), "--options=NONE");
  return {.program = "ctags",
          .arguments = std::move(arguments),
          .environment = {"LC_ALL=C"},
          .directory = "/",
          .input = std::move(input)};
}

// Passes over what is no pattern here.
void add_pattern(std::vector<Glob>& patterns, const std::string& text) {
  try {
    patterns.emplace_back(text);
  } catch (const toolwire::ToolError&) {
    return;
  }
}

std::string extension_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string() : std::string(name.substr(dot + 1));
}

}  // namespace

std::string Ctags::said(std::vector<std::string> arguments, const std::stop_token& stop) const {
  return programs_.run(run_of(std::move(arguments)), stop).output;
}

void Ctags::check(const std::stop_token& stop) const {
  const std::string version = said({"--version"}, stop);
  if (!version.starts_with("Universal Ctags"))
    throw toolwire::ToolError("ctags: expected Universal Ctags (the package universal-ctags), found: " +
                              valid_utf8_prefix(version.substr(0, version.find('\n')), 80).text);
  std::set<std::string, std::less<>> features;
  const std::string listed = said({"--list-features"}, stop);
  for (const std::string_view line : parts_of(listed, '\n')) features.emplace(line.substr(0, line.find(' ')));
  for (const char* const needed : {"json", "interactive", "sandbox"}) {
    if (!features.contains(needed))
      throw toolwire::ToolError("ctags: was built without " + std::string(needed) +
                                ", without which it cannot be given texts instead of files");
  }
}

Ctags::Languages Ctags::read_languages(const std::stop_token& stop) const {
  Languages all;
  const auto behind_tab = [](std::string_view line) { return line.substr(line.find('\t') + 1); };
  const std::vector<std::string> plain{"--machinable", "--with-list-header=no"};
  const auto list = [&](const char* what) { return said({plain[0], plain[1], what}, stop); };
  const std::string extensions = list("--list-map-extensions"), patterns = list("--list-map-patterns");
  for (const std::string_view line : parts_of(extensions, '\n')) all.extensions.emplace(behind_tab(line));
  for (const std::string_view line : parts_of(patterns, '\n')) {
    const std::string pattern{behind_tab(line)};
    if (pattern.find_first_of("*?[") == std::string::npos) {
      all.names.insert(pattern);
    } else {
      add_pattern(all.patterns, pattern);
    }
  }
  return all;
}

const Ctags::Languages& Ctags::languages(const std::stop_token& stop) const {
  const std::lock_guard lock(mutex_);
  if (!languages_) {
    check(stop);
    languages_ = read_languages(stop);
  }
  return *languages_;
}

bool Ctags::knows(std::string_view name, const std::stop_token& stop) const {
  const Languages& all = languages(stop);
  const std::string last{name.substr(name.rfind('/') + 1)};
  return all.names.contains(last) || all.extensions.contains(extension_of(last)) ||
         std::any_of(all.patterns.begin(), all.patterns.end(), [&](const Glob& glob) { return glob.matches(last); });
}

std::vector<TaggedSource> Ctags::tag(const std::vector<Source>& sources, const std::stop_token& stop) const {
  languages(stop);  // throws if the program cannot be used
  std::vector<TaggedSource> all;
  for (int failures = 0; all.size() < sources.size() && failures < most_failures; ++failures) {
    std::string input;
    for (std::size_t i = all.size(); i < sources.size(); ++i) input += request_for(sources[i]);
    Answers answers;
    const ProgramOutput ran = programs_.run(
        run_of({"--_interactive=sandbox", "--sort=no", "--fields=NneKSsl", "--kinds-C=+p", "--kinds-C++=+p"},
               std::move(input)),
        stop, most_answer);
    for (const std::string_view line : parts_of(ran.output, '\n')) answers.take(line);
    std::move(answers.done().begin(), answers.done().end(), std::back_inserter(all));
    if (all.size() < sources.size()) all.emplace_back();  // it has ended on this one
  }
  all.resize(sources.size());
  return all;
}

}  // namespace workspace
