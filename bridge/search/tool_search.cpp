#include "search/tool_search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "manifest/findings.hpp"
#include "search/ranking.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t usual_limit = 8;
constexpr std::size_t max_limit = 50;
constexpr std::size_t max_repeated = 200;                 // bytes of a query or a name that fits nothing
constexpr std::size_t max_bytes = std::size_t{32} << 10;  // of what one search shows

const Json search_schema = JsonObject{
    {"type", "object"},
    {"properties", JsonObject{{"query", JsonObject{{"type", "string"},
                                                   {"minLength", 1},
                                                   {"description", "Words for what you want to do, or a name"}}},
                              {"limit", JsonObject{{"type", "integer"},
                                                   {"minimum", 1},
                                                   {"maximum", max_limit},
                                                   {"default", usual_limit},
                                                   {"description", "How many tools at most"}}}}},
    {"required", JsonArray{"query"}},
    {"additionalProperties", false}};

const Json call_schema = JsonObject{
    {"type", "object"},
    {"properties",
     JsonObject{{"name", JsonObject{{"type", "string"}, {"description", "The name of a tool that search_tools found"}}},
                {"arguments",
                 JsonObject{{"type", "object"}, {"description", "Its arguments, as its inputSchema wants them"}}}}},
    {"required", JsonArray{"name"}},
    {"additionalProperties", false}};

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all.append(all.empty() ? "" : ", ").append(text::stripped(name));
  return all;
}

ToolInfo search_info(const ToolSearchOptions& options) {
  ToolInfo info{.name = std::string(search_tool_name),
                .description =
                    "Finds tools by words in their names, descriptions and parameters, and shows how to call them with "
                    "call_tool. More tools exist than are listed: search before you say that something cannot be done.",
                .title = "Search tools"};
  if (!options.sources.empty()) info.description += " There are tools of: " + joined(options.sources) + ".";
  info.read_only = true;
  info.idempotent = true;
  info.open_world = false;
  info.input_schema = search_schema;
  return info;
}

/// Who may not call the other tool directly may not do so through this one.
ToolInfo call_info(Server& server) {
  ToolInfo info{
      .name = std::string(call_tool_name),
      .description = "Calls a tool that search_tools has found, with the arguments that its inputSchema wants.",
      .title = "Call a tool"};
  info.input_schema = call_schema;
  info.scopes_of_call = [&server](const Json& arguments) {
    return server.needed_scopes(text_member(arguments, "name"), member_or_null(arguments, "arguments"));
  };
  return info;
}

/// What a model needs to call it.
Json shown(const Json& tool) {
  JsonObject shown;
  for (const std::string_view member : {"name", "title", "description", "inputSchema", "annotations"}) {
    if (const Json* const value = find_member(tool, member)) shown[member] = *value;
  }
  return shown;
}

std::string nothing_found(const std::string& query, std::size_t tools) {
  return "None of " + std::to_string(tools) + " tools fits \"" + text::stripped(text::head(query, max_repeated)) +
         "\". Try other words.";
}

/// All tools but the two of the search, and their index. Immutable.
struct Catalogue {
  Catalogue(JsonArray all, std::uint64_t of_version) : tools(std::move(all)), ranking(tools), version(of_version) {}

  const JsonArray tools;
  const ToolRanking ranking;
  const std::uint64_t version;  // of the server's list
};

/// As many of the best as are wanted and as there is room for; at least one.
ToolResult found_tools(const std::string& query, std::size_t limit, const Catalogue& catalogue) {
  const JsonArray& tools = catalogue.tools;
  const std::vector<std::size_t> best = catalogue.ranking.best(query);
  if (best.empty()) return ToolResult::text(nothing_found(query, tools.size()));
  std::string text;
  std::size_t count = 0;
  for (; count < std::min(best.size(), limit); ++count) {
    const std::string one = to_json_text(shown(tools[best[count]]));
    if (count > 0 && text.size() + one.size() > max_bytes) break;
    text.append(one).append("\n");
  }
  if (count < best.size())
    text += "(" + std::to_string(best.size() - count) + " more fit less well; narrow the query to see others)\n";
  text.pop_back();
  return ToolResult::text(std::move(text));
}

ToolResult unknown_tool(const std::string& name, const JsonArray& tools) {
  std::vector<std::string_view> names;
  for (const Json& tool : tools) names.push_back(text_member(tool, "name"));
  return failure("unknown_tool",
                 "There is no tool \"" + text::stripped(text::head(name, max_repeated)) + "\"" +
                     did_you_mean(name, names) + "; search_tools finds those there are",
                 true);
}

ToolResult ending() { return failure("unavailable", "The bridge is ending.", false); }

JsonArray without_own(JsonArray tools) {
  const auto own = std::remove_if(tools.begin(), tools.end(),
                                  [](const Json& tool) { return is_search_tool(text_member(tool, "name")); });
  tools.erase(own, tools.end());
  return tools;
}

}  // namespace

/// Shared with the functions that the server keeps.
class ToolSearch::Shared : public std::enable_shared_from_this<ToolSearch::Shared> {
 public:
  Shared(Server& server, ToolSearchOptions options) : server_(server), options_(std::move(options)) {}

  /// Nothing once it has ended.
  std::shared_ptr<OwnSession> session() {
    const MutexLock lock(mutex_);
    if (!session_ && !ended_) session_ = std::make_shared<OwnSession>(server_);
    return session_;
  }
  void end() {
    std::shared_ptr<OwnSession> last;  // ends without the lock
    const MutexLock lock(mutex_);
    ended_ = true;
    last.swap(session_);
  }

  using UseCatalogue = std::function<void(const Catalogue*)>;
  /// Gives it to `use`, now or on a thread of the session; null if the session has ended.
  void with_catalogue(const std::shared_ptr<OwnSession>& own, UseCatalogue use);
  void search(const Json& arguments, Reply reply);
  void call(const Json& arguments, Context& context, Reply reply);
  void filter(AnyRequest& request, Context& context, RequestNext next);

 private:
  bool is_own(const Context& context) {
    const MutexLock lock(mutex_);
    return session_ && session_->is_own(context);
  }

  Server& server_;
  const ToolSearchOptions options_;
  Mutex mutex_;
  bool ended_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::shared_ptr<OwnSession> session_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<const Catalogue> catalogue_ TOOLWIRE_GUARDED_BY(mutex_);  // the last; null: none yet
};

/// The version is asked for before the list: a change in between makes another catalogue the next time.
void ToolSearch::Shared::with_catalogue(const std::shared_ptr<OwnSession>& own, UseCatalogue use) {
  const std::uint64_t version = server_.tools_version();
  std::shared_ptr<const Catalogue> known;
  {
    const MutexLock lock(mutex_);
    if (catalogue_ && catalogue_->version == version) known = catalogue_;
  }
  if (known) return use(known.get());
  own->list_tools([self = shared_from_this(), version, use = std::move(use)](std::optional<JsonArray> tools) {
    if (!tools) return use(nullptr);
    const auto made = std::make_shared<const Catalogue>(without_own(std::move(*tools)), version);
    {
      const MutexLock lock(self->mutex_);
      self->catalogue_ = made;
    }
    use(made.get());
  });
}

void ToolSearch::Shared::search(const Json& arguments, Reply reply) {
  const auto own = session();
  if (!own) return reply(ending());
  const std::string query = text_or(arguments, "query");
  const Json* const stated = find_member(arguments, "limit");
  const std::size_t limit = stated == nullptr ? usual_limit : stated->to_number<std::size_t>();
  const auto answer = std::make_shared<Reply>(std::move(reply));
  with_catalogue(own, [query, limit, answer](const Catalogue* catalogue) {
    (*answer)(catalogue == nullptr ? ending() : found_tools(query, limit, *catalogue));
  });
}

void ToolSearch::Shared::call(const Json& arguments, Context& context, Reply reply) {
  const auto own = session();
  if (!own) return reply(ending());
  const std::string name = text_or(arguments, "name");
  const Json* const given = find_member(arguments, "arguments");
  if (!is_search_tool(name) && server_.has_tool(name))
    return own->call_tool(name, given == nullptr ? Json(JsonObject()) : *given, context, std::move(reply));
  const auto answer = std::make_shared<Reply>(std::move(reply));
  with_catalogue(own, [name, answer](const Catalogue* catalogue) {
    (*answer)(catalogue == nullptr ? ending() : unknown_tool(name, catalogue->tools));
  });
}

/// The bridge's own session sees everything, hosts see what is to be shown.
void ToolSearch::Shared::filter(AnyRequest& request, Context& context, RequestNext next) {
  if (request.method != "tools/list" || is_own(context)) return next();
  next.then([self = shared_from_this()](AnyRequestOutcome& outcome) {
    auto* const list = std::get_if<ListResult>(&outcome.value);
    if (list == nullptr) return;
    std::erase_if(list->names,
                  [&](const std::string& name) { return !is_search_tool(name) && !self->options_.is_shown(name); });
  });
}

ToolSearch::ToolSearch(Server& server, const ToolSearchOptions& options)
    : shared_(std::make_shared<Shared>(server, options)) {
  server.tool(search_info(options), [shared = shared_](const Json& arguments, Context&, Reply reply) {
    shared->search(arguments, std::move(reply));
  });
  server.tool(call_info(server), [shared = shared_](const Json& arguments, Context& context, Reply reply) {
    shared->call(arguments, context, std::move(reply));
  });
  server.around_request([shared = shared_](AnyRequest& request, Context& context, RequestNext next) {
    shared->filter(request, context, std::move(next));
  });
}

ToolSearch::~ToolSearch() { shared_->end(); }

}  // namespace toolwire::bridge
