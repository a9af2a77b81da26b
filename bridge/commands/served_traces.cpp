#include "commands/served_traces.hpp"

#include <chrono>
#include <string>
#include <utility>

#include <toolwire/system/log_line.hpp>

#include "system/program_version.hpp"
#include "system/random_text.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::chrono::seconds answer_within{10};
constexpr std::size_t longest_answer = std::size_t{64} << 10;
constexpr std::chrono::milliseconds at_the_end{1'500};  // below the two seconds that hosts give a server to end

traces::Exporter::Send sending_to(const traces::Settings& collector, std::shared_ptr<HttpClient> http) {
  return [collector, http = std::move(http)](std::string body, std::stop_token stop,
                                             std::function<void(HttpOutcome &&)> done) {
    HttpRequest request{.method = "POST", .url = collector.url, .headers = collector.headers, .body = std::move(body)};
    request.headers.emplace_back("Content-Type", "application/json");
    request.deadline = HttpRequest::Clock::now() + answer_within;
    request.response_limit = longest_answer;
    request.origin = HttpOrigin::operators;
    request.proxy_of_environment = collector.url.starts_with("https:");
    http->start(std::move(request), std::move(stop), std::move(done));
  };
}

}  // namespace

ServedTraces::ServedTraces(const std::optional<Configured>& configured, const ActivityServices& services) {
  if (!configured || !configured->tracing) return;
  const traces::Settings& collector = *configured->tracing;
  const std::string instance = random_text(4);
  timers_.emplace(services.engine);
  exporter_ = std::make_shared<traces::Exporter>(
      sending_to(collector, services.http), *timers_,
      traces::ExporterOptions{
          .resource = {.service = collector.service_name, .instance = instance, .version = program_version()},
          .log = [](const std::string& text) { log_line(text); }});
  spans_ = std::make_shared<traces::Traces>(
      traces::TracesOptions{.sample_ratio = collector.sample_ratio,
                            .instance = instance,
                            .secrets = configured->secrets,
                            .record = [exporter = exporter_](traces::Span&& span) { exporter->add(std::move(span)); }});
}

std::optional<traces::Exporter::Counts> ServedTraces::counts() const {
  return exporter_ ? std::optional(exporter_->counts()) : std::nullopt;
}

void ServedTraces::end() {
  if (exporter_) exporter_->end(at_the_end);
  if (timers_) timers_->stop();
}

}  // namespace toolwire::bridge
