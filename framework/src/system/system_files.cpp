#include <toolwire/system/system_files.hpp>

#include <algorithm>
#include <iterator>

namespace toolwire::system {
namespace {

/// Of /etc only what is public on any system; of /proc only what does not reveal other processes.
constexpr const char* readable[] = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/etc/alpine-release",
    "/etc/alternatives",
    "/etc/arch-release",
    "/etc/bash.bashrc",
    "/etc/ca-certificates",
    "/etc/debian_version",
    "/etc/fedora-release",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/gitconfig",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/lsb-release",
    "/etc/machine-info",
    "/etc/magic",
    "/etc/mailcap",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl",
    "/etc/pki/tls/certs",
    "/etc/profile",
    "/etc/protocols",
    "/etc/python3",
    "/etc/python3.9",
    "/etc/python3.10",
    "/etc/python3.11",
    "/etc/python3.12",
    "/etc/python3.13",
    "/etc/redhat-release",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/shells",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/system-release",
    "/etc/terminfo",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
    "/proc/version_signature",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    "/dev/random",
    "/dev/urandom",
};

constexpr const char* plain_devices[] = {"/dev/full", "/dev/null", "/dev/zero"};

}  // namespace

void allow_system_files(LandlockRules& rules, FileRights rights) {
  for (const char* const path : readable) rules.allow_if_there(path, rights);
}

bool is_system_file(std::string_view path) {
  return std::any_of(std::begin(readable), std::end(readable), [path](std::string_view allowed) {
    return path.starts_with(allowed) && (path.size() == allowed.size() || path[allowed.size()] == '/');
  });
}

void allow_plain_devices(LandlockRules& rules) {
  for (const char* const path : plain_devices)
    rules.allow_if_there(path, {.read = true, .change = true, .devices = true});
}

}  // namespace toolwire::system
