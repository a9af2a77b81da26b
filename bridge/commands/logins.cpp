#include "commands/logins.hpp"

#include <toolwire/system/private_file.hpp>

#include "commands/back_end_settings.hpp"
#include "login/kept_credentials.hpp"

namespace toolwire::bridge {
namespace {

bool logs_in(const mcp::BackEndOptions& server) {
  return server.remote && server.login.enabled && !says_who_asks(server.remote->headers);
}

}  // namespace

void give_login(mcp::BackEndOptions& server, const ActivityServices& services) {
  if (!logs_in(server)) return;
  server.remote->credentials =
      std::make_shared<login::KeptCredentials>(login::LoginParts{.http = services.http,
                                                                 .worker = services.logins,
                                                                 .folder = login::LoginFile::usual_folder(),
                                                                 .command = server.login_command},
                                               server.remote->url, server.login);
}

std::vector<std::string> login_files(const std::vector<mcp::BackEndOptions>& servers) {
  std::vector<std::string> files;
  const std::string folder = login::LoginFile::usual_folder();
  for (const mcp::BackEndOptions& server : servers) {
    if (logs_in(server) && !folder.empty())
      files.push_back(login::LoginFile(folder, server.remote->url, server.login).path());
  }
  if (!files.empty()) system::make_private_folders(folder);
  return files;
}

}  // namespace toolwire::bridge
