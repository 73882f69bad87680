#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gelenk/cad/freecad_document.h"

namespace gelenk::cad {

// A FreeCAD file and the files that its links lead to. Each is read once, when a link first needs it, and only when it
// is in the folder that links may lead to, or deeper.
class FreecadFiles {
 public:
  // `folder`: empty: that of the file. Nothing, with a sentence in `error`, when the file itself cannot be read.
  static std::optional<FreecadFiles> open(const std::string& path, const std::string& folder, std::string& error);

  const FreecadDocument& root() const { return *documents_.front(); }
  const FreecadDocument& document_of(const FreecadObject& object) const { return *documents_[object.file]; }

  struct Target {
    const FreecadObject* object = nullptr;
    std::string problem;  // why there is none, as the end of a sentence about what links to it
  };
  // What a property of the object links to, in its own file or in another one.
  Target target(const FreecadObject& object, const FreecadProperty& link);

 private:
  explicit FreecadFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  bool is_inside(const std::filesystem::path& path) const;
  // Where the file is that a link of another one names. Nothing, with the problem set.
  std::optional<std::filesystem::path> find(const std::filesystem::path& beside, const std::string& named,
                                            std::string& problem) const;
  // Nothing, with the problem set.
  const FreecadDocument* document(const std::filesystem::path& path, std::string& problem);

  std::filesystem::path folder_;
  std::vector<std::unique_ptr<FreecadDocument>> documents_;
  std::vector<std::filesystem::path> folders_;  // of the documents
  struct Known {
    std::optional<std::size_t> number;  // of the document
    std::string problem;
  };
  std::map<std::filesystem::path, Known> known_;
};

}  // namespace gelenk::cad
