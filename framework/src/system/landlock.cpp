#include <toolwire/system/landlock.hpp>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace toolwire::system {
namespace {

// Of <linux/landlock.h>, which on older systems knows only the first of them.
constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;
constexpr unsigned ask_version = 1U << 0;
constexpr int rule_path_beneath = 1;

namespace right {
constexpr std::uint64_t execute = 1ULL << 0;
constexpr std::uint64_t write_file = 1ULL << 1;
constexpr std::uint64_t read_file = 1ULL << 2;
constexpr std::uint64_t read_folder = 1ULL << 3;
constexpr std::uint64_t remove_and_make = 0x17b0;     // bits 4 to 12 but the next two
constexpr std::uint64_t make_devices = 0x0840;        // bits 6 (character devices) and 11 (block devices)
constexpr std::uint64_t refer = 1ULL << 13;           // version 2: links and moves to another folder
constexpr std::uint64_t truncate = 1ULL << 14;        // version 3
constexpr std::uint64_t device_control = 1ULL << 15;  // version 5: ioctl of devices
constexpr std::uint64_t read = read_file | read_folder;
constexpr std::uint64_t change = write_file | remove_and_make | refer | truncate;
constexpr std::uint64_t devices = make_devices | device_control;
constexpr std::uint64_t of_a_file = execute | write_file | read_file | truncate | device_control;
}  // namespace right

constexpr std::uint64_t tcp = 3;            // version 4: bind and connect
constexpr std::uint64_t other_domains = 3;  // version 6: their abstract sockets, and signals to them

struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};

struct [[gnu::packed]] PathAttributes {
  std::uint64_t allowed;
  std::int32_t folder;
};

std::uint64_t known_to(int version) {
  std::uint64_t known = right::read | right::change | right::devices | right::execute;
  if (version < 2) known &= ~right::refer;
  if (version < 3) known &= ~right::truncate;
  if (version < 5) known &= ~right::device_control;
  return known;
}

std::uint64_t bits_of(FileRights rights) {
  return (rights.read ? right::read : 0) | (rights.change ? right::change : 0) | (rights.devices ? right::devices : 0) |
         (rights.execute ? right::execute : 0);
}

bool add_path(int rules, int path, std::uint64_t allowed) {
  const PathAttributes attributes{allowed, path};
  return ::syscall(add_rule, rules, rule_path_beneath, &attributes, 0) == 0;
}

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

int landlock_version() {
  const long version = ::syscall(create_ruleset, nullptr, 0, ask_version);
  return version < 0 ? 0 : static_cast<int>(version);
}

LandlockRules::LandlockRules(const LandlockRestrictions& restrictions, int version)
    : handled_(bits_of(restrictions.files) & known_to(version)) {
  RulesetAttributes attributes{.files = handled_, .network = 0, .scopes = 0};
  if (version >= 4 && restrictions.tcp) attributes.network = tcp;
  if (version >= 6 && restrictions.other_domains) attributes.scopes = other_domains;
  if (version == 0 || (attributes.files | attributes.network | attributes.scopes) == 0) return;
  // Members an older kernel does not know are zero, which it accepts.
  rules_.reset(static_cast<int>(::syscall(create_ruleset, &attributes, sizeof attributes, 0)));
  if (!rules_.is_open()) fail("cannot make rules for files");
}

void LandlockRules::allow(const std::string& path, FileRights rights) {
  if (!add(path, rights)) fail("cannot allow " + path);
}

void LandlockRules::allow_if_there(const std::string& path, FileRights rights) {
  if (!add(path, rights) && errno != ENOENT && errno != ENOTDIR && errno != EACCES) fail("cannot allow " + path);
}

bool LandlockRules::add(const std::string& path, FileRights rights) {
  const FileDescriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat about {};
  if (!place.is_open() || ::fstat(place.get(), &about) != 0) return false;
  std::uint64_t allowed = bits_of(rights) & handled_;
  if (!S_ISDIR(about.st_mode)) allowed &= right::of_a_file;
  return !rules_.is_open() || allowed == 0 || add_path(rules_.get(), place.get(), allowed);
}

bool allow_own_process(int rules) {
  const int self = ::open("/proc/self", O_PATH | O_CLOEXEC);
  if (self < 0) return errno == ENOENT;  // no /proc, nothing to read
  const bool added = add_path(rules, self, right::read);
  ::close(self);
  return added;
}

void give_up_capabilities() {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned long capability = 0; capability <= 63; ++capability) {
    if (capability == CAP_DAC_OVERRIDE || capability == CAP_DAC_READ_SEARCH || capability == CAP_FOWNER) continue;
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);  // fails without the right to: then there is nothing to drop
  }
}

bool give_up_new_privileges() { return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0; }

bool enforce_landlock(int rules) { return ::syscall(restrict_self, rules, 0) == 0; }

}  // namespace toolwire::system
