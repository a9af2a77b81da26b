#include "login/kept_credentials.hpp"

#include <algorithm>
#include <system_error>
#include <toolwire/system/log_line.hpp>
#include <utility>

namespace toolwire::bridge::login {
namespace {

constexpr std::int64_t early = 30;  // seconds before its end a token is renewed
constexpr std::chrono::seconds between_failures{5};
constexpr std::chrono::seconds for_a_new_token{60};  // that is refused: then another one would be, too
constexpr std::string_view bearer = "Bearer ";
constexpr std::size_t max_secrets = 8;

/// One that never had as long as that would be renewed for each request.
bool has_run_out(const Tokens& tokens) {
  const std::int64_t half_its_life = std::max<std::int64_t>(0, (tokens.expires - tokens.given) / 2);
  return tokens.expires != 0 && tokens.expires - std::min(early, half_its_life) <= seconds_now();
}

std::string token_in(const std::string& authorization) {
  return authorization.starts_with(bearer) ? authorization.substr(bearer.size()) : std::string();
}

std::vector<std::string> without_those(std::vector<std::string> scopes, const std::vector<std::string>& known) {
  std::erase_if(scopes, [&](const std::string& one) { return std::ranges::find(known, one) != known.end(); });
  return scopes;
}

}  // namespace

KeptCredentials::KeptCredentials(LoginParts parts, const std::string& url, LoginSettings settings)
    : parts_(std::move(parts)),
      settings_(std::move(settings)),
      file_(parts_.folder, url, settings_),
      asking_(parts_.http, url, settings_.issuer) {}

std::string KeptCredentials::log_in_text(const std::string& why) const {
  return why + "; expected a login: " + parts_.command;
}

/// The file is read when it is another one than before.
void KeptCredentials::look_at_file() {
  if (file_.path().empty()) return;
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file_.path(), error);
  if (!error && written == written_) return;
  if (error && (!login_ || acts_alone())) return;
  try {
    take(file_.load());
    written_ = error ? std::filesystem::file_time_type{} : written;
  } catch (const LoginError& broken) {
    take(std::nullopt);
    needed_ = log_in_text(broken.what());
  }
}

void KeptCredentials::take(std::optional<Login> login) {
  login_ = std::move(login);
  needed_.clear();
  if (!login_) return;
  std::vector<std::string> secrets = *secrets_;
  for (const std::string* const one : {&login_->tokens.access, &login_->tokens.refresh, &login_->client.secret}) {
    if (!one->empty() && std::ranges::find(secrets, *one) == secrets.end()) secrets.push_back(*one);
  }
  if (secrets.size() > max_secrets) secrets.erase(secrets.begin(), secrets.end() - max_secrets);
  secrets_ = std::make_shared<const std::vector<std::string>>(std::move(secrets));
}

std::string KeptCredentials::authorization() const {
  return login_ && !login_->tokens.access.empty() ? std::string(bearer) + login_->tokens.access : std::string();
}

bool KeptCredentials::can_renew() const {
  return login_ && (acts_alone() || !login_->tokens.refresh.empty()) && Clock::now() >= not_before_;
}

std::string KeptCredentials::given_at_once() {
  const MutexLock lock(mutex_);
  look_at_file();
  return authorization();
}

std::string KeptCredentials::needed() {
  const MutexLock lock(mutex_);
  return needed_;
}

std::shared_ptr<const std::vector<std::string>> KeptCredentials::secrets() {
  const MutexLock lock(mutex_);
  return secrets_;
}

void KeptCredentials::give(std::function<void(std::string)> use) {
  MutexLock lock(mutex_);
  look_at_file();
  const std::string now = authorization();
  const bool is_to_renew = login_ && has_run_out(login_->tokens) && can_renew();
  const Challenge challenge = challenge_;
  lock.unlock();
  if (!is_to_renew) return use(now);
  parts_.worker->post([self = shared_from_this(), used = token_in(now), challenge, use = std::move(use)] {
    self->renew(used, challenge);
    use(self->given_at_once());
  });
}

void KeptCredentials::accepted(const std::string& authorization) {
  const MutexLock lock(mutex_);
  if (!renewed_.empty() && token_in(authorization) == renewed_) renewed_.clear();
}

void KeptCredentials::refused(const HttpResponse& head, const std::string& authorization,
                              std::function<void(bool)> use) {
  const Challenge challenge = challenge_in(head);
  const bool is_too_narrow = head.status == 403;
  if (is_too_narrow && challenge.error != "insufficient_scope") {
    {
      const MutexLock lock(mutex_);
      needed_.clear();
    }
    return use(false);
  }
  parts_.worker->post(
      [self = shared_from_this(), used = token_in(authorization), challenge, is_too_narrow, use = std::move(use)] {
        use(is_too_narrow ? self->widen(used, challenge) : self->renew(used, challenge));
      });
}

/// While it lives, no other process changes the login.
std::optional<system::PrivateFile> KeptCredentials::locked() const {
  return file_.path().empty() ? std::nullopt : std::optional(file_.lock());
}

/// Whether asking for another token in the place of `used` may help; if not, `needed_` says why.
bool KeptCredentials::may_renew(const std::string& used) {
  std::string why;
  if (!acts_alone() && !login_) {
    if (!needed_.empty()) return false;  // its file cannot be used
    why = "nobody has logged in there";
  } else if (!acts_alone() && login_->tokens.refresh.empty()) {
    why = "the login there has run out";
  } else if (!used.empty() && used == renewed_ && Clock::now() < renewed_at_ + for_a_new_token) {
    why = "it refuses a token that was given a moment ago";
  }
  if (!why.empty()) needed_ = log_in_text(why);
  return why.empty() && Clock::now() >= not_before_;
}

/// True if there is another token than `used` now. On the worker.
bool KeptCredentials::renew(const std::string& used, const Challenge& challenge) {
  try {
    const auto only_one = locked();
    std::optional<Login> before;
    {
      const MutexLock lock(mutex_);
      look_at_file();
      challenge_ = challenge;
      if (login_ && !login_->tokens.access.empty() && login_->tokens.access != used) return true;
      if (!may_renew(used)) return false;
      before = login_;
    }
    keep(renewed(before, {}));
    return true;
  } catch (const LoginError& error) {
    {
      const MutexLock lock(mutex_);
      not_before_ = Clock::now() + between_failures;
    }
    return failed(error.what());
  }
}

/// With what the server misses. On the worker.
bool KeptCredentials::widen(const std::string& used, const Challenge& challenge) {
  try {
    const auto only_one = locked();
    std::optional<Login> before;
    {
      const MutexLock lock(mutex_);
      look_at_file();
      if (login_ && login_->tokens.access != used) return true;
      before = login_;
    }
    if (!before) return failed(log_in_text("nobody has logged in there"));
    const std::vector<std::string> missing = without_those(challenge.scopes, before->tokens.scopes);
    if (missing.empty()) return failed("the login there has the scopes that it asks for, and may not do this");
    if (before->wanted.size() + missing.size() > max_scopes)
      return failed("it asks for more scopes than can be meant, a hundred at most");
    return acts_alone() ? widen_alone(*before, missing) : note_wanted(std::move(*before), missing);
  } catch (const LoginError& error) {
    return failed(error.what());
  }
}

bool KeptCredentials::widen_alone(const Login& before, const std::vector<std::string>& missing) {
  if (without_those(missing, before.wanted).empty())
    return failed("the authorization server does not give the scopes that are missing");
  const std::vector<std::string> wanted = union_of(before.wanted, missing);
  try {
    Login made = renewed(before, missing);
    made.wanted = wanted;
    keep(made);
    return true;
  } catch (const RefusedScopes&) {
    Login tried = before;  // its token is as good as it was, and what was tried is not tried again
    tried.wanted = wanted;
    keep(tried);
    throw;
  }
}

/// For the next login of a person.
bool KeptCredentials::note_wanted(Login login, const std::vector<std::string>& missing) {
  login.wanted = union_of(std::move(login.wanted), missing);
  keep(login);
  return failed(log_in_text("it misses scopes"));
}

Login KeptCredentials::renewed(const std::optional<Login>& before, const std::vector<std::string>& missing) {
  if (acts_alone()) {
    Challenge challenge;
    {
      const MutexLock lock(mutex_);
      challenge = challenge_;
    }
    const auto known = before ? union_of(before->tokens.scopes, missing) : missing;
    Login made = log_in_alone(asking_, settings_, challenge, known);
    if (before) made.wanted = before->wanted;
    return made;
  }
  Login made = *before;
  try {
    made.tokens = refreshed(asking_, made.token_endpoint, made.resource, made.client, made.tokens);
    return made;
  } catch (const RefusedGrant& error) {
    made.tokens.access.clear();  // nobody tries it again
    made.tokens.refresh.clear();
    if (dynamic_cast<const RefusedClient*>(&error) != nullptr) made.client.port = 0;
    keep(made);
    throw LoginError(log_in_text(error.what()));
  }
}

/// In memory first: where refresh tokens are good once, the one in the file is of no use any more.
void KeptCredentials::keep(const Login& login) {
  {
    const MutexLock lock(mutex_);
    if (!login_ || login_->tokens.access != login.tokens.access) {
      renewed_ = login.tokens.access;
      renewed_at_ = Clock::now();
    }
    take(login);
  }
  if (file_.path().empty()) return;
  try {
    file_.save(login);
  } catch (const LoginError& error) {
    return log_line(LogLevel::warning, login.url + ": " + error.what() + "; this bridge alone has it now");
  }
  const MutexLock lock(mutex_);
  std::error_code error;
  written_ = std::filesystem::last_write_time(file_.path(), error);
}

bool KeptCredentials::failed(const std::string& text) {
  const MutexLock lock(mutex_);
  needed_ = text;
  return false;
}

}  // namespace toolwire::bridge::login
