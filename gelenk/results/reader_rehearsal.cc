// HDF5 crashes on files that are damaged in certain ways, or made for it. So what it may crash on is read in a copy of
// this process first, or only there (ADR 0040).
#include <hdf5.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "gelenk/base/child_process.h"
#include "gelenk/base/memory_guard.h"
#include "gelenk/base/sandboxed_work.h"
#include "gelenk/results/hdf5_copy.h"
#include "gelenk/results/reader.h"

namespace gelenk::results {
namespace {

using hdf5::Handle;

// A sound file takes milliseconds; large ones have many views.
constexpr double kMostSeconds = 5.0;
constexpr double kMostSecondsPerByte = 1e-7;

double seconds_for(const std::string& path) {
  std::error_code problem;
  const std::uintmax_t bytes = std::filesystem::file_size(path, problem);
  return kMostSeconds + (problem ? 0.0 : kMostSecondsPerByte * static_cast<double>(bytes));
}

// To be called with a Lock.
SandboxedEnd read_in_copy(const std::string& path, const std::function<std::string(const Whereabouts&)>& work) {
  SandboxedOrder order;
  order.readable = {path};
  order.keeps_files = true;  // the library may have the file open already
  order.is_silent = true;
  order.seconds = seconds_for(path);
  return run_sandboxed(order, [&](const Whereabouts& where) {
    hdf5::be_alone();
    return work(where);
  });
}

bool lacked_memory(const SandboxedEnd& end) { return end.lacked_memory || end.end.exit_code == kMemoryExitCode; }

// "its reader crashed (SIGSEGV), near 'parts/pose'"; nothing when it came to an end of its own, or somebody else's.
std::string crash_of(const SandboxedEnd& end) {
  constexpr std::array kSent{SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGXCPU};
  if (end.result || !end.reason.empty() || lacked_memory(end)) return {};
  const std::string near = end.place.empty() ? std::string() : ", near '" + end.place + "'";
  if (end.ran_out_of_time) return "its reader does not come to an end" + near;
  if (std::ranges::find(kSent, end.end.signal) != kSent.end()) return {};
  const std::string how = end.end.signal == 0 ? std::string() : " (" + signal_name(end.end.signal) + ")";
  return "its reader crashed" + how + near;
}

struct Visit {
  Damage& damage;
  const Whereabouts* where;  // null: in this process
};

herr_t open_attribute(hid_t object, const char* name, const H5A_info_t*, void*) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  return attribute.is_open() ? 0 : -1;
}

// The structure has checksums, which the library looks at when it opens something.
void open_object(hid_t file, const char* name, const Visit& visit) {
  if (visit.where != nullptr) visit.where->be_at(name);
  const Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
  hsize_t first = 0;
  const bool is_read = object.is_open() &&
                       H5Aiterate2(object.get(), H5_INDEX_NAME, H5_ITER_NATIVE, &first, open_attribute, nullptr) >= 0;
  if (!is_read) visit.damage.add("'" + std::string(name) + "' cannot be opened");
}

herr_t visit_object(hid_t file, const char* name, const H5O_info_t*, void* data) {
  return hdf5::without_exceptions([&] { open_object(file, name, *static_cast<Visit*>(data)); });
}

Damage visit_all(hid_t file, const Whereabouts* where) {
  Damage damage;
  Visit visit{damage, where};
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_object, &visit, H5O_INFO_BASIC) < 0) {
    damage.add("its structure cannot be read");
  }
  return damage;
}

}  // namespace

// Rows are read as far as structure leads to them: the first and the last. Errors are reported by the real reading.
std::string Reader::rehearse(const std::string& path) {
  if (!is_hdf5_file(path)) return {};
  const SandboxedEnd end = read_in_copy(path, [&](const Whereabouts&) {
    Reader reader(path);
    reader.is_rehearsal_ = true;
    if (!reader.open_all().empty()) return std::string();
    Frame frame;
    std::string bytes;
    if (reader.row_count_ > 0) reader.read_frame(0, frame);
    if (reader.row_count_ > 0) reader.read_frame(reader.row_count_ - 1, frame);
    if (reader.count_events() > 0) reader.read_event_bytes(1, bytes);
    reader.certificate();
    for (std::size_t i = 0; i < reader.header_.files.size(); ++i) reader.read_file(i);
    return std::string();
  });
  const std::string crash = crash_of(end);
  return crash.empty() ? crash : "the file '" + path + "' is damaged: " + crash;
}

// Only in the copy: nobody else opens the views, and there may be many.
void Reader::check_structure(Damage& damage) const {
  constexpr char kEnd = '\0';  // of a sentence
  const SandboxedEnd end = read_in_copy(path_, [&](const Whereabouts& where) {
    std::string all;
    for (const std::string& sentence : visit_all(file_.get(), &where).sentences()) all += sentence + kEnd;
    return all;
  });
  if (lacked_memory(end)) throw std::bad_alloc();
  if (const std::string crash = crash_of(end); !crash.empty()) damage.add(crash);
  if (end.result) {
    for (std::string_view rest = *end.result; !rest.empty(); rest.remove_prefix(rest.find(kEnd) + 1)) {
      damage.add(std::string(rest.substr(0, rest.find(kEnd))));
    }
  } else if (!end.reason.empty()) {
    for (const std::string& sentence : visit_all(file_.get(), nullptr).sentences()) damage.add(sentence);
  }
}

}  // namespace gelenk::results
