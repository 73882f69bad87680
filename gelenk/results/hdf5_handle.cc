#include "gelenk/results/hdf5_handle.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include "gelenk/base/checksum.h"
#include "gelenk/results/hdf5_copy.h"

namespace gelenk::results::hdf5 {
namespace {

static_assert(std::is_same_v<hid_t, Id> && std::is_same_v<herr_t, int>);

constexpr const char* kTextChecksum = "crc32";      // attribute of a text
constexpr std::size_t kMaxAttributeBytes = 60'000;  // the library's limit of 64 kB, less its own header

bool is_alone = false;

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

struct Reasons {
  std::string system;     // "No space left on device"
  std::string innermost;  // "unable to read superblock"
};

// "..., errno = 28, error message = 'No space left on device', ..."
void add_reason(const H5E_error2_t* error, Reasons& reasons) {
  const std::string_view text = error->desc == nullptr ? std::string_view() : error->desc;
  constexpr std::string_view kMark = "error message = '";
  const std::size_t begin = text.find(kMark);
  if (begin != std::string_view::npos && reasons.system.empty()) {
    const std::string_view rest = text.substr(begin + kMark.size());
    reasons.system = std::string(rest.substr(0, rest.find('\'')));
  }
  if (reasons.innermost.empty()) reasons.innermost = std::string(text);
}

herr_t collect_reason(unsigned, const H5E_error2_t* error, void* data) {
  return without_exceptions([&] { add_reason(error, *static_cast<Reasons*>(data)); });
}

// Reasons of the last failure. Kept when it happens: the library forgets them with its next call, and handles that go
// out of scope call it.
thread_local Reasons last_reasons;

herr_t remember_reasons(hid_t stack, void*) {
  last_reasons = {};
  return H5Ewalk2(stack, H5E_WALK_UPWARD, collect_reason, &last_reasons);
}

// Reads a text of fixed length through `read`, which takes a buffer of the given size.
template <class Read>
bool read_fixed_text(const Handle& type, std::size_t max_bytes, std::string& text, Read&& read) {
  if (!type.is_open() || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0) return false;
  const std::size_t size = H5Tget_size(type.get());
  if (size == 0 || size > max_bytes) return false;
  text.assign(size, '\0');
  if (!read(text_type(size), text.data())) return false;
  text.resize(std::min(text.find('\0'), text.size()));
  return true;
}

bool is_single_value(const Handle& space) { return space.is_open() && H5Sget_simple_extent_npoints(space.get()) == 1; }

}  // namespace

void be_alone() { is_alone = true; }

Lock::Lock() : lock_(library_mutex(), std::defer_lock) {
  if (!is_alone) lock_.lock();
  // A run that ends after a full disk must not end in the library's attempts to write what it still holds.
  static const bool is_prepared = H5dont_atexit() >= 0;
  static_cast<void>(is_prepared);
  H5Eset_auto2(H5E_DEFAULT, remember_reasons, nullptr);
}

std::string last_error() { return last_reasons.system.empty() ? last_reasons.innermost : last_reasons.system; }

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  // A piece of structure whose checksum is wrong may be in the middle of being written, so the library reads it again,
  // each time after twice the pause, from 1 ns on: its usual 100 attempts would never end in a damaged file.
  constexpr unsigned kAttempts = 20;  // 2 ms altogether
  H5Pset_metadata_read_attempts(access.get(), kAttempts);
  return access;
}

Handle open_dataset(Id location, const std::string& name) {
  return {H5Dopen2(location, name.c_str(), H5P_DEFAULT), H5Dclose};
}

Handle open_group(Id location, const std::string& name) {
  return {H5Gopen2(location, name.c_str(), H5P_DEFAULT), H5Gclose};
}

std::size_t count_values(Id dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hssize_t count = space.is_open() ? H5Sget_simple_extent_npoints(space.get()) : -1;
  return count < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(count);
}

bool has_link(Id location, const std::string& name) { return H5Lexists(location, name.c_str(), H5P_DEFAULT) > 0; }

Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), std::max<std::size_t>(bytes, 1));
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

bool write_text(Id location, const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  Handle dataset(H5Dcreate2(location, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose);
  if (!dataset.is_open()) return false;
  return H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) >= 0 &&
         write_attribute(dataset.get(), kTextChecksum, std::int64_t{crc32_of(text)}) && dataset.reset();
}

bool write_attribute(Id object, const std::string& name, const std::string& text) {
  const std::string shortened = text.substr(0, kMaxAttributeBytes);
  const Handle type = text_type(shortened.size());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.is_open() && H5Awrite(attribute.get(), type.get(), shortened.c_str()) >= 0;
}

bool write_attribute(Id object, const std::string& name, std::int64_t value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  return attribute.is_open() && H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value) >= 0;
}

bool read_text(Id location, const std::string& name, std::size_t max_bytes, std::string& text) {
  if (!has_link(location, name)) return false;
  const Handle dataset = open_dataset(location, name);
  if (!dataset.is_open()) return false;
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  if (!is_single_value(Handle(H5Dget_space(dataset.get()), H5Sclose))) return false;
  const bool is_read = read_fixed_text(type, max_bytes, text, [&](const Handle& memory_type, char* buffer) {
    return H5Dread(dataset.get(), memory_type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) >= 0;
  });
  std::int64_t sum = 0;
  return is_read && (!read_attribute(dataset.get(), kTextChecksum, sum) || sum == crc32_of(text));
}

bool read_attribute(Id object, const std::string& name, std::string& text) {
  if (H5Aexists(object, name.c_str()) <= 0) return false;
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.is_open()) return false;
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
  if (!is_single_value(Handle(H5Aget_space(attribute.get()), H5Sclose))) return false;
  return read_fixed_text(type, kMaxAttributeBytes, text, [&](const Handle& memory_type, char* buffer) {
    return H5Aread(attribute.get(), memory_type.get(), buffer) >= 0;
  });
}

bool read_attribute(Id object, const std::string& name, std::int64_t& value) {
  if (H5Aexists(object, name.c_str()) <= 0) return false;
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.is_open() || !is_single_value(Handle(H5Aget_space(attribute.get()), H5Sclose))) return false;
  return H5Aread(attribute.get(), H5T_NATIVE_INT64, &value) >= 0;
}

}  // namespace gelenk::results::hdf5
