#include "http/scenario_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "manifest/version.hpp"

namespace toolwire::bridge {
namespace {

std::string list_url(std::string base) {
  while (base.ends_with('/')) base.pop_back();
  return base + "/api/v1/tools";
}

std::string first_problem(const std::vector<ManifestProblem>& problems) {
  const std::string more = problems.size() > 1 ? fmt::format(" (and {} more)", problems.size() - 1) : "";
  return problems.front().message() + more;
}

/// Whether a document claims a version that is not known, so that nothing else in it can be judged.
bool is_of_unknown_version(std::string_view text) {
  try {
    const Json document = parse_json(text, {.max_values = usual_json_values});
    const JsonObject* object = document.if_object();
    if (object == nullptr) return false;
    const Json* version = object->if_contains("protocol_version");
    if (version == nullptr) version = object->if_contains("protocolVersion");
    return version != nullptr && version->is_string() && problem_of_version(version->get_string()).has_value();
  } catch (const JsonError&) {
    return false;
  }
}

}  // namespace

std::optional<std::chrono::seconds> max_age_of(const HttpResponse& response) {
  std::string_view text = response.header("cache-control").value_or("");
  const auto at = text.find("max-age=");
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + 8);
  std::uint32_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end == text.data()) return {};
  return std::chrono::seconds(seconds);
}

ScenarioCache::ScenarioCache(ScenarioSettings settings)
    : settings_(std::move(settings)), view_{.url = settings_.base_url}, retry_(settings_.first_retry) {}

HttpRequest ScenarioCache::request(Clock::time_point now) const {
  HttpRequest request;
  request.url = list_url(settings_.base_url);
  request.headers = settings_.headers;
  request.headers.emplace_back("Accept", "application/json");
  if (!tag_.empty()) request.headers.emplace_back("If-None-Match", tag_);
  request.deadline = now + settings_.deadline;
  request.response_limit = max_manifest;
  request.origin = HttpOrigin::operators;
  return request;
}

bool ScenarioCache::take(HttpOutcome&& outcome, Clock::time_point now) {
  if (const auto* const response = std::get_if<HttpResponse>(&outcome)) return take_response(*response, now);
  return fail(std::get<HttpFailure>(outcome).text, now, false);
}

bool ScenarioCache::take_response(const HttpResponse& response, Clock::time_point now) {
  if (response.status == 304 && view_.manifest != nullptr) return keep(response, now);
  if (response.status == 200) return take_document(response, now);
  return fail(fmt::format("answers with status {}", response.status), now, false);
}

bool ScenarioCache::take_document(const HttpResponse& response, Clock::time_point now) {
  tag_.clear();
  if (view_.manifest != nullptr && response.body == body_) return keep(response, now);
  ManifestReading reading = read_manifest(response.body, settings_.base_url, ManifestOrigin::fetched);
  if (!reading.manifest) {
    return fail(first_problem(reading.problems), now, is_of_unknown_version(response.body));
  }
  view_.manifest = std::make_shared<const Manifest>(std::move(*reading.manifest));
  body_ = response.body;
  view_.state = ScenarioView::State::unknown;  // so that `keep` sees a change
  return keep(response, now);
}

bool ScenarioCache::keep(const HttpResponse& response, Clock::time_point now) {
  const auto age = max_age_of(response).value_or(settings_.min_age);
  due_ = now + std::clamp(age, settings_.min_age, std::max(settings_.min_age, settings_.max_age));
  tag_ = response.header("etag").value_or(tag_);
  retry_ = settings_.first_retry;
  view_.problem.clear();
  return std::exchange(view_.state, ScenarioView::State::fresh) != ScenarioView::State::fresh;
}

bool ScenarioCache::fail(std::string problem, Clock::time_point now, bool drop) {
  due_ = now + retry_;
  retry_ = std::min<std::chrono::milliseconds>(2 * retry_, settings_.min_age);
  tag_.clear();
  view_.problem = std::move(problem);
  if (drop) view_.manifest = nullptr;
  const auto state = view_.manifest == nullptr ? ScenarioView::State::absent : ScenarioView::State::stale;
  return std::exchange(view_.state, state) != state;
}

}  // namespace toolwire::bridge
