// Files of results whose writer has ended or was killed: opened to be written again.
#include <hdf5.h>

#include <array>

#include "gelenk/results/run_file.h"

namespace gelenk::results {
namespace {

using hdf5::Handle;
using hdf5::Id;

// Opens the file to us and to readers at once, so that it is at no time one that nobody can read. Everything that
// happens to it is in the order in which readers can follow, and a kill at any time leaves what they could see.
Handle open_again(const std::string& path) {
  const Handle access = hdf5::file_access();
  constexpr hbool_t kYes = true;
  // A killed writer leaves the mark that the file is being written, and perhaps an end of the file that its head does
  // not know yet or that was not reached yet. The library's own repair program sets these two to go on nevertheless.
  if (H5Pset(access.get(), "clear_status_flags", &kYes) < 0 || H5Pset(access.get(), "skip_eof_check", &kYes) < 0) {
    return {};
  }
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access.get()), H5Fclose);
  // What was written behind the end that the head knows may be in use: the end is where the file ends.
  if (file.is_open() && H5Fincrement_filesize(file.get(), 0) < 0) file.reset();
  return file;
}

std::size_t length_of(const Handle& dataset, std::vector<std::size_t>* row_shape = nullptr) {
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  std::array<hsize_t, 3> size{};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1 || rank > static_cast<int>(size.size())) return 0;
  H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
  if (row_shape != nullptr) row_shape->assign(size.begin() + 1, size.begin() + rank);
  return size[0];
}

// Never lengthens: rows that are not there cannot be made.
bool shorten(const Handle& dataset, std::size_t length) {
  std::vector<std::size_t> row_shape;
  const std::size_t before = length_of(dataset, &row_shape);
  if (before <= length) return before == length;
  std::vector<hsize_t> size{length};
  size.insert(size.end(), row_shape.begin(), row_shape.end());
  return H5Dset_extent(dataset.get(), size.data()) >= 0;
}

}  // namespace

bool RunFile::open_structure(const std::vector<std::string>& blocks) {
  const Id file = file_.get();
  time_.handle = hdf5::open_dataset(file, "time");
  status_ = hdf5::open_dataset(file, "status");
  message_ = hdf5::open_dataset(file, "message");
  events_ = hdf5::open_dataset(file, "events");
  if (hdf5::has_link(file, "certificate")) certificate_ = hdf5::open_dataset(file, "certificate");
  for (const Handle* handle : {&time_.handle, &status_, &message_, &events_}) {
    if (!handle->is_open()) return false;
  }
  if (hdf5::has_link(file, "checksums")) {
    row_checksums_.handle = hdf5::open_dataset(file, kRowChecksums);
    event_checksums_ = hdf5::open_dataset(file, kEventChecksums);
    status_checksum_ = hdf5::open_dataset(file, kStatusChecksum);
    for (const Handle* handle : {&row_checksums_.handle, &event_checksums_, &status_checksum_}) {
      if (!handle->is_open()) return false;
    }
  }
  status_offset_ = H5Dget_offset(status_.get());
  message_offset_ = H5Dget_offset(message_.get());
  for (const std::string& name : blocks) {
    Dataset& dataset = blocks_.emplace_back();
    dataset.name = name;
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos && !hdf5::has_link(file, name.substr(0, slash))) continue;
    if (!hdf5::has_link(file, name)) continue;
    dataset.handle = hdf5::open_dataset(file, name);
    if (!dataset.handle.is_open()) return false;
    length_of(dataset.handle, &dataset.shape);
  }
  return true;
}

// /time goes first: a row that is cut off counts for nobody before any of its values is gone.
bool RunFile::cut_off(std::size_t rows, std::size_t events) {
  if (!shorten(time_.handle, rows)) return false;
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) return false;
  time_.rows = rows;
  for (Dataset& dataset : blocks_) {
    if (!dataset.handle.is_open()) continue;
    if (!shorten(dataset.handle, rows)) return false;
    dataset.rows = rows;
  }
  event_count_ = events;
  row_checksums_.rows = rows;
  if (row_checksums_.handle.is_open() &&
      (!shorten(row_checksums_.handle, rows) || !shorten(event_checksums_, events))) {
    return false;
  }
  return shorten(events_, events) && H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0;
}

std::unique_ptr<RunFile> RunFile::reopen(const std::string& path, const std::vector<std::string>& blocks,
                                         std::size_t rows, std::size_t events, RunStatus status,
                                         const std::string& message, std::string& error) {
  const hdf5::Lock lock;
  std::unique_ptr<RunFile> result(new RunFile(path));
  if (const std::string obstacle = result->writer_lock_.take(path, false); !obstacle.empty()) {
    error = "the results file '" + path + "' cannot be opened again: " + obstacle;
    return nullptr;
  }
  result->file_ = open_again(path);
  if (result->file_.is_open()) result->lock_.emplace(path);
  const bool is_open = result->file_.is_open() && result->open_structure(blocks);
  if (!is_open || !result->write_status(status, message) || !result->write_certificate({}) ||
      !result->cut_off(rows, events)) {
    error = result->failure("opened again");
    return nullptr;
  }
  result->prepare_for_the_worst();
  result->has_begun_ = true;
  return result;
}

}  // namespace gelenk::results
