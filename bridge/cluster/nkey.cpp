#include "cluster/nkey.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include <toolwire/command_line.hpp>
#include <toolwire/system/new_file.hpp>

#include "nats/library/nkey.hpp"
#include "system/program_version.hpp"

namespace toolwire::bridge::cluster {
namespace {

constexpr const char* command = "toolwire-cluster nkey";
constexpr unsigned for_its_user = 0600;

void make(const std::string& path) {
  const std::string seed = nats::new_seed();
  system::NewFile file(path, for_its_user);
  file.write(seed + "\n");
  file.keep_content();
  file.close();
  file.put_at_free_name();
  std::printf("%s\n", nats::public_key_of(seed).c_str());
}

}  // namespace

int nkey_command(int argc, const char* const* argv) {
  std::vector<std::string> files;
  CommandLine line(
      command, program_version(),
      "Writes the seed of a new NATS user to FILE, for \"nkey_file\", and prints the public key, which the "
      "configuration of nats-server names.");
  line.operands("FILE", "A file that is not there yet", files);
  if (const auto status = line.parse(argc, argv)) return *status;
  if (files.size() != 1) {
    std::fprintf(stderr, "%s: expected one FILE; see --help\n", command);
    return 2;
  }
  try {
    make(files.front());
    return 0;
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s: cannot write %s: %s\n", command, files.front().c_str(), error.code().message().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", command, error.what());
  }
  return 1;
}

}  // namespace toolwire::bridge::cluster
