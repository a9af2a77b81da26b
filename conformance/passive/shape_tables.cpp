// The types of the messages a server sends, in all revisions, as far as a server can get them wrong.
#include "passive/shapes.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view audio_since = "2025-03-26", june = "2025-06-18", november = "2025-11-25",
                           modern = "2026-07-28";

// Parts of many messages.

constexpr Member implementation[] = {{"name", "string"},
                                     {"version", "string"},
                                     {"title?", "string", june},
                                     {"description?", "string", november},
                                     {"icons?", "Icon[]", november},
                                     {"websiteUrl?", "string", november}};
constexpr Member icon[] = {
    {"src", "string"}, {"mimeType?", "string"}, {"sizes?", "string[]"}, {"theme?", "'light'|'dark'"}};
constexpr Member annotations[] = {{"audience?", "role[]"}, {"priority?", "share"}, {"lastModified?", "string", june}};
constexpr Member list_changed[] = {{"listChanged?", "boolean"}};
constexpr Member resources_capability[] = {{"listChanged?", "boolean"}, {"subscribe?", "boolean"}};
constexpr Member tasks_capability[] = {{"list?", "object"}, {"cancel?", "object"}, {"requests?", "object"}};
constexpr Member server_capabilities[] = {
    {"experimental?", "object{}"}, {"extensions?", "object{}", modern},
    {"logging?", "object"},        {"completions?", "object", audio_since},
    {"prompts?", "ListChanged"},   {"resources?", "ResourcesCapability"},
    {"tools?", "ListChanged"},     {"tasks?", "TasksCapability", november, november}};

// Content.

constexpr Member text_content[] = {{"text", "string"}, {"annotations?", "Annotations"}, {"_meta?", "object", june}};
constexpr Member media_content[] = {
    {"data", "string"}, {"mimeType", "string"}, {"annotations?", "Annotations"}, {"_meta?", "object", june}};
constexpr Member embedded_resource[] = {
    {"resource", "ResourceContents"}, {"annotations?", "Annotations"}, {"_meta?", "object", june}};
constexpr Member resource_contents[] = {
    {"uri", "string"}, {"text|blob", "string"}, {"mimeType?", "string"}, {"_meta?", "object", june}};
constexpr Member tool_use[] = {{"id", "string"}, {"name", "string"}, {"input", "object"}, {"_meta?", "object"}};
constexpr Member tool_result[] = {{"toolUseId", "string"},
                                  {"content", "Content[]"},
                                  {"isError?", "boolean"},
                                  {"structuredContent?", "object", november, november},
                                  {"_meta?", "object"}};

// What lists hold.

constexpr Member resource[] = {
    {"uri", "string"},         {"name", "string"},   {"title?", "string", june},      {"description?", "string"},
    {"mimeType?", "string"},   {"size?", "integer"}, {"annotations?", "Annotations"}, {"icons?", "Icon[]", november},
    {"_meta?", "object", june}};
constexpr Member resource_template[] = {{"uriTemplate", "string"},      {"name", "string"},
                                        {"title?", "string", june},     {"description?", "string"},
                                        {"mimeType?", "string"},        {"annotations?", "Annotations"},
                                        {"icons?", "Icon[]", november}, {"_meta?", "object", june}};
constexpr Member prompt[] = {{"name", "string"},
                             {"title?", "string", june},
                             {"description?", "string"},
                             {"arguments?", "PromptArgument[]"},
                             {"icons?", "Icon[]", november},
                             {"_meta?", "object", june}};
constexpr Member prompt_argument[] = {
    {"name", "string"}, {"title?", "string", june}, {"description?", "string"}, {"required?", "boolean"}};
constexpr Member object_schema[] = {{"type", "'object'"},
                                    {"properties?", "object{}", "2024-11-05", november},
                                    {"required?", "string[]", "2024-11-05", november}};
constexpr Member tool_annotations[] = {{"title?", "string"},
                                       {"readOnlyHint?", "boolean"},
                                       {"destructiveHint?", "boolean"},
                                       {"idempotentHint?", "boolean"},
                                       {"openWorldHint?", "boolean"}};
constexpr Member tool_execution[] = {{"taskSupport?", "'forbidden'|'optional'|'required'"}};
constexpr Member tool[] = {{"name", "string"},
                           {"title?", "string", june},
                           {"description?", "string"},
                           {"inputSchema", "ObjectSchema"},
                           {"outputSchema?", "ObjectSchema", june, november},
                           {"outputSchema?", "object", modern},
                           {"annotations?", "ToolAnnotations", audio_since},
                           {"execution?", "ToolExecution", november, november},
                           {"icons?", "Icon[]", november},
                           {"_meta?", "object", june}};

// Results.

constexpr Member initialize_result[] = {{"protocolVersion", "string"},
                                        {"capabilities", "ServerCapabilities"},
                                        {"serverInfo", "Implementation"},
                                        {"instructions?", "string"}};
constexpr Member discover_result[] = {{"supportedVersions", "string[]"},
                                      {"capabilities", "ServerCapabilities"},
                                      {"instructions?", "string"},
                                      {"ttlMs", "natural"},
                                      {"cacheScope", "'public'|'private'"}};
constexpr Member cached[] = {{"ttlMs", "natural", modern}, {"cacheScope", "'public'|'private'", modern}};
constexpr Member tools_list[] = {{"tools", "Tool[]"}, {"nextCursor?", "string"}, cached[0], cached[1]};
constexpr Member resources_list[] = {{"resources", "Resource[]"}, {"nextCursor?", "string"}, cached[0], cached[1]};
constexpr Member templates_list[] = {
    {"resourceTemplates", "ResourceTemplate[]"}, {"nextCursor?", "string"}, cached[0], cached[1]};
constexpr Member prompts_list[] = {{"prompts", "Prompt[]"}, {"nextCursor?", "string"}, cached[0], cached[1]};
constexpr Member tool_call[] = {
    {"content", "Content[]"}, {"isError?", "boolean"}, {"structuredContent?", "object", june, november}};
constexpr Member resource_read[] = {{"contents", "ResourceContents[]"}, cached[0], cached[1]};
constexpr Member prompt_get[] = {{"messages", "PromptMessage[]"}, {"description?", "string"}};
constexpr Member prompt_message[] = {{"role", "role"}, {"content", "Content"}};
constexpr Member complete_result[] = {{"completion", "Completion"}};
constexpr Member completion[] = {{"values", "string[]"}, {"total?", "integer"}, {"hasMore?", "boolean"}};
constexpr Member any_result[] = {{"_meta?", "object"}, {"resultType", "string", modern}};
constexpr Member input_required[] = {{"inputRequests?", "InputRequest{}"}, {"requestState?", "string"}};
constexpr Member input_request[] = {{"method", "'elicitation/create'|'sampling/createMessage'|'roots/list'"},
                                    {"params?", "object"}};
constexpr Member listen_meta[] = {{"io.modelcontextprotocol/subscriptionId", "id"}};
constexpr Member listen_result[] = {{"_meta", "ListenMeta"}};
constexpr Member task[] = {
    {"taskId", "string"},         {"status", "'working'|'input_required'|'completed'|'failed'|'cancelled'"},
    {"statusMessage?", "string"}, {"createdAt", "string"},
    {"lastUpdatedAt", "string"},  {"ttl", "integer|null"},
    {"pollInterval?", "integer"}};
constexpr Member created_task[] = {{"task", "Task"}};
constexpr Member task_list[] = {{"tasks", "Task[]"}, {"nextCursor?", "string"}};

// What a server sends of its own.

constexpr Member progress[] = {
    {"progressToken", "id"}, {"progress", "number"}, {"total?", "number"}, {"message?", "string", audio_since}};
constexpr Member log_message[] = {{"level", "'debug'|'info'|'notice'|'warning'|'error'|'critical'|'alert'|'emergency'"},
                                  {"data", "any"},
                                  {"logger?", "string"}};
constexpr Member cancelled[] = {{"requestId", "id", "2024-11-05", june},
                                {"requestId?", "id", november, november},
                                {"requestId", "id", modern},
                                {"reason?", "string"}};
constexpr Member updated[] = {{"uri", "string"}};
constexpr Member notification[] = {{"_meta?", "object"}};
constexpr Member subscription_filter[] = {{"toolsListChanged?", "boolean"},
                                          {"promptsListChanged?", "boolean"},
                                          {"resourcesListChanged?", "boolean"},
                                          {"resourceSubscriptions?", "string[]"}};
constexpr Member acknowledged[] = {{"notifications", "SubscriptionFilter"}};
constexpr Member elicitation_complete[] = {{"elicitationId", "string"}};
constexpr Member model_hint[] = {{"name?", "string"}};
constexpr Member model_preferences[] = {{"hints?", "ModelHint[]"},
                                        {"costPriority?", "share"},
                                        {"speedPriority?", "share"},
                                        {"intelligencePriority?", "share"}};
constexpr Member sampling_message[] = {
    {"role", "role"}, {"content", "Content", "2024-11-05", june}, {"content", "Content|Content[]", november}};
constexpr Member tool_choice[] = {{"mode?", "'auto'|'required'|'none'"}};
constexpr Member create_message[] = {
    {"messages", "SamplingMessage[]"}, {"maxTokens", "integer"},
    {"systemPrompt?", "string"},       {"includeContext?", "'none'|'thisServer'|'allServers'"},
    {"temperature?", "number"},        {"stopSequences?", "string[]"},
    {"metadata?", "object"},           {"modelPreferences?", "ModelPreferences"},
    {"tools?", "Tool[]", november},    {"toolChoice?", "ToolChoice", november}};
constexpr Member form[] = {{"message", "string"}, {"requestedSchema", "FormSchema"}, {"mode?", "'form'", november}};
constexpr Member form_schema[] = {{"type", "'object'"}, {"properties", "FormField{}"}, {"required?", "string[]"}};
constexpr Member form_field[] = {{"type", "'string'|'number'|'integer'|'boolean'", june, june},
                                 {"type", "'string'|'number'|'integer'|'boolean'|'array'", november},
                                 {"title?", "string"},
                                 {"description?", "string"}};
constexpr Member page[] = {
    {"message", "string"}, {"url", "string"}, {"mode", "'url'"}, {"elicitationId", "string", november, november}};

constexpr Shape all_shapes[] = {
    {"Implementation", implementation},
    {"Icon", icon},
    {"Annotations", annotations},
    {"ListChanged", list_changed},
    {"ResourcesCapability", resources_capability},
    {"TasksCapability", tasks_capability},
    {"ServerCapabilities", server_capabilities},
    {"TextContent", text_content},
    {"MediaContent", media_content},
    {"EmbeddedResource", embedded_resource},
    {"ResourceContents", resource_contents},
    {"ToolUse", tool_use},
    {"ToolResult", tool_result},
    {"Resource", resource},
    {"ResourceTemplate", resource_template},
    {"Prompt", prompt},
    {"PromptArgument", prompt_argument},
    {"ObjectSchema", object_schema},
    {"ToolAnnotations", tool_annotations},
    {"ToolExecution", tool_execution},
    {"Tool", tool},
    {"InitializeResult", initialize_result},
    {"DiscoverResult", discover_result},
    {"ListToolsResult", tools_list},
    {"ListResourcesResult", resources_list},
    {"ListResourceTemplatesResult", templates_list},
    {"ListPromptsResult", prompts_list},
    {"CallToolResult", tool_call},
    {"ReadResourceResult", resource_read},
    {"GetPromptResult", prompt_get},
    {"PromptMessage", prompt_message},
    {"CompleteResult", complete_result},
    {"Completion", completion},
    {"Result", any_result},
    {"InputRequiredResult", input_required},
    {"InputRequest", input_request},
    {"ListenResult", listen_result},
    {"ListenMeta", listen_meta},
    {"Task", task},
    {"CreateTaskResult", created_task},
    {"ListTasksResult", task_list},
    {"Progress", progress},
    {"LogMessage", log_message},
    {"Cancelled", cancelled},
    {"Updated", updated},
    {"Notification", notification},
    {"SubscriptionFilter", subscription_filter},
    {"Acknowledged", acknowledged},
    {"ElicitationComplete", elicitation_complete},
    {"ModelHint", model_hint},
    {"ModelPreferences", model_preferences},
    {"SamplingMessage", sampling_message},
    {"ToolChoice", tool_choice},
    {"CreateMessage", create_message},
    {"Form", form},
    {"FormSchema", form_schema},
    {"FormField", form_field},
    {"Page", page},
};

constexpr Variant all_variants[] = {
    {"Content", "text", "TextContent"},
    {"Content", "image", "MediaContent"},
    {"Content", "audio", "MediaContent", audio_since},
    {"Content", "resource", "EmbeddedResource"},
    {"Content", "resource_link", "Resource", june},
    {"Content", "tool_use", "ToolUse", november},
    {"Content", "tool_result", "ToolResult", november},
};

}  // namespace

std::span<const Shape> shapes() { return all_shapes; }
std::span<const Variant> variants() { return all_variants; }

}  // namespace toolwire::conformance
