// The page and its data as one file; viewer/PROTOCOL.md has the layout.
#include <algorithm>
#include <cstring>

#include "gelenk/base/deflate.h"
#include "gelenk/base/json.h"
#include "gelenk/base/signing.h"
#include "gelenk/export/flat_json.h"
#include "gelenk/view/viewer_data.h"

namespace gelenk::view {
namespace {

constexpr std::string_view kDataTag = R"(<script id="gk-data" type="application/octet-stream">)";
constexpr std::size_t kAlignment = 8;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kBase64Group = 3;  // bytes that become whole letters

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

std::size_t times_bytes(const RunData& run) { return run.rows() * sizeof(double); }
std::size_t block_bytes(const RunData& run, std::size_t block) {
  return run.rows() * run.block_width(block) * sizeof(float);
}

std::string head_json(const ViewerData& data) {
  JsonWriter json;
  json.begin_array();
  std::size_t offset = 0;
  for (const std::unique_ptr<RunData>& run : data.runs) {
    json.begin_object();
    run->write_members(json);
    json.member("timesOffset", offset).key("blocks").begin_array();
    offset += times_bytes(*run);
    for (std::size_t block = 0; block < run->block_count(); ++block) {
      json.begin_object().member("name", run->reader().blocks()[block + 1].name);
      json.member("width", run->block_width(block)).member("offset", offset).end_object();
      offset += aligned(block_bytes(*run, block));
    }
    json.end_array().end_object();
  }
  const std::string runs = exporting::flat_json(json.end_array().take());
  return "{\"scene\":" + data.scene + ",\"runs\":" + runs + ",\"diagnostics\":" + data.messages_json() + "}";
}

// Compresses and writes letters, piece by piece: only the result is ever whole in memory.
class Packer {
 public:
  explicit Packer(std::string& file) : file_(file) {}

  void add(std::string_view bytes) {
    deflater_.add(bytes, ready_);
    if (ready_.size() >= kPieceBytes) write(ready_.size() / kBase64Group * kBase64Group);
  }
  void finish() {
    deflater_.finish(ready_);
    write(ready_.size());
  }

 private:
  void write(std::size_t count) {
    file_ += to_base64(std::string_view(ready_).substr(0, count));
    ready_.erase(0, count);
  }

  std::string& file_;
  Deflater deflater_;
  std::string ready_;
};

std::string pack_block(const RunData& run, std::size_t block, Packer& packer) {
  const std::size_t row_bytes = run.block_width(block) * sizeof(float);
  const std::size_t piece = std::max<std::size_t>(1, kPieceBytes / std::max<std::size_t>(1, row_bytes));
  const std::size_t rows = run.rows();
  for (std::size_t row = 0; row < rows; row += piece) {
    std::string bytes;
    if (const Problem problem = run.table(block, row, std::min(piece, rows - row), bytes)) return problem.text;
    packer.add(bytes);
  }
  const std::size_t bytes = block_bytes(run, block);
  packer.add(std::string(aligned(bytes) - bytes, '\0'));
  return {};
}

std::string pack(const ViewerData& data, Packer& packer) {
  const std::string head = head_json(data);
  const auto length = static_cast<std::uint32_t>(head.size());
  std::string begin(sizeof length, '\0');
  std::memcpy(begin.data(), &length, sizeof length);
  begin += head;
  begin.resize(aligned(begin.size()), '\0');
  packer.add(begin);
  for (const std::unique_ptr<RunData>& run : data.runs) {
    std::string times;
    if (const Problem problem = run->times(0, times)) return problem.text;
    packer.add(times);
    for (std::size_t block = 0; block < run->block_count(); ++block) {
      if (std::string error = pack_block(*run, block, packer); !error.empty()) return error;
    }
  }
  packer.finish();
  return {};
}

}  // namespace

std::size_t number_bytes(const ViewerData& data) {
  std::size_t bytes = 0;
  for (const std::unique_ptr<RunData>& run : data.runs) {
    bytes += times_bytes(*run);
    for (std::size_t block = 0; block < run->block_count(); ++block) bytes += block_bytes(*run, block);
  }
  return bytes;
}

std::string write_page(std::string_view page, const ViewerData& data, std::string& file) {
  const std::size_t tag = page.find(kDataTag);
  if (tag == std::string_view::npos) return "the page has no place for data";
  const std::size_t place = tag + kDataTag.size();
  file = page.substr(0, place);
  Packer packer(file);
  if (std::string error = pack(data, packer); !error.empty()) return error;
  file += page.substr(place);
  return {};
}

}  // namespace gelenk::view
