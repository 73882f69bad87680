#include "gelenk/base/zip_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gelenk/base/text.h"

namespace gelenk {
namespace {

// Numbers of the format (APPNOTE 6.3)
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kDescriptorSignature = 0x08074b50;
constexpr std::uint32_t kDirectorySignature = 0x02014b50;
constexpr std::string_view kEndSignature = "PK\x05\x06";
constexpr std::string_view kLocatorSignature = "PK\x06\x07";  // of the form for more than 4 GB
constexpr std::size_t kLocalBytes = 30, kDirectoryBytes = 46, kEndBytes = 22, kLocatorBytes = 20;
constexpr unsigned kSizesFollow = 1u << 3;  // a flag: checksum and sizes stand behind the file
constexpr unsigned kStored = 0;
// Extra fields with times and owners. Others can hold another name, another size, or the target of a link.
constexpr std::array<unsigned, 6> kHarmlessFields{0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0xcafe};

// Numbers from a place on; the caller has seen that they are there.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    static_assert(std::is_unsigned_v<T>);
    T value{};
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  void skip(std::size_t count) { bytes_.remove_prefix(count); }

 private:
  std::string_view bytes_;
};

// What both headers of a file say.
struct FileHead {
  unsigned flags = 0, method = 0;
  std::uint32_t crc = 0, packed = 0, unpacked = 0;
  std::size_t name_size = 0, extra_size = 0;
  std::string_view name;

  void take(Fields& fields) {
    fields.skip(sizeof(std::uint16_t));  // version that is needed
    flags = fields.take<std::uint16_t>();
    method = fields.take<std::uint16_t>();
    fields.skip(2 * sizeof(std::uint16_t));  // time and date
    crc = fields.take<std::uint32_t>();
    packed = fields.take<std::uint32_t>();
    unpacked = fields.take<std::uint32_t>();
    name_size = fields.take<std::uint16_t>();
    extra_size = fields.take<std::uint16_t>();
  }
};

bool has_harmless_fields(std::string_view extra) {
  constexpr std::size_t kHeadBytes = 2 * sizeof(std::uint16_t);
  while (!extra.empty()) {
    if (extra.size() < kHeadBytes) return false;
    Fields fields(extra);
    const unsigned id = fields.take<std::uint16_t>();
    const std::size_t size = fields.take<std::uint16_t>();
    if (size > extra.size() - kHeadBytes) return false;
    if (std::find(kHarmlessFields.begin(), kHarmlessFields.end(), id) == kHarmlessFields.end()) return false;
    extra.remove_prefix(kHeadBytes + size);
  }
  return true;
}

class LayoutCheck {
 public:
  LayoutCheck(std::string_view bytes, bool allows_comment) : bytes_(bytes), allows_comment_(allows_comment) {}

  ZipLayout run() {
    ZipLayout layout;
    layout.problem = read_end();
    for (std::size_t i = 0; i < files_ && layout.problem.empty(); ++i) layout.problem = check_file();
    if (layout.problem.empty() && directory_at_ != end_at_) layout.problem = "its directory holds more than its files";
    if (layout.problem.empty() && local_at_ != directory_begin_) {
      layout.problem = "there are bytes between its files and its directory";
    }
    layout.files = files_;
    return layout;
  }

 private:
  std::string read_end() {
    end_at_ = bytes_.rfind(kEndSignature);
    if (end_at_ == std::string_view::npos || bytes_.size() - end_at_ < kEndBytes) return "its end is missing";
    Fields fields(bytes_.substr(end_at_ + kEndSignature.size()));
    const std::uint32_t disks = fields.take<std::uint32_t>();
    const std::size_t here = fields.take<std::uint16_t>();
    files_ = fields.take<std::uint16_t>();
    const std::size_t size = fields.take<std::uint32_t>();
    directory_begin_ = directory_at_ = fields.take<std::uint32_t>();
    const std::size_t comment = fields.take<std::uint16_t>();
    if (comment > 0 && !allows_comment_) return "there is a comment after it";
    if (end_at_ + kEndBytes + comment != bytes_.size()) return "there are bytes after it";
    if (disks != 0 || here != files_) return "it is one part of a split archive";
    const bool has_locator =
        end_at_ >= kLocatorBytes && bytes_.substr(end_at_ - kLocatorBytes).starts_with(kLocatorSignature);
    if (has_locator || directory_begin_ == UINT32_MAX || size == UINT32_MAX) {
      return "it is in the format for more than 4 GB";
    }
    if (directory_begin_ + size != end_at_) return "its directory is not where it should be";
    return {};
  }

  // One entry of the directory, and the file that it stands for.
  std::string check_file() {
    if (end_at_ - directory_at_ < kDirectoryBytes) return "its directory is cut short";
    Fields fields(bytes_.substr(directory_at_));
    if (fields.take<std::uint32_t>() != kDirectorySignature) return "its directory is damaged";
    fields.skip(sizeof(std::uint16_t));  // who made it
    FileHead head;
    head.take(fields);
    const std::size_t comment_size = fields.take<std::uint16_t>();
    const unsigned disk = fields.take<std::uint16_t>();
    fields.skip(sizeof(std::uint16_t) + sizeof(std::uint32_t));  // attributes
    const std::size_t place = fields.take<std::uint32_t>();
    const std::size_t rest = end_at_ - directory_at_ - kDirectoryBytes;
    if (head.name_size + head.extra_size + comment_size > rest) return "its directory is cut short";
    head.name = bytes_.substr(directory_at_ + kDirectoryBytes, head.name_size);
    const std::string_view extra = bytes_.substr(directory_at_ + kDirectoryBytes + head.name_size, head.extra_size);
    directory_at_ += kDirectoryBytes + head.name_size + head.extra_size + comment_size;
    if (comment_size > 0) return fmt::format("the file {} has a comment", shown(head.name));
    if (disk != 0) return "it is one part of a split archive";
    if (!has_harmless_fields(extra)) return odd_fields(head);
    if (place > local_at_ && files_seen_ == 0) return "there are bytes before it";
    if (place > local_at_) return fmt::format("there are bytes before the file {}", shown(head.name));
    if (place < local_at_) return fmt::format("the file {} overlaps another one", shown(head.name));
    ++files_seen_;
    return check_local(head);
  }

  static std::string odd_fields(const FileHead& head) {
    return fmt::format("the file {} has a field that could give it another name or size", shown(head.name));
  }

  std::string check_local(const FileHead& head) {
    const auto cut_short = [&] { return fmt::format("the file {} is cut short", shown(head.name)); };
    if (directory_begin_ - local_at_ < kLocalBytes) return cut_short();
    Fields fields(bytes_.substr(local_at_));
    if (fields.take<std::uint32_t>() != kLocalSignature) {
      return fmt::format("the file {} is not where the directory says", shown(head.name));
    }
    FileHead local;
    local.take(fields);
    local_at_ += kLocalBytes;
    if (local.name_size + local.extra_size + std::size_t{head.packed} > directory_begin_ - local_at_) {
      return cut_short();
    }
    local.name = bytes_.substr(local_at_, local.name_size);
    if (local.name != head.name) {
      return fmt::format("one file has two names, {} and {}", shown(head.name), shown(local.name));
    }
    if (!has_harmless_fields(bytes_.substr(local_at_ + local.name_size, local.extra_size))) return odd_fields(head);
    if (!say_the_same(head, local)) {
      return fmt::format("its directory and the file {} disagree", shown(head.name));
    }
    local_at_ += local.name_size + local.extra_size + std::size_t{head.packed};
    return (head.flags & kSizesFollow) != 0 ? check_descriptor(head) : std::string();
  }

  // Sizes that were not known yet are 0 in the header before the file.
  static bool say_the_same(const FileHead& head, const FileHead& local) {
    if (head.flags != local.flags || head.method != local.method) return false;
    const bool is_later = (head.flags & kSizesFollow) != 0;
    const auto agrees = [&](std::uint32_t a, std::uint32_t b) { return a == b || (is_later && b == 0); };
    return agrees(head.crc, local.crc) && agrees(head.packed, local.packed) && agrees(head.unpacked, local.unpacked);
  }

  std::string check_descriptor(const FileHead& head) {
    // Who reads from the beginning could not know where the file ends.
    if (head.method == kStored && head.packed > 0) return fmt::format("the file {} has no end", shown(head.name));
    const std::array<std::uint32_t, 4> words{kDescriptorSignature, head.crc, head.packed, head.unpacked};
    const std::string_view whole(reinterpret_cast<const char*>(words.data()), sizeof words);
    const std::string_view rest = bytes_.substr(local_at_, directory_begin_ - local_at_);
    // The signature may be missing.
    for (const std::string_view wanted : {whole, whole.substr(sizeof(std::uint32_t))}) {
      if (!rest.starts_with(wanted)) continue;
      local_at_ += wanted.size();
      return {};
    }
    return fmt::format("what follows the file {} disagrees with the directory", shown(head.name));
  }

  std::string_view bytes_;
  bool allows_comment_;
  std::size_t files_ = 0, files_seen_ = 0;
  std::size_t end_at_ = 0;
  std::size_t directory_begin_ = 0, directory_at_ = 0;
  std::size_t local_at_ = 0;  // where the next file begins
};

}  // namespace

ZipLayout zip_layout(std::string_view bytes, bool allows_comment) { return LayoutCheck(bytes, allows_comment).run(); }

}  // namespace gelenk
