#include "remote/answer_reader.hpp"

namespace toolwire::remote {
namespace {

constexpr std::size_t max_reason = std::size_t{64} << 10;  // bytes

}  // namespace

void AnswerReader::begin() {
  body_.clear();
  is_too_large_ = false;
  events_.end();
}

bool AnswerReader::take(const HttpResponse& head, std::string_view piece,
                        const std::function<void(std::string&&)>& event) {
  switch (form_of(head)) {
    case BodyForm::events:
      is_too_large_ = !events_.take(piece, event);
      return !is_too_large_;
    case BodyForm::json:
      is_too_large_ = piece.size() > max_message_ - body_.size();
      if (!is_too_large_) body_.append(piece);
      return !is_too_large_;
    case BodyForm::reason:
      body_.append(piece.substr(0, max_reason - body_.size()));
      return body_.size() < max_reason;
  }
  return false;
}

}  // namespace toolwire::remote
