#include "gelenk/cad/import_memory.h"

#include <set>

namespace gelenk::cad {
namespace {

constexpr std::array kOrigins{formats::Origin::cad, formats::Origin::inferred, formats::Origin::assumed,
                              formats::Origin::user};

void write_pose(JsonWriter& json, const Pose& pose) {
  const Quaternion q = quaternion_from_rotation(pose.rotation);
  json.key("at").begin_array();
  for (int i = 0; i < 3; ++i) json.value(pose.position[i]);
  for (const double element : {q.w(), q.x(), q.y(), q.z()}) json.value(element);
  json.end_array();
}

std::optional<Pose> read_pose(const JsonValue& json) {
  const JsonValue* list = json.find("at");
  if (list == nullptr || list->items.size() != 7) return std::nullopt;
  std::array<double, 7> at{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (list->items[i].kind != JsonValue::Kind::number) return std::nullopt;
    at[i] = list->items[i].number;
  }
  const Quaternion q(at[3], at[4], at[5], at[6]);
  if (!(std::abs(q.norm() - 1.0) < 1e-6)) return std::nullopt;
  return Pose{q.normalized().toRotationMatrix(), Vector3(at[0], at[1], at[2])};
}

std::optional<std::array<std::string, 2>> two_texts(const JsonValue& json, std::string_view name) {
  std::vector<std::string> texts = json.texts(name);
  if (texts.size() != 2) return std::nullopt;
  return std::array{std::move(texts[0]), std::move(texts[1])};
}

const std::vector<JsonValue>& items_of(const JsonValue& json, std::string_view name) {
  static const std::vector<JsonValue> kNone;
  const JsonValue* list = json.find(name);
  return list == nullptr ? kNone : list->items;
}

formats::Origin origin_of(const JsonValue& joint) {
  for (const formats::Origin origin : kOrigins) {
    if (joint.text_or("origin", "") == origin_name(origin)) return origin;
  }
  return formats::Origin::assumed;
}

}  // namespace

std::optional<ImportMemory> read_memory(std::string_view report, std::string& error) {
  const std::optional<JsonValue> json = read_json(report, error);
  if (!json) return std::nullopt;
  ImportMemory memory;
  for (const JsonValue& part : items_of(*json, "placed")) {
    memory.parts.push_back({part.text_or("path", ""), part.text_or("product", ""), part.number_or("volume", 0.0)});
  }
  for (const JsonValue& frame : items_of(*json, "frames")) {
    const std::optional<Pose> X_PF = read_pose(frame);
    if (!X_PF) continue;
    const JsonValue* anchor = frame.find("anchor");
    memory.frames.push_back({frame.text_or("part", ""), frame.text_or("name", ""), *X_PF,
                             anchor == nullptr ? std::nullopt : read_anchor(*anchor)});
  }
  for (const JsonValue& joint : items_of(*json, "joints")) {
    const auto parts = two_texts(joint, "between"), frames = two_texts(joint, "frames");
    if (!parts || !frames) continue;
    memory.joints.push_back({joint.text_or("name", ""), joint.text_or("type", ""), *parts, *frames, origin_of(joint),
                             joint.number_or("score", 0.0)});
  }
  memory.files = json->texts("files");
  return memory;
}

void write_placed(JsonWriter& json, const formats::ImportedModel& model) {
  json.key("placed").begin_array();
  for (const formats::ImportedLeaf& leaf : leaves(model)) {
    const formats::ImportedPart& part = model.parts[leaf.part];
    json.begin_object().member("path", path_text(model, leaf.path)).member("product", part.product);
    json.member("mass", part.mass.mass).member("volume", part.volume);
    write_pose(json, leaf.X_WP);
    json.end_object();
  }
  json.end_array();
}

void write_frames(JsonWriter& json, const StepContent& content) {
  const formats::ImportedModel& model = content.model;
  std::set<std::pair<std::string, std::string>> written;
  json.key("frames").begin_array();
  const auto write = [&](const formats::ImportedPath& path, const std::string& name, const Pose& X_PF) {
    const std::string part = path_text(model, path);
    if (!written.emplace(part, name).second) return;
    json.begin_object().member("part", part).member("name", name);
    write_pose(json, X_PF);
    const std::size_t number = child_at(model, path).index;
    // Robots have no surfaces.
    if (number < content.features.size()) {
      if (const std::optional<Anchor> anchor = anchor_of(X_PF, content.features[number])) {
        write_anchor(json.key("anchor"), *anchor);
      }
    }
    json.end_object();
  };
  for (const formats::ImportedJoint& joint : model.joints) {
    for (const formats::ImportedEnd& end : joint.ends) write(end.path, end.name, end.frame);
  }
  for (const formats::ImportedFrame& frame : model.frames) write(frame.path, frame.name, frame.frame);
  json.end_array();
}

}  // namespace gelenk::cad
