#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Writes ZIP archives by the book (APPNOTE 6.3), but without asking whether they make sense: for tests with broken
// ones.
namespace gelenk {

struct RawZipEntry {
  std::string path;
  std::string bytes{};       // as they stand in the archive
  std::uint16_t method = 0;  // stored
  std::uint16_t flags = 0;
  std::uint32_t unix_mode = 0100644;
  std::uint32_t wrong_crc = 0;      // added to the right one
  std::uint32_t unpacked_size = 0;  // 0: that of the bytes
  // What is not by the book
  std::string local_path{};            // in the header before the file; empty: the same
  std::string local_extra{}, extra{};  // fields of the two headers
  std::string comment{};               // on the file
  std::string gap{};                   // bytes before the file
  std::string tail{};                  // bytes behind it, such as its descriptor
  bool is_unlisted = false;            // not in the directory
};

class RawZip {
 public:
  void add(const RawZipEntry& entry) {
    out_ += entry.gap;
    const auto offset = static_cast<std::uint32_t>(out_.size());
    const std::string& local_path = entry.local_path.empty() ? entry.path : entry.local_path;
    put(out_, 0x04034b50, 4);
    put_common(out_, entry, local_path);
    put(out_, entry.local_extra.size(), 2);
    out_ += local_path + entry.local_extra + entry.bytes + entry.tail;
    if (!entry.is_unlisted) list(entry, offset);
  }

  void list(const RawZipEntry& entry, std::uint32_t offset) {
    put(directory_, 0x02014b50, 4);
    put(directory_, (3u << 8) | 20u, 2);  // made on Unix
    put_common(directory_, entry, entry.path);
    put(directory_, entry.extra.size(), 2);
    put(directory_, entry.comment.size(), 2);
    put(directory_, 0, 2 + 2);  // disk, internal attributes
    put(directory_, entry.unix_mode << 16, 4);
    put(directory_, offset, 4);
    directory_ += entry.path + entry.extra + entry.comment;
    ++count_;
  }

  // `gap`: bytes between the directory and its end
  std::string finish(std::string_view comment = {}, std::string_view gap = {}) const {
    std::string bytes = out_ + directory_;
    bytes += gap;
    put(bytes, 0x06054b50, 4);
    put(bytes, 0, 2 + 2);  // disks
    put(bytes, count_, 2);
    put(bytes, count_, 2);
    put(bytes, directory_.size(), 4);
    put(bytes, out_.size(), 4);
    put(bytes, comment.size(), 2);
    bytes += comment;
    return bytes;
  }

 private:
  static void put(std::string& to, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) to += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }

  // What both headers have, from the version to the length of the name.
  static void put_common(std::string& to, const RawZipEntry& entry, const std::string& path) {
    put(to, 20, 2);
    put(to, entry.flags, 2);
    put(to, entry.method, 2);
    put(to, 1u << 21 | 1u << 16, 4);  // 1980-01-01
    put(to, crc32(entry.bytes) + entry.wrong_crc, 4);
    put(to, entry.bytes.size(), 4);
    put(to, entry.unpacked_size != 0 ? entry.unpacked_size : entry.bytes.size(), 4);
    put(to, path.size(), 2);
  }

  static std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char byte : bytes) {
      crc ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    }
    return ~crc;
  }

  std::string out_;
  std::string directory_;
  std::uint32_t count_ = 0;
};

inline std::string raw_zip(const std::vector<RawZipEntry>& entries, std::string_view comment = {}) {
  RawZip zip;
  for (const RawZipEntry& entry : entries) zip.add(entry);
  return zip.finish(comment);
}

}  // namespace gelenk
