#include "gelenk/formats/import_request.h"

namespace gelenk::formats {
namespace {

void write_said(JsonWriter& json, const ImportRequest& request) {
  json.member("up", request.up).member("ground", request.ground).member("infersJoints", request.infers_joints);
  json.member("ignoresJoints", request.ignores_joints)
      .member("jointsFile", request.joints_file)
      .member("linksFolder", request.links_folder)
      .key("materials")
      .begin_array();
  for (const MaterialChoice& choice : request.materials) {
    json.begin_object().member("pattern", choice.pattern).member("material", choice.material).end_object();
  }
  json.end_array().key("packages").begin_array();
  for (const auto& [name, folder] : request.packages) {
    json.begin_object().member("name", name).member("folder", folder).end_object();
  }
  json.end_array().key("masses").begin_array();
  for (const MassChoice& choice : request.masses) {
    json.begin_object().member("pattern", choice.pattern).member("mass", choice.mass).end_object();
  }
  json.end_array();
}

void read_said(const JsonValue& json, ImportRequest& request) {
  request.up = json.text_or("up", "z");
  request.ground = json.text_or("ground", "");
  request.infers_joints = json.truth_or("infersJoints", true);
  request.ignores_joints = json.truth_or("ignoresJoints", false);
  request.joints_file = json.text_or("jointsFile", "");
  request.links_folder = json.text_or("linksFolder", "");
  if (const JsonValue* materials = json.find("materials")) {
    for (const JsonValue& item : materials->items) {
      request.materials.push_back({item.text_or("pattern", ""), item.text_or("material", "")});
    }
  }
  if (const JsonValue* packages = json.find("packages")) {
    for (const JsonValue& item : packages->items) {
      request.packages.emplace_back(item.text_or("name", ""), item.text_or("folder", ""));
    }
  }
  if (const JsonValue* masses = json.find("masses")) {
    for (const JsonValue& item : masses->items) {
      request.masses.push_back({item.text_or("pattern", ""), item.number_or("mass", 0.0)});
    }
  }
}

}  // namespace

void write_options(JsonWriter& json, const ImportRequest& request) {
  json.key("options").begin_object();
  write_said(json, request);
  json.end_object();
}

void read_options(const JsonValue& report, ImportRequest& request) {
  if (const JsonValue* options = report.find("options")) read_said(*options, request);
}

std::string write_request(const ImportRequest& request) {
  JsonWriter json;
  json.begin_object().member("file", request.file).member("folder", request.folder).member("name", request.name);
  json.member("updates", request.updates).member("memoryLimit", request.memory_limit);
  write_said(json, request);
  return json.end_object().take();
}

std::optional<ImportRequest> read_request(std::string_view text, std::string& error) {
  const std::optional<JsonValue> json = read_json(text, error);
  if (!json) return std::nullopt;
  ImportRequest request;
  request.file = json->text_or("file", "");
  request.folder = json->text_or("folder", "");
  request.name = json->text_or("name", "");
  request.updates = json->truth_or("updates", false);
  request.memory_limit = static_cast<std::size_t>(json->number_or("memoryLimit", 0.0));
  read_said(*json, request);
  if (request.file.empty() || request.folder.empty() || request.name.empty()) {
    error = "file, folder and name are needed";
    return std::nullopt;
  }
  return request;
}

}  // namespace gelenk::formats
