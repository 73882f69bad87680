#include "gelenk/results/run_file.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <numeric>

#include "gelenk/base/checksum.h"

namespace gelenk::results {
namespace {

using hdf5::Handle;

// A text cut to its room without cutting a character of UTF-8 in two.
std::string cut(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return text.substr(0, end);
}

std::string padded(const std::string& text, std::size_t bytes) {
  std::string result = cut(text, bytes);
  result.resize(bytes, '\0');
  return result;
}

bool write_padded(const Handle& dataset, const std::string& text, std::size_t bytes) {
  return H5Dwrite(dataset.get(), hdf5::text_type(bytes).get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  padded(text, bytes).data()) >= 0;
}

// Lengthens a dataset and writes rows at its end.
bool append_to(const Handle& dataset, hid_t memory_type, const std::vector<std::size_t>& shape, std::size_t rows,
               std::size_t count, const void* values) {
  std::vector<hsize_t> size{rows + count};
  std::vector<hsize_t> start{rows};
  std::vector<hsize_t> extent{count};
  for (const std::size_t n : shape) {
    size.push_back(n);
    start.push_back(0);
    extent.push_back(n);
  }
  if (H5Dset_extent(dataset.get(), size.data()) < 0) return false;
  const Handle file_space(H5Dget_space(dataset.get()), H5Sclose);
  const Handle memory_space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0) {
    return false;
  }
  return H5Dwrite(dataset.get(), memory_type, memory_space.get(), file_space.get(), H5P_DEFAULT, values) >= 0;
}

}  // namespace

std::unique_ptr<RunFile> RunFile::create(const std::string& path, const Layout& layout, const RunInfo& info,
                                         std::string& error) {
  const hdf5::Lock lock;
  std::unique_ptr<RunFile> result(new RunFile(path));
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    error = "the results cannot be written to '" + path + "': it is a folder";
    return nullptr;
  }
  if (const std::string obstacle = result->writer_lock_.take(path, true); !obstacle.empty()) {
    error = "the results file '" + path + "' cannot be created: " + obstacle;
    return nullptr;
  }
  const Handle access = hdf5::file_access();
  result->file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  if (!result->file_.is_open() || !result->create_structure(layout, info)) {
    error = result->failure("created");
    result->close_handles();
    if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
    return nullptr;
  }
  result->slices_ = layout.slices;
  result->prepare_for_the_worst();
  return result;
}

RunFile::~RunFile() {
  const hdf5::Lock lock;
  if (!failure_.empty()) {
    forget_handles();
  } else {
    close_handles();
  }
}

template <class Deed>
void RunFile::each_handle(Deed&& deed) {
  for (Dataset& dataset : blocks_) deed(dataset.handle);
  for (Handle* handle : {&time_.handle, &status_, &message_, &events_, &certificate_, &row_checksums_.handle,
                         &event_checksums_, &status_checksum_, &file_}) {
    deed(*handle);
  }
}

bool RunFile::close_handles() {
  bool is_closed = true;
  each_handle([&](Handle& handle) { is_closed = handle.reset() && is_closed; });
  return is_closed;
}

// After a full disk the library would, on closing, mark a file as complete of which the end is missing. Left as it is,
// the file still has every row of the last flush.
void RunFile::forget_handles() {
  each_handle([](Handle& handle) { handle.forget(); });
}

std::string RunFile::failure(const char* deed) {
  const std::string reason = hdf5::last_error();
  failure_ = "the results file '" + path_ + "' cannot be " + deed + (reason.empty() ? "" : ": " + reason);
  return failure_;
}

std::size_t RunFile::Dataset::width() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

bool RunFile::append_rows(Dataset& dataset, const double* values, std::size_t count) {
  if (!append_to(dataset.handle, H5T_NATIVE_DOUBLE, dataset.shape, dataset.rows, count, values)) return false;
  dataset.rows += count;
  return true;
}

// Of the time and the row of every block that is written, in the order of the blocks.
bool RunFile::append_checksums(std::span<const double> times, std::span<const double* const> values) {
  if (!row_checksums_.handle.is_open()) return true;
  std::vector<std::uint32_t> sums;
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::uint32_t sum = crc32_of(std::as_bytes(times.subspan(i, 1)));
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!blocks_[b].handle.is_open()) continue;
      const std::size_t width = blocks_[b].width();
      sum = crc32_of(std::as_bytes(std::span(values[b] + i * width, width)), sum);
    }
    sums.push_back(sum);
  }
  if (!append_to(row_checksums_.handle, H5T_NATIVE_UINT32, {}, row_checksums_.rows, sums.size(), sums.data())) {
    return false;
  }
  row_checksums_.rows += sums.size();
  return true;
}

std::string RunFile::append(std::span<const double> times, std::span<const double* const> values) {
  const hdf5::Lock lock;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (!blocks_[b].handle.is_open()) continue;
    if (!append_rows(blocks_[b], values[b], times.size())) return failure("written");
  }
  if (!append_checksums(times, values)) return failure("written");
  pending_times_.insert(pending_times_.end(), times.begin(), times.end());
  return {};
}

std::string RunFile::append(const std::vector<Event>& events) {
  const hdf5::Lock lock;
  const Handle type(H5Dget_type(events_.get()), H5Tclose);
  for (const Event& event : events) {
    std::string record(sizeof(double), '\0');
    std::memcpy(record.data(), &event.time, sizeof event.time);
    record += padded(event.kind, kEventKindBytes) + padded(event.element, kEventElementBytes) +
              padded(event.text, kEventTextBytes);
    const std::uint32_t sum = crc32_of(record);
    if (!append_to(events_, type.get(), {}, event_count_, 1, record.data()) ||
        (event_checksums_.is_open() && !append_to(event_checksums_, H5T_NATIVE_UINT32, {}, event_count_, 1, &sum))) {
      return failure("written");
    }
    ++event_count_;
  }
  return {};
}

std::string RunFile::flush() {
  const hdf5::Lock lock;
  // What is written into a removed file arrives nowhere, and nobody would say so.
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return "the results file '" + path_ + "' has disappeared";
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) return failure("written");
  if (pending_times_.empty()) return {};
  if (!append_rows(time_, pending_times_.data(), pending_times_.size())) return failure("written");
  pending_times_.clear();
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) return failure("written");
  return {};
}

bool RunFile::write_status(RunStatus status, const std::string& message) {
  const std::string name(status_name(status));
  const std::uint32_t sum = crc32_of(padded(name, kStatusBytes) + padded(message, kMessageBytes));
  return write_padded(status_, name, kStatusBytes) && write_padded(message_, message, kMessageBytes) &&
         (!status_checksum_.is_open() ||
          H5Dwrite(status_checksum_.get(), H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &sum) >= 0);
}

bool RunFile::write_certificate(const std::string& text) {
  if (!certificate_.is_open()) return true;  // a file of an older version, which has no room for it
  constexpr hsize_t kNothing = 0;
  if (H5Dset_extent(certificate_.get(), &kNothing) < 0) return false;
  return text.empty() || append_to(certificate_, H5T_NATIVE_UINT8, {}, 0, text.size(), text.data());
}

// Around the library, which after a full disk cannot write anything: the two texts lie at fixed places of the file.
void RunFile::patch_status(RunStatus status, const std::string& message) {
  const auto write_at = [&](std::uint64_t offset, const std::string& text, std::size_t bytes) {
    if (offset == 0 || offset == HADDR_UNDEF) return;
    way_around_.seekp(static_cast<std::streamoff>(offset));
    way_around_.write(padded(text, bytes).data(), static_cast<std::streamsize>(bytes));
  };
  write_at(status_offset_, std::string(status_name(status)), kStatusBytes);
  write_at(message_offset_, message, kMessageBytes);
  way_around_.flush();
}

void RunFile::prepare_for_the_worst() {
  way_around_.open(path_, std::ios::in | std::ios::out | std::ios::binary);
  const auto is_placed = [](std::uint64_t offset) { return offset != 0 && offset != HADDR_UNDEF; };
  if (!is_placed(status_offset_) || !is_placed(message_offset_)) return;
  last_words_.arm(path_, {status_offset_, kStatusBytes}, std::string(status_name(RunStatus::failed)),
                  {message_offset_, kMessageBytes});
}

std::string RunFile::close(RunStatus status, const std::string& message, const std::string& certificate) {
  const hdf5::Lock lock;
  std::string error = failure_.empty() ? flush() : failure_;
  if (error.empty() && !write_certificate(certificate)) error = failure("written");
  if (error.empty() && !write_status(status, message)) error = failure("written");
  if (error.empty() && H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) error = failure("written");
  if (error.empty() && !close_handles()) error = failure("closed");
  if (!failure_.empty()) {
    forget_handles();
    patch_status(RunStatus::failed, message.empty() ? error : message + "; " + error);
  }
  last_words_.disarm();
  lock_.reset();
  writer_lock_.release();
  return error;
}

}  // namespace gelenk::results
