#include "workspace/changes/edits.hpp"

#include <algorithm>
#include <optional>
#include <toolwire/error.hpp>

#include "workspace/changes/near_match.hpp"
#include "workspace/text/line_ends.hpp"

namespace workspace {
namespace {

constexpr std::size_t max_named_lines = 5;

struct Span {
  std::size_t begin = 0, end = 0;
};

struct Replacement {
  std::size_t begin = 0, end = 0;
  std::string text;
  std::size_t edit = 0;
};

std::size_t line_at(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

std::string name_of(const std::vector<TextEdit>& edits, std::size_t index) {
  return edits.size() == 1 ? std::string() : "edits[" + std::to_string(index) + "].";
}

bool has_return(std::string_view text) { return text.find('\r') != std::string_view::npos; }

/// Where one is meant, those that overlap count too; where all are, each begins behind the one before.
std::vector<std::size_t> places_of(std::string_view text, const TextEdit& edit) {
  const std::string_view wanted = edit.old_text;
  const std::size_t step = edit.all ? wanted.size() : 1;
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + step))
    places.push_back(at);
  return places;
}

std::string lines_text(std::string_view text, const std::vector<Span>& places) {
  std::string out;
  for (std::size_t i = 0; i < places.size() && i < max_named_lines; ++i)
    out += (i == 0 ? "" : ", ") + std::to_string(line_at(text, places[i].begin));
  return places.size() > max_named_lines ? out + ", …" : out;
}

// Collects the replacements, or throws.
class Plan {
 public:
  Plan(std::string_view text, std::string_view shown, const std::vector<TextEdit>& edits)
      : whole_(text), text_(shown), edits_(edits) {
    if (text.find("\r\n") != std::string_view::npos) bare_.emplace(shown);
    for (std::size_t i = 0; i < edits.size(); ++i) add(i);
    std::sort(replacements_.begin(), replacements_.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < replacements_.size(); ++i) {
      if (replacements_[i].begin < replacements_[i - 1].end) refuse_overlap(replacements_[i - 1], replacements_[i]);
    }
  }

  Edited carry_out() const {
    Edited result{{}, replacements_.size(), line_at(text_, replacements_.front().begin)};
    std::size_t done = 0;
    for (const Replacement& one : replacements_) {
      result.text += whole_.substr(done, one.begin - done);
      result.text += one.text;
      done = one.end;
    }
    result.text += whole_.substr(done);
    return result;
  }

 private:
  void add(std::size_t index) {
    const TextEdit& edit = edits_[index];
    const std::string name = name_of(edits_, index);
    if (edit.old_text.empty()) {
      throw toolwire::ToolError(name +
                                "oldText: is empty; expected the text to replace (write_file writes whole files)");
    }
    if (edit.old_text == edit.new_text) {
      throw toolwire::ToolError(name + "newText: is the same as oldText, so the edit would change nothing");
    }
    const std::vector<Span> places = spans_of(edit);
    if (places.empty()) throw toolwire::ToolError(name + "oldText: " + missing_text(text_, edit.old_text));
    if (places.size() > 1 && !edit.all) refuse_doubt(name, places);
    for (const Span& place : places) {
      const std::size_t size = place.end - place.begin;
      if (whole_.substr(place.begin, size) != text_.substr(place.begin, size)) refuse_hidden(name, place.begin);
      replacements_.push_back({place.begin, place.end, new_text(edit, place), index});
    }
  }

  std::vector<Span> spans_of(const TextEdit& edit) const {
    const bool takes_any_end = bare_ && !has_return(edit.old_text);
    std::vector<Span> spans;
    for (const std::size_t at : places_of(takes_any_end ? bare_->text() : text_, edit)) {
      const std::size_t end = at + edit.old_text.size();
      spans.push_back(takes_any_end ? Span{bare_->place(at), bare_->place(end)} : Span{at, end});
    }
    return spans;
  }

  std::string new_text(const TextEdit& edit, const Span& place) {
    if (!bare_ || has_return(edit.new_text) || edit.new_text.find('\n') == std::string::npos) return edit.new_text;
    const std::string_view replaced = text_.substr(place.begin, place.end - place.begin);
    return with_line_ends_of(replaced, edit.new_text, line_ends_.at(place.end));
  }

  [[noreturn]] void refuse_hidden(const std::string& name, std::size_t at) const {
    throw toolwire::ToolError(
        name + "oldText: covers credentials at line " + std::to_string(line_at(text_, at)) +
        " that are only shown as ***; replace what stands beside them, and leave them to a person");
  }

  [[noreturn]] void refuse_doubt(const std::string& name, const std::vector<Span>& places) const {
    throw toolwire::ToolError(name + "oldText: stands in the file " + std::to_string(places.size()) +
                              " times, at lines " + lines_text(text_, places) +
                              "; add lines around it until it is unique, or set replaceAll");
  }

  [[noreturn]] void refuse_overlap(const Replacement& a, const Replacement& b) const {
    throw toolwire::ToolError("edits[" + std::to_string(b.edit) + "]: overlaps with edits[" + std::to_string(a.edit) +
                              "] at line " + std::to_string(line_at(text_, b.begin)) +
                              "; make one edit of the two (each is matched against the file as it is now)");
  }

  std::string_view whole_;
  std::string_view text_;  // as it is shown
  const std::vector<TextEdit>& edits_;
  std::optional<BareText> bare_;  // where line ends have returns
  NearbyLineEnds line_ends_{text_};
  std::vector<Replacement> replacements_;
};

}  // namespace

Edited apply_edits(std::string_view text, const std::vector<TextEdit>& edits, std::string_view shown) {
  if (edits.empty()) throw toolwire::ToolError("edits: is empty; expected at least one edit");
  return Plan{text, shown.empty() ? text : shown, edits}.carry_out();
}

}  // namespace workspace
