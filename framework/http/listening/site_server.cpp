#include "toolwire/http/site.hpp"

#include <stdexcept>
#include <toolwire/system/descriptor_limit.hpp>
#include <utility>

#include "listening/endpoint.hpp"
#include "listening/port_listener.hpp"

namespace toolwire::http {
namespace {

using toolwire::transport::ListeningSocket;

class SiteEndpoint final : public Endpoint {
 public:
  explicit SiteEndpoint(Site site) : site_(std::make_shared<const Site>(std::move(site))) {}

  void begin(PortListener& listener, std::function<void()> over) override {
    listener_ = &listener;
    over();  // answers are jobs of the listener's channel
  }
  std::optional<Reply> answer_to_head(const Request& head) override {
    return site_->at_head ? site_->at_head(head) : std::nullopt;
  }
  void handle(Request request, std::shared_ptr<Exchange> exchange) override {
    auto whole = std::make_shared<Request>(std::move(request));
    listener_->post([site = site_, whole = std::move(whole), exchange = std::move(exchange)] {
      site->answer(std::move(*whole), exchange);
    });
  }
  Reply worded(const Refusal& refusal) const override {
    Reply reply{.status = refusal.status, .fields = {{"Content-Type", "text/plain"}}, .body = refusal.why + "\n"};
    if (site_->refuse) reply = site_->refuse(refusal.status, refusal.why);
    reply.fields.insert(reply.fields.end(), refusal.fields.begin(), refusal.fields.end());
    return reply;
  }

 private:
  const std::shared_ptr<const Site> site_;
  const PortListener* listener_ = nullptr;  // which holds this
};

engine::Engine::Settings engine_settings(const SiteOptions& options) {
  if (options.threads == 0) throw std::invalid_argument("a site needs at least 1 thread");
  return {.threads = options.threads, .drain = options.drain};
}

std::shared_ptr<PortListener> listener_of(Site&& site, const SiteOptions& options, const Limits& limits) {
  if (!site.answer) throw std::invalid_argument("a site needs a function `answer`");
  if (options.max_body == 0) throw std::invalid_argument("max_body must be at least 1 byte");
  check(options.limits);
  system::raise_descriptor_limit();
  return std::make_shared<PortListener>(limits, ListeningSocket::at_port(options.port, options.address),
                                        PortListener::Settings{.limits = options.limits, .max_body = options.max_body},
                                        std::make_unique<SiteEndpoint>(std::move(site)));
}

}  // namespace

class SiteServer::Parts {
 public:
  Parts(Site&& site, const SiteOptions& options)
      : engine_(engine::Engine::make(engine_settings(options))),
        listener_(listener_of(std::move(site), options, limits_)),
        port_(listener_->port()) {}
  ~Parts() { engine_->end(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::uint16_t port() const { return port_; }
  void run() {
    listener_->attach(engine_, listener_);
    listener_.reset();
    engine_->run();
  }
  void stop() { engine_->stop(); }

 private:
  const Limits limits_ = {};
  const std::shared_ptr<engine::Engine> engine_;
  std::shared_ptr<PortListener> listener_;  // until it runs
  const std::uint16_t port_;
};

SiteServer::SiteServer(Site site, const SiteOptions& options)
    : parts_(std::make_unique<Parts>(std::move(site), options)) {}
SiteServer::~SiteServer() = default;

std::uint16_t SiteServer::port() const { return parts_->port(); }
void SiteServer::run() { parts_->run(); }
void SiteServer::stop() { parts_->stop(); }

}  // namespace toolwire::http
