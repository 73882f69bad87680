#include "gelenk/cad/answers.h"

#include <algorithm>
#include <array>
#include <vector>

#include "gelenk/base/bytes.h"
#include "gelenk/base/zip.h"

namespace gelenk::cad {
namespace {

constexpr std::array<std::string_view, 4> kEndings{".yaml", ".glb", ".svg", ".json"};

bool is_file_of(const std::string& name, const formats::ImportedFile& file) {
  // Nothing that leads out of the folder
  if (!zip_path_problem(file.path).empty()) return false;
  if (file.path == name + ".yaml") return file.is_users;
  if (file.is_users) return false;
  if (file.path == name + ".cad.yaml") return true;
  const std::string ending = file.path.substr(std::min(file.path.size(), file.path.rfind('.')));
  return file.path.starts_with(name + ".cad/") && std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

}  // namespace

std::string encode(const ImportResult& result) {
  ByteWriter bytes;
  bytes.put(std::string_view(result.error));
  bytes.put(result.is_users_mistake);
  bytes.put(static_cast<std::uint64_t>(result.files.size()));
  for (const formats::ImportedFile& file : result.files) {
    bytes.put(std::string_view(file.path));
    bytes.put(std::string_view(file.content));
    bytes.put(file.is_users);
  }
  return bytes.bytes();
}

std::string encode(const StepWriting& result) {
  ByteWriter bytes;
  bytes.put(std::string_view(result.text));
  bytes.put(std::string_view(result.error));
  bytes.put(static_cast<std::uint64_t>(result.notes.size()));
  for (const std::string& note : result.notes) bytes.put(std::string_view(note));
  return bytes.bytes();
}

std::optional<ImportResult> decode_import(std::string_view bytes, const std::string& name) {
  ByteReader reader(bytes);
  ImportResult result;
  reader.get(result.error);
  reader.get(result.is_users_mistake);
  for (auto count = reader.get<std::uint64_t>(); count > 0 && reader.is_good(); --count) {
    formats::ImportedFile& file = result.files.emplace_back();
    reader.get(file.path);
    reader.get(file.content);
    reader.get(file.is_users);
  }
  const bool are_good = std::all_of(result.files.begin(), result.files.end(),
                                    [&](const formats::ImportedFile& file) { return is_file_of(name, file); });
  return reader.is_complete() && are_good ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<StepWriting> decode_step(std::string_view bytes) {
  ByteReader reader(bytes);
  StepWriting result;
  reader.get(result.text);
  reader.get(result.error);
  for (auto count = reader.get<std::uint64_t>(); count > 0 && reader.is_good(); --count) {
    reader.get(result.notes.emplace_back());
  }
  return reader.is_complete() ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace gelenk::cad
