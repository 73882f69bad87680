#include "python/src/editable_model.h"

#include <algorithm>
#include <utility>

#include "gelenk/formats/model_writer.h"
#include "gelenk/model/edit.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/writer.h"

namespace gelenk::python {
namespace {

// A file that cannot be read, and not one that a model names: that is a mistake at the place where it is named.
bool is_about_file(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics.all(), [](const Diagnostic& diagnostic) {
    const bool concerns_file = diagnostic.code == Code::file_not_found || diagnostic.code == Code::file_unreadable ||
                               diagnostic.code == Code::file_too_large;
    return concerns_file && !diagnostic.where.is_known();
  });
}

// The text is what the file says, whether there is one or not.
formats::LoadOptions options_for(const std::string& text, const std::string& path) {
  formats::LoadOptions options;
  options.read = [text, path](const std::string& file, std::size_t max_bytes) -> ReadResult {
    if (file == path) return {text, Code::none, ""};
    return read_file(file, max_bytes);
  };
  return options;
}

}  // namespace

EditableModel EditableModel::read(const std::string& path, const formats::LoadOptions& options, bool is_whole) {
  EditableModel result(path);
  Diagnostics diagnostics;
  result.loaded_ = std::make_shared<formats::LoadedModel>(formats::load_model(path, options, diagnostics));
  const formats::LoadedModel& loaded = *result.loaded_;
  if (loaded.is_read && is_whole) model::expand(loaded.model, {}, diagnostics);
  if (!diagnostics.has_errors()) return result;
  throw Failure(is_about_file(diagnostics) ? Failure::Kind::file : Failure::Kind::model, diagnostics, loaded.sources);
}

EditableModel EditableModel::load(const std::string& path, bool allow_outside) {
  formats::LoadOptions options;
  options.allow_outside = allow_outside;
  return read(path, options);
}

EditableModel EditableModel::parse(const std::string& text, const std::string& path) {
  return read(path, options_for(text, path));
}

EditableModel EditableModel::empty(const std::string& path) {
  return read(path, options_for("gelenk: 1\n", path), false);
}

std::string EditableModel::to_yaml() const { return formats::write_model(loaded_->model); }

model::Model& EditableModel::own() {
  if (loaded_.use_count() > 1) loaded_ = std::make_shared<formats::LoadedModel>(*loaded_);
  return loaded_->model;
}

std::vector<model::ElementAddress> EditableModel::elements() const { return model::list_elements(loaded_->model); }

Node EditableModel::description(const model::ElementAddress& address) const {
  const model::Model& model = loaded_->model;
  if (const model::Object* element = model::find_element(model, address)) return model::write_object(*element);
  Diagnostics diagnostics;
  model::report_missing(model, model::path_of(model, address), diagnostics);
  throw Failure(Failure::Kind::model, diagnostics, loaded_->sources);
}

void EditableModel::create(const model::ElementAddress& address, const Node& description) {
  Diagnostics diagnostics;
  if (model::create(own(), address, description, diagnostics)) return;
  throw Failure(Failure::Kind::model, diagnostics, loaded_->sources);
}

void EditableModel::modify(const model::ElementAddress& address, const Node& changes) {
  Diagnostics diagnostics;
  if (model::modify(own(), address, changes, diagnostics)) return;
  throw Failure(Failure::Kind::model, diagnostics, loaded_->sources);
}

void EditableModel::remove(const model::ElementAddress& address) {
  Diagnostics diagnostics;
  if (model::remove(own(), address, diagnostics)) return;
  throw Failure(Failure::Kind::model, diagnostics, loaded_->sources);
}

void EditableModel::rename(const model::ElementAddress& address, const std::string& new_name) {
  Diagnostics diagnostics;
  if (model::rename(own(), address, new_name, diagnostics)) return;
  throw Failure(Failure::Kind::model, diagnostics, loaded_->sources);
}

std::vector<Message> EditableModel::check() const {
  Diagnostics diagnostics;
  model::expand(loaded_->model, {}, diagnostics);
  return messages_of(diagnostics, loaded_->sources);
}

}  // namespace gelenk::python
