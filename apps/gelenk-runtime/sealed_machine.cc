#include "apps/gelenk-runtime/sealed_machine.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "apps/gelenk-runtime/nested_host.h"
#include "gelenk/analysis/sealed_mounting.h"
#include "gelenk/base/diagnostics.h"
#include "gelenk/component/stub.h"

namespace gelenk::runtime {
namespace {

// Files are known by one name, whatever way leads to them.
std::string plain_path(const std::string& path) { return std::filesystem::path(path).lexically_normal().string(); }

// The place of a name among the objects of a section.
std::size_t place_of(const std::string& name, const std::vector<model::Object>& section) {
  const auto found =
      std::find_if(section.begin(), section.end(), [&](const model::Object& object) { return object.name == name; });
  if (found == section.end()) throw NotMade(GELENK_FAILED, "it publishes " + name + ", which it does not contain");
  return static_cast<std::size_t>(found - section.begin());
}

// Before the bytes of a state or a rate, so that nobody takes one for the other.
std::string tag_of(std::uint32_t what) { return "gelenk " + std::to_string(what) + " "; }

}  // namespace

SealedMachine::SealedMachine(std::string_view resource, std::span<const double> parameters, const gelenk_code_api* code)
    : key_(CipherKey::from_secret(resource)) {
  std::optional<component::SealedModel> sealed = component::decode_sealed_model(resource);
  if (!sealed) throw NotMade(GELENK_REFUSED, "its contents are damaged, or have a different version");
  sealed_ = *std::move(sealed);
  for (component::SealedModel::File& file : sealed_.files) file.path = plain_path(file.path);
  load_model();
  std::vector<std::string> wanted;
  for (const component::Output& output : sealed_.outputs) wanted.push_back(output.name);
  Diagnostics diagnostics;
  std::optional<std::vector<std::string>> outputs = analysis::publish_outputs(loaded_.model, wanted, diagnostics);
  if (!outputs) throw NotMade(GELENK_FAILED, "it publishes outputs that it does not contain");
  machine_ = std::make_unique<analysis::SealedInterior>(
      loaded_.model, all_parameters(parameters),
      [this](const std::string& path, std::size_t max_bytes) { return read_file(path, max_bytes); },
      [this](const model::SealedNode& node, model::SealedDrawing& drawing) { return carry(node, drawing); });
  machine_->publish(*std::move(outputs));
  std::vector<std::string> published;
  for (const component::Port& port : sealed_.ports) {
    if (port.kind == component::PortKind::signal_out) published.push_back(port.name);
  }
  machine_->publish_signals(std::move(published));
  machine_->use_code(code);
  if (!machine_->error().empty()) throw NotMade(GELENK_REFUSED, machine_->public_error());
  find_ports();
  describe();
}

ReadResult SealedMachine::read_file(const std::string& path, std::size_t max_bytes) const {
  const std::string wanted = plain_path(path);
  for (const component::SealedModel::File& file : sealed_.files) {
    if (file.path != wanted) continue;
    if (file.text.size() > max_bytes) return {std::nullopt, Code::file_too_large, "File too large"};
    return {file.text, Code::none, ""};
  }
  return {std::nullopt, Code::file_not_found, "No such file"};
}

std::optional<component::SealedModel> SealedMachine::read_nested(const std::string& path) const {
  const ReadResult file = read_file(path, std::numeric_limits<std::size_t>::max());
  return file.text ? component::decode_sealed_model(*file.text) : std::nullopt;
}

std::unique_ptr<component::Host> SealedMachine::carry(const model::SealedNode& node,
                                                      model::SealedDrawing& drawing) const {
  const std::optional<component::SealedModel> nested = read_nested(node.file);
  if (!nested) {
    drawing.error = "a component inside is damaged";
    return nullptr;
  }
  const std::string resource = *read_file(node.file, std::numeric_limits<std::size_t>::max()).text;
  try {
    auto host =
        std::make_unique<NestedHost>("assembly#" + std::to_string(node.assembly.index()), resource, node.parameters);
    drawing = analysis::drawing_of(*host, nested->ports, nested->outputs);
    return host;
  } catch (const NotMade& reason) {
    drawing.error = reason.what();
    return nullptr;
  }
}

void SealedMachine::load_model() {
  formats::LoadOptions options;
  options.allow_outside = true;  // there is nothing outside
  options.read = [this](const std::string& path, std::size_t max_bytes) { return read_file(path, max_bytes); };
  options.read_sealed = [this](const std::string& path) -> ReadResult {
    const std::optional<component::SealedModel> nested = read_nested(path);
    if (!nested) return {std::nullopt, Code::file_not_found, "No such component"};
    return {component::stub_of(nested->ports, nested->parameters), Code::none, ""};
  };
  options.real_path = [](const std::string& path) { return plain_path(path); };
  Diagnostics diagnostics;
  loaded_ = formats::load_model(sealed_.files.front().path, options, diagnostics);
  if (!loaded_.is_read || diagnostics.has_errors()) throw NotMade(GELENK_FAILED, "its contents cannot be read");
}

std::vector<double> SealedMachine::all_parameters(std::span<const double> published) const {
  if (published.size() != sealed_.parameters.size()) {
    throw NotMade(GELENK_REFUSED, "it has a different number of parameters");
  }
  const std::vector<model::Object>& section = loaded_.model.root().object.section("parameters");
  std::vector<double> all(section.size(), std::numeric_limits<double>::quiet_NaN());  // as written
  for (std::size_t i = 0; i < published.size(); ++i) {
    const component::Parameter& parameter = sealed_.parameters[i];
    const double value = published[i];
    if (!std::isfinite(value) || value < parameter.min || value > parameter.max) {
      throw NotMade(GELENK_REFUSED, "parameter " + parameter.name + " is out of its range");
    }
    all[place_of(parameter.name, section)] = value;
  }
  return all;
}

void SealedMachine::find_ports() {
  // Frames come first, then the inputs of the model, then outputs that LOAD answers.
  const model::Object& root = loaded_.model.root().object;
  for (const component::Port& port : sealed_.ports) {
    if (port.kind == component::PortKind::frame && description_.input_size + description_.signal_size == 0) {
      port_places_.push_back(place_of(port.name, root.section("ports")));
    } else if (port.kind == component::PortKind::signal_in && description_.signal_size == 0) {
      const std::size_t place = place_of(port.name, root.section("inputs"));
      if (place != description_.input_size++) throw NotMade(GELENK_FAILED, "its inputs are out of order");
    } else if (port.kind == component::PortKind::signal_out) {
      place_of(port.name, root.section("outputs"));
      ++description_.signal_size;
    } else {
      throw NotMade(GELENK_FAILED, "its port " + port.name + " is of a kind that is not supported yet");
    }
  }
  if (description_.input_size != machine_->input_count()) throw NotMade(GELENK_FAILED, "an input of it is missing");
}

void SealedMachine::describe() {
  for (std::size_t i = 0; i < sealed_.ports.size(); ++i) {
    const component::Port& port = sealed_.ports[i];
    const bool is_frame = i < port_places_.size();
    const component::DrawnPort place = is_frame ? machine_->ports()[port_places_[i]] : component::DrawnPort{};
    gelenk_port& described = ports_.emplace_back();
    described.size = sizeof described;
    described.name = port.name.c_str();
    described.unit = port.unit.c_str();
    described.doc = port.doc.c_str();
    described.kind = is_frame                                      ? GELENK_FRAME
                     : port.kind == component::PortKind::signal_in ? GELENK_SIGNAL_IN
                                                                   : GELENK_SIGNAL_OUT;
    described.width = static_cast<std::uint32_t>(port.width);
    std::copy(std::begin(place.position), std::end(place.position), described.position);
    std::copy(std::begin(place.rotation), std::end(place.rotation), described.rotation);
  }
  for (const component::Parameter& parameter : sealed_.parameters) {
    parameters_.push_back({sizeof(gelenk_parameter), parameter.name.c_str(), parameter.unit.c_str(),
                           parameter.doc.c_str(), parameter.default_value, parameter.min, parameter.max});
  }
  for (const component::Output& output : sealed_.outputs) {
    outputs_.push_back({sizeof(gelenk_output), output.name.c_str(), output.unit.c_str(), output.doc.c_str()});
  }
  description_.size = sizeof description_;
  description_.ports = ports_.data();
  description_.parameters = parameters_.data();
  description_.outputs = outputs_.data();
  description_.port_count = static_cast<std::uint32_t>(ports_.size());
  description_.parameter_count = static_cast<std::uint32_t>(parameters_.size());
  description_.output_count = static_cast<std::uint32_t>(outputs_.size());
  description_.length = machine_->length();
}

gelenk_status SealedMachine::mount(const gelenk_mounting& mounting) {
  component::HostMounting given;
  given.rest = mounting;
  given.mounts.assign(mounting.mounts, mounting.mounts + mounting.mount_count);
  for (gelenk_mount& mount : given.mounts) {
    if (mount.port >= port_places_.size()) return fail(GELENK_REFUSED, "there is no such port");
    mount.port = static_cast<std::uint32_t>(port_places_[mount.port]);
  }
  if (!machine_->mount(given)) return fail(GELENK_REFUSED, machine_->public_error());
  description_.switch_count = static_cast<std::uint32_t>(machine_->sizes().switches);
  return GELENK_OK;
}

gelenk_status SealedMachine::perform(std::span<const gelenk_command> commands, std::size_t& done) {
  const gelenk_status status = machine_->perform(commands, done);
  return status == GELENK_OK ? status : fail(status, machine_->public_error());
}

gelenk_status SealedMachine::read(std::uint32_t what, int slot, std::string& bytes) {
  bytes.clear();
  if (what == GELENK_SHAPE) {
    const std::string shape(component::kShapeFile);
    bytes = read_file(shape, std::numeric_limits<std::size_t>::max()).text.value_or("");
    return GELENK_OK;
  }
  const std::string plain = machine_->read(static_cast<gelenk_bytes>(what), slot);
  if (plain.empty()) return fail(GELENK_REFUSED, "there is no such slot");
  bytes = encipher(tag_of(what) + plain, key_);
  return GELENK_OK;
}

gelenk_status SealedMachine::write(std::uint32_t what, int slot, std::string_view bytes) {
  const std::optional<std::string> plain = decipher(bytes, key_);
  const std::string tag = tag_of(what);
  if (plain && plain->starts_with(tag) &&
      machine_->write(static_cast<gelenk_bytes>(what), slot, std::string_view(*plain).substr(tag.size()))) {
    return GELENK_OK;
  }
  return fail(GELENK_REFUSED, "these are not bytes of this component, or there is no such slot");
}

}  // namespace gelenk::runtime
