#include "features/kept_outputs.hpp"

#include <algorithm>
#include <charconv>

#include "types/random_id.hpp"

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

std::optional<KeptOutputs::Part> KeptOutputs::keep(std::string_view text, std::size_t begin, std::size_t end) {
  if (text.size() > room_) return std::nullopt;
  Part part{std::make_shared<const std::string>(text), types::random_id(), begin, end};
  std::lock_guard lock(mutex_);
  bytes_ += text.size();
  kept_.push_back(part);
  for (; bytes_ > room_; kept_.pop_front()) bytes_ -= kept_.front().text->size();
  return part;
}

std::optional<KeptOutputs::Part> KeptOutputs::find(std::string_view cursor) const {
  const std::string_view id = cursor.substr(0, cursor.find('.'));
  cursor.remove_prefix(id.size());
  const auto begin = take_number(cursor);
  const auto end = take_number(cursor);
  if (!begin || !end || !cursor.empty()) return std::nullopt;
  std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, id, &Part::id);
  if (found == kept_.end() || *begin >= *end || *end > found->text->size()) return std::nullopt;
  return Part{found->text, found->id, *begin, *end};
}

std::string KeptOutputs::cursor_of(const Part& part) {
  return part.id + "." + std::to_string(part.begin) + "." + std::to_string(part.end);
}

}  // namespace toolwire::features
