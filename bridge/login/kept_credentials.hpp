// The credentials of a server that somebody has logged in at: the tokens of the kept login, renewed when they have run
// out or are refused. Never asks a person.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/detail/mutex.hpp>

#include <toolwire/http/detail/credentials.hpp>
#include "login/new_login.hpp"
#include "login/store.hpp"
#include "login/worker.hpp"

namespace toolwire::bridge::login {

/// What a login goes through, and what is said of it.
struct LoginParts {
  std::shared_ptr<HttpClient> http = {};
  std::shared_ptr<Worker> worker = {};
  std::string folder = {};   ///< Of the logins.
  std::string command = {};  ///< What a person types to log in.
};

/// Thread-safe. A login that another process changes counts from the next request on.
class KeptCredentials : public remote::Credentials, public std::enable_shared_from_this<KeptCredentials> {
 public:
  KeptCredentials(LoginParts parts, const std::string& url, LoginSettings settings);

  void give(std::function<void(std::string)> use) override;
  void accepted(const std::string& authorization) override;
  void refused(const HttpResponse& head, const std::string& authorization, std::function<void(bool)> use) override;
  std::string given_at_once() override;
  std::string needed() override;
  std::shared_ptr<const std::vector<std::string>> secrets() override;

  /// Where the login is kept; empty: nowhere.
  [[nodiscard]] const std::string& path() const { return file_.path(); }

 private:
  using Clock = std::chrono::steady_clock;

  void look_at_file() TOOLWIRE_REQUIRES(mutex_);
  void take(std::optional<Login> login) TOOLWIRE_REQUIRES(mutex_);
  [[nodiscard]] std::string authorization() const TOOLWIRE_REQUIRES(mutex_);
  [[nodiscard]] bool acts_alone() const { return settings_.grant == Grant::client_credentials; }
  [[nodiscard]] bool can_renew() const TOOLWIRE_REQUIRES(mutex_);
  [[nodiscard]] std::string log_in_text(const std::string& why) const;

  bool renew(const std::string& used, const Challenge& challenge);
  bool widen(const std::string& used, const Challenge& challenge);
  [[nodiscard]] std::optional<system::PrivateFile> locked() const;
  bool may_renew(const std::string& used) TOOLWIRE_REQUIRES(mutex_);
  bool widen_alone(const Login& before, const std::vector<std::string>& missing);
  bool note_wanted(Login login, const std::vector<std::string>& missing);
  Login renewed(const std::optional<Login>& before, const std::vector<std::string>& missing);
  void keep(const Login& login);
  bool failed(const std::string& text);

  const LoginParts parts_;
  const LoginSettings settings_;
  const LoginFile file_;
  const Asking asking_;
  Mutex mutex_;
  std::optional<Login> login_ TOOLWIRE_GUARDED_BY(mutex_);
  std::filesystem::file_time_type written_ TOOLWIRE_GUARDED_BY(mutex_) = {};  // when the file was that was read
  std::string needed_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string renewed_ TOOLWIRE_GUARDED_BY(mutex_);                // a token that has not been let in yet …
  Clock::time_point renewed_at_ TOOLWIRE_GUARDED_BY(mutex_) = {};  // … and since when
  Clock::time_point not_before_ TOOLWIRE_GUARDED_BY(mutex_) = {};  // of another try after one that failed
  Challenge challenge_ TOOLWIRE_GUARDED_BY(mutex_);                // that the server made last
  std::shared_ptr<const std::vector<std::string>> secrets_ TOOLWIRE_GUARDED_BY(mutex_) =
      std::make_shared<const std::vector<std::string>>();
};

}  // namespace toolwire::bridge::login
