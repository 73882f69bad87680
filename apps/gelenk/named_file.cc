#include "apps/gelenk/named_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <vector>

#include "gelenk/base/shell_word.h"
#include "gelenk/base/text.h"

namespace gelenk::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 1000;  // of a folder that are looked at
constexpr std::size_t kFirstBytes = 512;

std::string first_bytes(const std::string& path) {
  std::string bytes(kFirstBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

bool has_suffix(const std::string& path, std::initializer_list<std::string_view> suffixes) {
  std::string lower = path;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view one) { return lower.ends_with(one); });
}

FileKind kind_by_name(const std::string& path) {
  if (has_suffix(path, {".h5", ".hdf5"})) return FileKind::results;
  if (has_suffix(path, {".step", ".stp", ".fcstd"})) return FileKind::drawing;
  if (has_suffix(path, {".urdf"})) return FileKind::robot;
  if (has_suffix(path, {".gkc"})) return FileKind::container;
  if (has_suffix(path, {".yaml", ".yml", ".json"})) return FileKind::model;
  return FileKind::other;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
    if (names.size() == kMostEntries) break;
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool fits(FileKind kind, WantedFile wanted) {
  switch (wanted) {
    case WantedFile::model:
      return kind == FileKind::model;
    case WantedFile::results:
      return kind == FileKind::results;
    case WantedFile::drawing:
      return kind == FileKind::drawing || kind == FileKind::robot;
  }
  return false;
}

std::string_view words_for(WantedFile wanted) {
  switch (wanted) {
    case WantedFile::model:
      return "a model (YAML or JSON)";
    case WantedFile::results:
      return "a results file (.h5)";
    case WantedFile::drawing:
      return "a drawing (STEP, FCStd) or a robot description (URDF)";
  }
  return "";
}

std::string hint_for_folder(const std::string& path, WantedFile wanted) {
  std::vector<std::string> names = names_in(path);
  std::erase_if(names, [&](const std::string& name) { return !fits(kind_by_name(name), wanted); });
  if (names.empty()) return fmt::format("name {}; there is none in it", words_for(wanted));
  const std::string first = (fs::path(path) / names.front()).string();
  return names.size() == 1 ? fmt::format("it holds '{}'", first)
                           : fmt::format("name one of its {} files, such as '{}'", names.size(), first);
}

// Files of other programs, by their names.
struct ForeignFile {
  std::vector<std::string_view> suffixes;
  std::string_view what, hint;
};

// Nothing where the file is written like a model, whatever its name.
const ForeignFile* foreign_file(const std::string& path) {
  static const std::vector<ForeignFile> kForeign{
      {{".sldasm",     ".sldprt",  ".iam", ".ipt", ".f3d", ".f3z", ".asm",  ".prt",
        ".catproduct", ".catpart", ".par", ".x_t", ".x_b", ".sat", ".jt",   ".3dm",
        ".igs",        ".iges",    ".dwg", ".dxf", ".3mf", ".skp", ".blend"},
       "a CAD file of another program",
       "save the assembly there as STEP (AP214 or AP242), then: gelenk import ASSEMBLY.step"},
      {{".stl", ".obj", ".ply", ".dae"},
       "a mesh",
       "a part can have it as its shape: `shape: {mesh: {file: PART.stl}}`; assemblies are imported from STEP"},
      {{".xacro"}, "a macro for a robot description", "expand it first: xacro ROBOT.xacro > ROBOT.urdf"},
      {{".sdf", ".mjcf", ".xml"},
       "another kind of XML file",
       "of robots, URDF can be imported: gelenk import ROBOT.urdf"},
      {{".csv", ".xlsx", ".ods", ".txt", ".mat"}, "a table or text", ""},
      {{".pdf", ".png", ".jpg", ".jpeg", ".svg", ".html", ".md", ".mp4"}, "a document or picture", ""},
      {{".glb", ".gltf"},
       "a picture of a machine in three dimensions",
       "it can be shown by other programs, but has no masses and joints"},
      {{".mo", ".adm", ".cmd", ".slx", ".mdl"},
       "a model of another program",
       "`gelenk new NAME` starts a model for Gelenk; `gelenk import` makes one from a CAD assembly or a robot"},
      {{".zip", ".gz", ".7z", ".tar"}, "an archive", "unpack it first"},
  };
  const std::string name = fs::path(path).filename().string();
  const auto found = std::find_if(kForeign.begin(), kForeign.end(), [&](const ForeignFile& one) {
    return std::any_of(one.suffixes.begin(), one.suffixes.end(),
                       [&](std::string_view suffix) { return has_suffix(name, {suffix}); });
  });
  const bool is_foreign = found != kForeign.end() && first_bytes(path).find("gelenk:") == std::string::npos;
  return is_foreign ? &*found : nullptr;
}

struct Words {
  std::string_view what, command;  // "a results file", "gelenk view"
};

Words words_for(FileKind kind) {
  switch (kind) {
    case FileKind::results:
      return {"a results file", "gelenk view"};
    case FileKind::drawing:
      return {"a CAD drawing", "gelenk import"};
    case FileKind::robot:
      return {"a robot description (URDF)", "gelenk import"};
    case FileKind::container:
      return {"a sealed component", "gelenk info"};
    case FileKind::model:
      return {"a model", "gelenk run"};
    default:
      return {};
  }
}

}  // namespace

FileKind kind_of_file(const std::string& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (status.type() == fs::file_type::not_found) return FileKind::missing;
  if (fs::is_directory(status)) return FileKind::folder;
  if (!fs::is_regular_file(status)) return FileKind::other;
  const std::string bytes = first_bytes(path);
  if (bytes.starts_with("\x89HDF\r\n\x1a\n")) return FileKind::results;
  if (trim(bytes).starts_with("ISO-10303-21")) return FileKind::drawing;
  if (bytes.find("<robot") != std::string::npos) return FileKind::robot;
  // Containers and FreeCAD's drawings are archives of the same kind; the manifest of a container is its first file.
  if (bytes.starts_with("PK\x03\x04")) {
    if (has_suffix(path, {".fcstd"})) return FileKind::drawing;
    const bool is_container = bytes.find("org.gelenk.component") != std::string::npos || has_suffix(path, {".gkc"});
    return is_container ? FileKind::container : FileKind::other;
  }
  const FileKind kind = kind_by_name(path);
  return kind == FileKind::model ? kind : FileKind::other;
}

std::string command_for(const std::string& path) {
  const std::string_view command = words_for(kind_of_file(path)).command;
  return fmt::format("{} {}", command.empty() || command == "gelenk run" ? "gelenk check" : command, shell_word(path));
}

std::optional<ExitCode> refuse_other_file(const std::string& path, WantedFile wanted, Console& console) {
  const FileKind kind = kind_of_file(path);
  std::error_code problem;
  // Of a model there is more to say: how to write one.
  if (wanted != WantedFile::model && fs::is_regular_file(path, problem) && fs::file_size(path, problem) == 0) {
    return console.fail(ExitCode::file_error, fmt::format("{} is empty", shown(path)),
                        fmt::format("name {}", words_for(wanted)));
  }
  const ForeignFile* foreign =
      kind == FileKind::other && fs::is_regular_file(path, problem) ? foreign_file(path) : nullptr;
  if (foreign != nullptr) {
    return console.fail(ExitCode::file_error,
                        fmt::format("{} is {}, not {}", shown(path), foreign->what, words_for(wanted)), foreign->hint);
  }
  if (kind == FileKind::other || kind == FileKind::missing || fits(kind, wanted)) return std::nullopt;
  if (kind == FileKind::folder) {
    return console.fail(ExitCode::file_error, fmt::format("{} is a folder", shown(path)),
                        hint_for_folder(path, wanted));
  }
  const Words words = words_for(kind);
  return console.fail(ExitCode::file_error, fmt::format("{} is {}, not {}", shown(path), words.what, words_for(wanted)),
                      fmt::format("try: {} {}", words.command, shell_word(path)));
}

}  // namespace gelenk::app
