// Whether a file of results is as it was written: checksums of ours for what grows, of the library for the rest.
#include <hdf5.h>

#include <algorithm>
#include <cstring>

#include "gelenk/base/checksum.h"
#include "gelenk/results/model_files.h"
#include "gelenk/results/reader.h"
#include "gelenk/results/run_file.h"

namespace gelenk::results {
namespace {

using hdf5::Handle;
using hdf5::Id;

constexpr std::size_t kCheckedBytes = 4u << 20;  // read at once

bool read_sums(Id dataset, std::size_t first, std::span<std::uint32_t> sums) {
  if (sums.empty()) return true;
  const hsize_t start = first;
  const hsize_t count = sums.size();
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  return H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0 &&
         H5Sselect_valid(space.get()) > 0 &&
         H5Dread(dataset, H5T_NATIVE_UINT32, memory.get(), space.get(), H5P_DEFAULT, sums.data()) >= 0;
}

void check_files(const Reader& reader, Id file, Damage& damage) {
  const std::vector<std::string>& names = reader.header().files;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!reader.read_file(i)) damage.add("the copy of '" + names[i] + "' cannot be read");
  }
  if (has_more_model_files(file, names.size())) {
    damage.add("copies of files of the model are left out: they have no name, or more than " +
               std::to_string(kMostModelFileBytes >> 20) + " MB together");
  }
}

}  // namespace

void Reader::check_rows(std::size_t rows, Damage& damage) const {
  std::size_t width = 0;
  for (const RecordedBlock& block : blocks_) width += block.width;
  const std::size_t slab_rows = std::clamp<std::size_t>(kCheckedBytes / (width * sizeof(double)), 1, rows);
  std::vector<std::vector<double>> values(blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) values[b].resize(slab_rows * blocks_[b].width);
  std::vector<std::uint32_t> sums(slab_rows);
  for (std::size_t first = 0; first < rows; first += slab_rows) {
    const std::size_t count = std::min(slab_rows, rows - first);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (read_rows(b, first, count, values[b]).empty()) continue;
      damage.add(blocks_[b].name + " cannot be read from row " + std::to_string(first) + " on");
      return;
    }
    if (!read_sums(row_checksums_.get(), first, std::span(sums).first(count))) {
      damage.add("the checksums of rows cannot be read");
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t sum = 0;
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const std::size_t block_width = blocks_[b].width;
        sum = crc32_of(std::as_bytes(std::span(values[b]).subspan(i * block_width, block_width)), sum);
      }
      if (sum != sums[i]) damage.add_row(first + i);
    }
  }
}

void Reader::check_events(std::size_t events, Damage& damage) const {
  if (events == 0) return;
  std::string bytes;
  std::vector<std::uint32_t> sums;
  const bool is_read = read_event_bytes(events, bytes).empty();
  if (is_read) sums.resize(events);
  if (!is_read || !read_sums(open_growing(kEventChecksums).get(), 0, sums)) {
    damage.add("the events cannot be read");
    return;
  }
  const std::size_t size = bytes.size() / events;
  for (std::size_t i = 0; i < events; ++i) {
    if (crc32_of(std::string_view(bytes).substr(i * size, size)) != sums[i]) {
      damage.add("event " + std::to_string(i) + " differs from what was recorded");
    }
  }
}

// What is written last. A run that goes on, or was killed, is about to change it.
void Reader::check_end(Damage& damage) const {
  if (!is_closed_) return;
  std::uint32_t wanted = 0;
  const Handle dataset = hdf5::open_dataset(file_.get(), kStatusChecksum);
  std::string room(kStatusBytes + kMessageBytes, '\0');
  const auto read = [&](const char* name, std::size_t bytes, char* to) {
    const Handle text = hdf5::open_dataset(file_.get(), name);
    return H5Dread(text.get(), hdf5::text_type(bytes).get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
  };
  if (H5Dread(dataset.get(), H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &wanted) < 0 ||
      !read("status", kStatusBytes, room.data()) || !read("message", kMessageBytes, room.data() + kStatusBytes) ||
      crc32_of(room) != wanted) {
    damage.add("the status differs from what was recorded");
  }
  const Handle certificate_bytes = open_growing("certificate");
  if (hdf5::count_values(certificate_bytes.get()) > 0 && certificate().empty())
    damage.add("the certificate cannot be read");
  const std::size_t missing = std::max(hdf5::count_values(row_checksums_.get()), row_count_) - row_count_;
  if (missing > 0)
    damage.add(std::to_string(missing) + (missing == 1 ? " row is" : " rows are") + " missing at the end");
  if (hdf5::count_values(open_growing(kEventChecksums).get()) != count_events()) damage.add("events are missing");
}

std::optional<std::string> Reader::read_file(std::size_t number) const {
  const hdf5::Lock lock;
  return read_model_file(file_.get(), number);
}

Damage Reader::find_damage(std::size_t rows, std::size_t events) const {
  const hdf5::Lock lock;
  Damage damage;
  check_structure(damage);
  check_files(*this, file_.get(), damage);
  check_data(rows, events, damage);
  return damage;
}

Damage Reader::find_damage() const { return find_damage(row_count_, count_events()); }

Damage Reader::find_damaged_data() const {
  const hdf5::Lock lock;
  Damage damage;
  check_data(row_count_, count_events(), damage);
  return damage;
}

void Reader::check_data(std::size_t rows, std::size_t events, Damage& damage) const {
  if (!has_checksums()) return;
  if (rows > 0) check_rows(std::min(rows, row_count_), damage);
  check_events(std::min(events, count_events()), damage);
  check_end(damage);
}

}  // namespace gelenk::results
