// The changes clients can be notified of: one line of the table in topic.cpp each. Adding one: that line, and
// `Service::tell` where it happens.
#pragma once

#include <span>
#include <string_view>

#include "protocol/feature.hpp"

namespace toolwire::protocol {

struct Exchange;

enum class Topic : unsigned char { tools_list, prompts_list, resources_list, resource_updated, task };

struct TopicTraits {
  Topic topic;
  Feature feature;          // told only to clients that know the server has it
  std::string_view filter;  // its member in the filter of subscriptions/listen
  std::string_view method;  // of the notification
  /// Null where the filter's member is a boolean. Else it is a list of subjects (URIs), and this says whether one of
  /// them can be watched by this client; throws ProtocolError to refuse the whole subscription.
  bool (*can_watch)(const Exchange& exchange, std::string_view subject);
};

std::span<const TopicTraits> topics();
const TopicTraits& traits_of(Topic topic);

/// Something that has happened. The texts live as long as the call they are handed to.
struct Change {
  Topic topic;
  std::string_view subject = {};  // of topics with subjects
  std::string_view params = {};   // further members of the notification's params, as JSON text: "uri":"…"
};

}  // namespace toolwire::protocol
