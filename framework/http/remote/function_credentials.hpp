// Credentials that a function of the program gives.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/detail/mutex.hpp>
#include <toolwire/http/detail/credentials.hpp>

namespace toolwire::remote {

class FunctionCredentials : public Credentials {
 public:
  using Function = std::function<std::string(std::string_view refused)>;
  /// `authorization`: see ConnectOptions.
  explicit FunctionCredentials(Function authorization) : authorization_(std::move(authorization)) {}

  void give(std::function<void(std::string authorization)> use) override { use(ask({})); }
  void accepted(const std::string& /*authorization*/) override {}
  void refused(const HttpResponse& head, const std::string& authorization,
               std::function<void(bool again)> use) override;
  std::string given_at_once() override { return ask({}); }
  std::string needed() override;
  std::shared_ptr<const std::vector<std::string>> secrets() override;

 private:
  std::string ask(std::string_view refused);

  const Function authorization_;
  Mutex mutex_;
  std::string given_ TOOLWIRE_GUARDED_BY(mutex_);    // the last
  std::string problem_ TOOLWIRE_GUARDED_BY(mutex_);  // what the function has thrown, if it has
};

}  // namespace toolwire::remote
