#include "features/kept_outputs.hpp"

#include <charconv>
#include <utility>
#include <variant>

namespace toolwire::features {
namespace {

/// Takes "NUMBER" or ".NUMBER" off the front of the text.
std::optional<std::size_t> take_number(std::string_view& text) {
  if (!text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string KeptOutputs::mark_of(std::string_view caller) const {
  return has_callers_ ? std::string(caller) + "\n" : std::string();
}

void KeptOutputs::keep(std::string_view text, std::size_t begin, std::size_t end, std::string_view caller,
                       Done<std::string> done) const {
  std::string marked = mark_of(caller);
  begin += marked.size();
  end += marked.size();
  if (!marked.empty()) text = marked.append(text);
  store_->keep(text, Done<std::string>([begin, end, done = std::move(done)](Done<std::string>::Result&& id) mutable {
                 if (auto* why = std::get_if<std::exception_ptr>(&id)) return done.fail(std::move(*why));
                 const std::string& text_id = std::get<std::string>(id);
                 done(text_id.empty() ? std::string() : cursor_of(text_id, begin, end));
               }));
}

void KeptOutputs::find(std::string_view cursor, std::string_view caller, Done<std::optional<Part>> done) const {
  using Text = std::shared_ptr<const std::string>;
  const std::string id(cursor.substr(0, cursor.find('.')));
  cursor.remove_prefix(id.size());
  const auto begin = take_number(cursor);
  const auto end = take_number(cursor);
  if (!begin || !end || !cursor.empty() || *begin >= *end) return done(std::nullopt);
  store_->find(id, Done<Text>([part = Part{nullptr, id, *begin, *end}, mark = mark_of(caller),
                               done = std::move(done)](Done<Text>::Result&& found) mutable {
                 if (auto* why = std::get_if<std::exception_ptr>(&found)) return done.fail(std::move(*why));
                 part.text = std::move(std::get<Text>(found));
                 const bool fits = part.text != nullptr && part.text->starts_with(mark) && part.begin >= mark.size() &&
                                   part.end <= part.text->size();
                 done(fits ? std::optional(std::move(part)) : std::nullopt);
               }));
}

std::string KeptOutputs::cursor_of(const std::string& id, std::size_t begin, std::size_t end) {
  return id + "." + std::to_string(begin) + "." + std::to_string(end);
}

}  // namespace toolwire::features
