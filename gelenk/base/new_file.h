#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "gelenk/base/descriptor.h"

namespace gelenk {

// What happens to a file that is there already.
enum class Existing : std::uint8_t { is_replaced, stays };

// A file that has a name only when it is complete: after a crash, a kill or a full disk the old file is there or the
// new one, never half of one and nothing beside it. Follows symbolic links and keeps the permissions.
class NewFile {
 public:
  enum class For : std::uint8_t { everybody, user_only };  // permissions of a file that was not there
  explicit NewFile(const std::string& path, For readers = For::everybody);
  // What was not put in its place is gone.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // What went wrong first, or nothing: "No space left on device"
  const std::string& error() const { return error_; }
  bool write(std::string_view bytes);
  // Onto the disk, and then in its place. Returns what went wrong, as error() does.
  std::string put_in_place(Existing existing = Existing::is_replaced);

 private:
  void open(mode_t created);
  bool give_name(Existing existing);
  bool fail(int problem);

  std::string target_;
  std::string temporary_;  // the name that it has until then; empty: none
  std::string error_;
  mode_t mode_ = 0;  // of the file in whose place it goes; 0: there is none
  Descriptor file_;
};

}  // namespace gelenk
