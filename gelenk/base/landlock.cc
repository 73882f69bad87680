#include "gelenk/base/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "gelenk/base/descriptor.h"
#include "gelenk/base/system_error.h"

namespace gelenk {
namespace {

constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE, kReadFolder = LANDLOCK_ACCESS_FS_READ_DIR;
// What the first version knows: running files, writing to them, making and removing them. What came later (moving
// between folders is refused in any case, cutting files by name) is a matter for the filter of calls.
constexpr std::uint64_t kAll = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

bool add_path(int rules, const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!file.is_open()) return true;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return false;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = S_ISDIR(status.st_mode) ? kReadFile | kReadFolder : kReadFile;
  rule.parent_fd = file.get();
  return ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

}  // namespace

std::string allow_reading_only(std::span<const std::string> paths) {
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = kAll;
  const Descriptor rules(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
  bool is_good = rules.is_open();
  for (const std::string& path : paths) is_good = is_good && add_path(rules.get(), path);
  is_good = is_good && ::syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
  return is_good ? std::string() : "no folder restriction (Landlock): " + last_error_text();
}

}  // namespace gelenk
