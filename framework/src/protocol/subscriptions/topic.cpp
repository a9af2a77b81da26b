#include "protocol/subscriptions/topic.hpp"

#include "protocol/tasks/task_requests.hpp"

#include "protocol/resources/watching.hpp"

namespace toolwire::protocol {
namespace {

// In the order of the enumeration. The last column of a list of subjects: who may watch one.
constexpr TopicTraits all_topics[] = {
    {Topic::tools_list, Feature::tools, "toolsListChanged", "notifications/tools/list_changed", nullptr},
    {Topic::prompts_list, Feature::prompts, "promptsListChanged", "notifications/prompts/list_changed", nullptr},
    {Topic::resources_list, Feature::resources, "resourcesListChanged", "notifications/resources/list_changed",
     nullptr},
    {Topic::resource_updated, Feature::resource_updates, "resourceSubscriptions", "notifications/resources/updated",
     can_watch_resource},
    {Topic::task, Feature::tasks, "taskIds", "notifications/tasks", can_watch_task},
};

}  // namespace

std::span<const TopicTraits> topics() { return all_topics; }

const TopicTraits& traits_of(Topic topic) { return all_topics[static_cast<unsigned>(topic)]; }

}  // namespace toolwire::protocol
