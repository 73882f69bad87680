#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gelenk/base/document.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/element_address.h"
#include "python/src/messages.h"

namespace gelenk::python {

// A model that can be changed. Machines that were made of it keep what it was.
class EditableModel {
 public:
  // Everything that is wrong in the files is thrown, as a Failure with all messages.
  static EditableModel load(const std::string& path, bool allow_outside);
  // As a file of this name in the working directory would be read.
  static EditableModel parse(const std::string& text, const std::string& path);
  // With nothing in it.
  static EditableModel empty(const std::string& path);

  const std::string& name() const { return loaded_->model.name; }
  const std::string& path() const { return path_; }
  std::shared_ptr<const formats::LoadedModel> loaded() const { return loaded_; }
  std::string to_yaml() const;

  // Of the root. A path is as the program shows it, "parts.crank.frames.pin"; those of elements in other definitions
  // begin with theirs.
  std::vector<model::ElementAddress> elements() const;
  Node description(const model::ElementAddress& address) const;
  void create(const model::ElementAddress& address, const Node& description);
  void modify(const model::ElementAddress& address, const Node& changes);
  void remove(const model::ElementAddress& address);
  void rename(const model::ElementAddress& address, const std::string& new_name);

  // Everything that is wrong with it, and warnings: as when it is assembled, without assembling it.
  std::vector<Message> check() const;

 private:
  explicit EditableModel(std::string path) : path_(std::move(path)) {}
  static EditableModel read(const std::string& path, const formats::LoadOptions& options, bool is_whole = true);
  // The model, and nobody else's.
  model::Model& own();

  std::string path_;
  std::shared_ptr<formats::LoadedModel> loaded_;
};

}  // namespace gelenk::python
