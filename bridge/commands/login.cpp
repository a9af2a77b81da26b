#include "commands/login.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/http/protected_resource.hpp>
#include <toolwire/text.hpp>

#include "commands/back_end_settings.hpp"
#include "commands/command_arguments.hpp"
#include "commands/configured.hpp"
#include "login/new_login.hpp"
#include "system/open_browser.hpp"

namespace toolwire::bridge {
namespace {

struct Arguments {
  std::string from;  // a configuration, or a URL
  std::string server;
  std::string profile;
  bool allow_commands = false;
};

/// A server, and what of its configuration a login needs.
struct Target {
  mcp::BackEndOptions server;
  std::vector<std::string> allowed_addresses = {};
};

void add(CommandArguments& taken, Arguments& into) {
  taken.required("CONFIG", into.from, "The configuration that has the server; or the URL of one");
  taken.option("SERVER", into.server, "Its name in the configuration; not needed where one alone has a URL");
  taken.option("--profile", into.profile, "Which profile of the configuration");
  taken.flag("--allow-commands", into.allow_commands, "${cmd:PROGRAM} in the configuration runs programs");
}

Target target_at(const Arguments& arguments) {
  if (!arguments.server.empty() || !arguments.profile.empty() || arguments.allow_commands)
    throw std::invalid_argument("expected the URL alone; a SERVER and profiles are of a configuration");
  return {.server = back_end_from("server=" + arguments.from)};
}

std::string names_of(const std::vector<mcp::BackEndOptions>& servers) {
  std::string all;
  for (const mcp::BackEndOptions& one : servers) {
    if (one.remote) all += (all.empty() ? "" : ", ") + one.name;
  }
  return all.empty() ? "there is none with a \"url\"" : all;
}

Target target_of(const Arguments& arguments) {
  if (is_address(arguments.from)) return target_at(arguments);
  ConfiguredReading read =
      read_configured(arguments.from, {.profile = arguments.profile, .allow_commands = arguments.allow_commands});
  std::string problems;
  for (const ManifestProblem& problem : read.problems) problems += "\n  " + problem.message();
  if (!read.configured) throw std::invalid_argument("expected a configuration without mistakes:" + problems);
  const auto& servers = read.configured->back_ends;
  const auto is_meant = [&](const mcp::BackEndOptions& one) {
    return one.remote && (arguments.server.empty() || one.name == arguments.server);
  };
  if (std::ranges::count_if(servers, is_meant) != 1)
    throw std::invalid_argument("expected SERVER, the name of one that has a \"url\": " + names_of(servers));
  Target found{.server = *std::ranges::find_if(servers, is_meant),
               .allowed_addresses = read.configured->allowed_addresses};
  if (!found.server.login.enabled || says_who_asks(found.server.remote->headers))
    throw std::invalid_argument("the server \"" + text::visible(found.server.name) +
                                "\" is reached with what its \"headers\" say; expected neither \"Authorization\" there "
                                "nor \"oauth\": false");
  return found;
}

login::LoginFile file_of(const Target& target) {
  return {login::LoginFile::usual_folder(), target.server.remote->url, target.server.login};
}

struct Asked {
  std::vector<std::string> scopes;
  std::string time;
  bool no_browser = false;
};

std::chrono::seconds time_in(const std::string& text) {
  constexpr int usual = 300;
  constexpr int most = 3600;
  int seconds = usual;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!text.empty() && (!is_whole || seconds < 1 || seconds > most))
    throw std::invalid_argument("--wait-seconds: expected a whole number from 1 to 3600");
  return std::chrono::seconds(seconds);
}

void show(const std::string& url, bool no_browser) {
  if (!no_browser && open_in_browser(url)) {
    std::fprintf(stderr, "toolwire-bridge login: the browser asks you now. If it does not, open:\n  %s\n", url.c_str());
  } else {
    std::fprintf(stderr, "toolwire-bridge login: open this in a browser of this machine:\n  %s\n", url.c_str());
  }
}

/// As it was when the browser was asked: registered clients and scopes are used again.
std::optional<login::Login> login_before(const login::LoginFile& file) {
  try {
    return file.load();
  } catch (const login::LoginError&) {  // it is written anew
    return std::nullopt;
  }
}

/// A browser is told by itself that nobody knows the client any more: nothing comes back then.
/// False if there is no registration.
bool give_up_registration(const login::LoginFile& file) {
  const auto only_one = file.lock();
  std::optional<login::Login> kept = login_before(file);
  if (!kept || !kept->client.is_registered) return false;
  kept->client.port = 0;
  file.save(*kept);
  return true;
}

login::Asking asking_for(const Target& target) {
  return {std::make_shared<HttpClient>(HttpClientOptions{.allowed_addresses = target.allowed_addresses}),
          target.server.remote->url, target.server.login.issuer, target.server.remote->headers};
}

login::Login log_in(const Target& target, const Asked& asked) {
  const auto& settings = target.server.login;
  const login::Asking asking = asking_for(target);
  if (settings.grant == login::Grant::client_credentials)
    return login::log_in_alone(asking, settings, login::challenge_of(asking).value_or(login::Challenge{}),
                               asked.scopes);
  const login::LoginFile file = file_of(target);
  bool was_shown = false;
  const auto shown = [&](const std::string& url) {
    was_shown = true;
    show(url, asked.no_browser);
  };
  try {
    return login::log_in_with_browser(asking, settings, login_before(file),
                                      {.show = shown, .time = time_in(asked.time), .scopes = asked.scopes});
  } catch (const login::LoginError& error) {
    if (!was_shown || !give_up_registration(file)) throw;
    throw login::LoginError(error.what() +
                            std::string("; the next login registers the bridge anew, in case it is no longer known"));
  }
}

std::string done_text(const login::Login& login) {
  std::string text = "logged in to " + http_origin_of(login.url).value_or("") + " by " + text::visible(login.issuer);
  if (!login.tokens.scopes.empty()) text += ", with " + text::visible(login::text_of(login.tokens.scopes));
  if (login.tokens.refresh.empty() && login.tokens.expires != 0)
    text += ", for " + std::to_string(std::max<std::int64_t>(0, login.tokens.expires - login::seconds_now())) +
            " s: the server gives no refresh token";
  return text;
}

/// It is forgotten in any case: why it counts on elsewhere, or nothing.
std::string why_not_revoked(const Target& target, const std::optional<login::Login>& login) {
  if (!login) return "what was kept cannot be read";
  if (login->revocation_endpoint.empty())
    return text::visible(login->issuer) + " has named no place to do that (revocation_endpoint)";
  try {
    login::revoke(asking_for(target), login->revocation_endpoint, login->client, login->tokens);
    return {};
  } catch (const login::LoginError& error) {
    return text::visible(error.what());
  }
}

template <class Run>
int run(const char* command, Run run) {
  try {
    return run();
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "toolwire-bridge %s: %s\n", command, error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bridge %s: %s\n", command, text::visible(error.what()).c_str());
    return 1;
  }
}

}  // namespace

int login_command(int argc, const char* const* argv) {
  CommandArguments taken("login",
                         "Logs in at a server that is reached over HTTP (OAuth 2.1), with a browser of this machine.\n"
                         "All bridges of this user use and renew the login, those that run, too.");
  Arguments arguments;
  Asked asked;
  add(taken, arguments);
  taken.option("--scope", asked.scopes, "To be asked for, beside what the server and the configuration say");
  taken.flag("--no-browser", asked.no_browser, "Print the URL and start no browser");
  taken.option("--wait-seconds", asked.time, "How long the answer of the browser is waited for (300)");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  return run("login", [&] {
    for (const std::string& scope : asked.scopes) {
      if (!is_scope(scope)) throw std::invalid_argument("--scope: expected one name, without spaces");
    }
    time_in(asked.time);
    const Target target = target_of(arguments);
    const login::Login made = log_in(target, asked);
    const login::LoginFile file = file_of(target);
    const auto only_one = file.lock();
    file.save(made);
    return std::printf("%s\n", done_text(made).c_str()) < 0 ? 1 : 0;
  });
}

int logout_command(int argc, const char* const* argv) {
  CommandArguments taken("logout",
                         "Forgets the login at a server that is reached over HTTP, its tokens and its registration.\n"
                         "The authorization server is told to take the tokens back, if it does such.");
  Arguments arguments;
  add(taken, arguments);
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  return run("logout", [&] {
    const Target target = target_of(arguments);
    const login::LoginFile file = file_of(target);
    const std::optional<login::Login> kept = login_before(file);
    if (!file.remove()) {
      std::fprintf(stderr, "toolwire-bridge logout: nobody is logged in there\n");
      return 1;
    }
    if (const std::string why = why_not_revoked(target, kept); !why.empty())
      std::fprintf(stderr, "toolwire-bridge logout: the tokens are forgotten here and not taken back: %s\n",
                   why.c_str());
    return std::puts("logged out") < 0 ? 1 : 0;
  });
}

}  // namespace toolwire::bridge
