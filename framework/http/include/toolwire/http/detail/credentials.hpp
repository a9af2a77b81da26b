// What says of a request who sends it, where that changes while the bridge runs: tokens. An interface; where they come
// from is up to who implements it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::remote {

/// Thread-safe. The functions that are handed in are called once, at once or later, from any thread; they must not
/// throw.
class Credentials {
 public:
  virtual ~Credentials() = default;

  /// Gives the value of `Authorization` for the next request; empty if there is none now.
  virtual void give(std::function<void(std::string authorization)> use) = 0;
  /// The server has let a request with this value in.
  virtual void accepted(const std::string& authorization) = 0;
  /// The server has refused a request with this value, with 401 or 403. Says whether it is worth to send the request
  /// again with what `give` gives then.
  virtual void refused(const HttpResponse& head, const std::string& authorization,
                       std::function<void(bool again)> use) = 0;
  /// The same where nobody is asked for it.
  virtual std::string given_at_once() = 0;
  /// What has to be done before the server lets in again, as the end of a sentence; empty if nothing is known to be.
  virtual std::string needed() = 0;
  /// What nobody else is to read: given now, or a moment ago.
  virtual std::shared_ptr<const std::vector<std::string>> secrets() = 0;
};

/// Whether an answer is for the credentials to look at.
inline bool is_about_credentials(const HttpResponse& head) { return head.status == 401 || head.status == 403; }

}  // namespace toolwire::remote
