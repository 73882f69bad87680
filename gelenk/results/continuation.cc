#include "gelenk/results/continuation.h"

#include <algorithm>
#include <filesystem>

#include "gelenk/base/file_lock.h"
#include "gelenk/results/reader.h"

namespace gelenk::results {
namespace {

std::string not_continued(const std::string& path, const std::string& reason) {
  return "the run in '" + path + "' cannot be continued: " + reason;
}

std::string width_difference(const std::string& block, std::size_t in_file, std::size_t in_model) {
  return "it records different channels: " + block + " has " + std::to_string(in_file) +
         " values in a row of the file and " + std::to_string(in_model) + " in a row of the model";
}

std::string shape_difference(const Reader& reader, const Layout& layout) {
  for (const Block& wanted : layout.blocks) {
    const auto found = std::find_if(reader.blocks().begin(), reader.blocks().end(),
                                    [&](const RecordedBlock& block) { return block.name == wanted.id.name(); });
    const std::size_t in_file = found == reader.blocks().end() ? 0 : found->width;
    if (in_file == wanted.width && (in_file == 0 || found->shape == wanted.shape)) continue;
    return width_difference(std::string(wanted.id.name()), in_file, wanted.width);
  }
  for (std::size_t b = 1; b < reader.blocks().size(); ++b) {  // 0: the time
    const RecordedBlock& block = reader.blocks()[b];
    const bool is_known = std::any_of(layout.blocks.begin(), layout.blocks.end(),
                                      [&](const Block& known) { return known.id.name() == block.name; });
    if (!is_known) return width_difference(block.name, block.width, 0);
  }
  return {};
}

std::string name_difference(const Reader& reader, const Layout& layout) {
  auto recorded = reader.channels().begin();
  if (recorded != reader.channels().end()) ++recorded;  // the time
  for (const Channel& channel : layout.channels) {
    for (const std::string_view component : channel.components()) {
      const std::string name = channel.name + std::string(component);
      if (recorded == reader.channels().end() || recorded->name != name) {
        const std::string other = recorded == reader.channels().end() ? "nothing" : "'" + recorded->name + "'";
        return "it records different channels: " + other + " where the model has '" + name + "'";
      }
      ++recorded;
    }
  }
  return {};
}

}  // namespace

std::string change_obstacle(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};  // whoever reads it says so better
  return overwrite_obstacle(path);
}

std::string continuation_obstacle(const std::string& path, const Layout& layout, std::size_t rows, std::size_t events) {
  if (const std::string obstacle = change_obstacle(path); !obstacle.empty()) return not_continued(path, obstacle);
  std::string error;
  const std::unique_ptr<Reader> reader = Reader::open(path, error);
  if (!reader) return error;
  if (reader->header().run_id.empty()) return not_continued(path, "an older version of the program wrote it");
  std::vector<Event> found;
  if (error = reader->read_events(found); !error.empty()) return error;
  if (rows > reader->row_count()) {
    return not_continued(
        path, "it has " + std::to_string(reader->row_count()) + " rows, but " + std::to_string(rows) + " are needed");
  }
  if (events > found.size()) {
    return not_continued(
        path, "it has " + std::to_string(found.size()) + " events, but " + std::to_string(events) + " are needed");
  }
  std::string difference = shape_difference(*reader, layout);
  if (difference.empty()) difference = name_difference(*reader, layout);
  // What is written behind damage would make it look like a good run.
  if (difference.empty()) difference = reader->find_damage(rows, events).text();
  return difference.empty() ? difference : not_continued(path, difference);
}

}  // namespace gelenk::results
