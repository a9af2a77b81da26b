// Where a static program looks for users, groups and the addresses that it listens on: in the files of the system and,
// for the latter, at its name servers. /etc/nsswitch.conf may name modules, which are those of another C library.
#include <nss.h>

#include <initializer_list>

namespace {

[[maybe_unused]] const bool is_configured = [] {
  for (const char* kind : {"passwd", "group", "services", "protocols"}) ::__nss_configure_lookup(kind, "files");
  ::__nss_configure_lookup("hosts", "files dns");
  return true;
}();

}  // namespace
