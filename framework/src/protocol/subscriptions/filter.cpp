#include "protocol/subscriptions/filter.hpp"

#include <algorithm>

#include "json/writer.hpp"
#include "protocol/exchange.hpp"

namespace toolwire::protocol {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw ProtocolError(error_code::invalid_params, "Invalid params: " + what);
}

void read_subjects(const Exchange& exchange, const TopicTraits& topic, const Json& value, bool offered,
                   Filter& filter) {
  const std::string member = "notifications." + std::string(topic.filter);
  if (!value.is_array()) refuse(member + " must be an array of strings");
  for (const Json& subject : value.get_array()) {
    if (!subject.is_string()) refuse(member + " must be an array of strings");
    const std::string_view text = subject.get_string();
    if (offered && topic.can_watch(exchange, text)) filter.add(topic.topic, text);
  }
}

}  // namespace

const Filter::Wish* Filter::find(Topic topic) const {
  auto found = std::find_if(wishes_.begin(), wishes_.end(), [&](const Wish& wish) { return wish.topic == topic; });
  return found != wishes_.end() ? &*found : nullptr;
}

Filter::Wish& Filter::wish(Topic topic) {
  auto found = std::find_if(wishes_.begin(), wishes_.end(), [&](const Wish& wish) { return wish.topic == topic; });
  return found != wishes_.end() ? *found : wishes_.emplace_back(Wish{topic, {}});
}

Filter& Filter::add(Topic topic) {
  wish(topic);
  return *this;
}

Filter& Filter::add(Topic topic, std::string_view subject) {
  wish(topic).subjects.emplace(subject);
  return *this;
}

bool Filter::wants(const Change& change) const {
  const Wish* wish = find(change.topic);
  return wish != nullptr && (traits_of(change.topic).can_watch == nullptr || wish->subjects.contains(change.subject));
}

std::string Filter::text() const {
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  for (const Wish& wish : wishes_) {
    const TopicTraits& topic = traits_of(wish.topic);
    writer.key(topic.filter);
    if (topic.can_watch == nullptr) {
      writer.boolean(true);
      continue;
    }
    writer.begin_array();
    for (const std::string& subject : wish.subjects) writer.string(subject);
    writer.end_array();
  }
  writer.end_object();
  return out;
}

std::size_t Filter::subjects() const {
  std::size_t count = 0;
  for (const Wish& wish : wishes_) count += wish.subjects.size();
  return count;
}

std::vector<std::string> Filter::subjects_of(Topic topic) const {
  const Wish* wish = find(topic);
  return wish != nullptr ? std::vector<std::string>(wish->subjects.begin(), wish->subjects.end())
                         : std::vector<std::string>();
}

void Filter::remove(Topic topic, const std::string& subject) {
  std::erase_if(wishes_, [&](Wish& wish) {
    return wish.topic == topic && wish.subjects.erase(subject) > 0 && wish.subjects.empty();
  });
}

Filter filter_in(const Exchange& exchange) {
  const Json* notifications = exchange.arguments().if_contains("notifications");
  if (notifications == nullptr || !notifications->is_object()) refuse("\"notifications\" must be an object");
  const Features offered = exchange.connection->service.offered();
  Filter filter;
  for (const TopicTraits& topic : topics()) {
    const Json* value = notifications->get_object().if_contains(topic.filter);
    if (value == nullptr) continue;
    if (topic.can_watch != nullptr) {
      read_subjects(exchange, topic, *value, offered.has(topic.feature), filter);
    } else if (!value->is_bool()) {
      refuse("notifications." + std::string(topic.filter) + " must be a boolean");
    } else if (value->get_bool() && offered.has(topic.feature)) {
      filter.add(topic.topic);
    }
  }
  return filter;
}

}  // namespace toolwire::protocol
