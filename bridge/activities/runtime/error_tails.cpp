#include "activities/runtime/error_tails.hpp"

namespace toolwire::bridge::runtimes {

void ErrorTails::begin(Call call) {
  has_begun_ = true;
  before_ = {};
  running_.try_emplace(call);
}

void ErrorTails::end(Call call) { running_.erase(call); }

void ErrorTails::add(std::string_view bytes) {
  if (!has_begun_) return before_.add(bytes, kept_);
  if (running_.size() == 1) return running_.begin()->second.add(bytes, kept_);
  for (auto& [call, tail] : running_) tail.has_unattributed = true;
}

std::string ErrorTails::of(Call call) const {
  const auto found = running_.find(call);
  return found == running_.end() ? std::string() : found->second.whole_lines();
}

bool ErrorTails::has_unattributed(Call call) const {
  const auto found = running_.find(call);
  return found != running_.end() && found->second.has_unattributed;
}

void ErrorTails::Tail::add(std::string_view bytes, std::size_t kept) {
  text += bytes;
  if (text.size() <= kept) return;
  text.erase(0, text.size() - kept);
  is_cut = true;
}

std::string ErrorTails::Tail::whole_lines() const {
  const std::size_t line = is_cut ? text.find('\n') : std::string::npos;
  return line == std::string::npos ? text : text.substr(line + 1);
}

}  // namespace toolwire::bridge::runtimes
