#include "remote/function_credentials.hpp"

#include <exception>
#include <toolwire/detail/what_of.hpp>
#include <utility>

namespace toolwire::remote {

std::string FunctionCredentials::ask(std::string_view refused) {
  std::string given;
  std::string problem;
  try {
    given = authorization_(refused);
  } catch (...) {
    problem = "who is calling could not be said: " + detail::what_of(std::current_exception());
  }
  const MutexLock lock(mutex_);
  given_ = given;
  problem_ = std::move(problem);
  return given;
}

void FunctionCredentials::refused(const HttpResponse& head, const std::string& authorization,
                                  std::function<void(bool again)> use) {
  if (head.status != 401) return use(false);
  const std::string next = ask(authorization);
  use(!next.empty() && next != authorization);
}

std::string FunctionCredentials::needed() {
  const MutexLock lock(mutex_);
  return problem_;
}

std::shared_ptr<const std::vector<std::string>> FunctionCredentials::secrets() {
  const MutexLock lock(mutex_);
  return std::make_shared<const std::vector<std::string>>(1, given_);
}

}  // namespace toolwire::remote
