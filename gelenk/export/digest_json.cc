#include "gelenk/export/digest_json.h"

namespace gelenk::exporting {
namespace {

void write_extreme(JsonWriter& json, std::string_view name, const Extreme& extreme) {
  json.key(name).begin_object().member("value", extreme.value).member("time", extreme.time).end_object();
}

void write_channel(JsonWriter& json, const ChannelDigest& channel) {
  json.begin_object().member("name", channel.name).member("unit", channel.unit);
  json.key("summary");
  write_summary(json, channel.summary);
  json.end_object();
}

void write_channels(JsonWriter& json, std::string_view name, const std::vector<ChannelDigest>& channels) {
  json.key(name).begin_array();
  for (const ChannelDigest& channel : channels) write_channel(json, channel);
  json.end_array();
}

void write_part(JsonWriter& json, const PartMotion& part) {
  json.begin_object().member("path", part.path).member("moves", part.is_moving);
  json.key("distance");
  write_summary(json, part.distance);
  json.key("extent");
  if (part.extent[0].is_empty) {
    json.null();
  } else {
    json.begin_object();
    for (std::size_t i = 0; i < part.extent.size(); ++i) {
      json.key(std::string_view("xyz").substr(i, 1)).begin_array();
      json.value(part.extent[i].min).value(part.extent[i].max).end_array();
    }
    json.end_object();
  }
  json.key("turn");
  write_summary(json, part.turn);
  json.key("speed");
  write_summary(json, part.speed);
  json.key("angularSpeed");
  write_summary(json, part.angular_speed);
  json.end_object();
}

void write_coordinate(JsonWriter& json, const CoordinateMotion& coordinate) {
  json.begin_object().member("name", coordinate.name).member("moves", coordinate.is_moving);
  json.member("isTurnFromStart", coordinate.is_orientation).key("value");
  write_channel(json, coordinate.value);
  json.key("rate");
  write_channel(json, coordinate.rate);
  json.end_object();
}

void write_effort(JsonWriter& json, const EffortDigest& effort) {
  json.begin_object().member("path", effort.path).member("drives", effort.drives);
  json.member("kind", effort.is_actuator ? "actuator" : "driver").key("effort");
  write_channel(json, effort.effort);
  json.key("power");
  write_channel(json, effort.power);
  json.end_object();
}

void write_load(JsonWriter& json, std::string_view name, const Load& load) {
  json.key(name).begin_object().key("magnitude");
  write_summary(json, load.magnitude);
  json.key("direction").begin_array();
  for (const double component : load.direction) json.value(component);
  json.end_array().member("isRounding", load.is_rounding).end_object();
}

void write_joint(JsonWriter& json, const JointLoad& joint) {
  json.begin_object().member("path", joint.path).member("type", joint.names.type);
  json.member("first", joint.names.first).member("second", joint.names.second);
  write_load(json, "force", joint.force);
  write_load(json, "moment", joint.moment);
  json.end_object();
}

void write_verdict(JsonWriter& json, const RunDigest& digest) {
  json.key("damage").begin_array();
  for (const std::string& sentence : digest.damage) json.value(sentence);
  json.end_array().key("verdict");
  if (!digest.certificate) {
    json.null().member("certificateProblem", digest.certificate_problem);
    return;
  }
  const results::Verdict verdict = digest.damage.empty() ? digest.certificate->verdict : results::Verdict::do_not_use;
  json.value(verdict_name(verdict)).key("reasons").begin_array();
  for (const std::string& reason : digest.certificate->reasons) json.value(reason);
  json.end_array().key("assumptions").begin_array();
  for (const std::string& assumption : digest.certificate->assumptions) json.value(assumption);
  json.end_array();
}

template <class T>
void write_list(JsonWriter& json, std::string_view name, const std::vector<T>& items,
                void (*write)(JsonWriter&, const T&)) {
  json.key(name).begin_array();
  for (const T& item : items) write(json, item);
  json.end_array();
}

}  // namespace

void write_summary(JsonWriter& json, const Summary& summary) {
  if (summary.is_empty()) {
    json.null();
    return;
  }
  json.begin_object().member("count", summary.count).member("gaps", summary.gaps);
  write_extreme(json, "min", summary.min);
  write_extreme(json, "max", summary.max);
  write_extreme(json, "peak", summary.peak);
  json.member("mean", summary.mean).member("rms", summary.rms);
  json.member("start", summary.start).member("end", summary.end).end_object();
}

void write_digest(JsonWriter& json, const RunDigest& digest) {
  json.member("run", digest.file).member("model", digest.model_name).member("program", digest.program_version);
  json.member("status", status_name(digest.status)).member("message", digest.message);
  json.member("closed", digest.is_closed).member("rows", digest.row_count);
  json.member("timeBegin", digest.start_time).member("timeEnd", digest.end_time).member("events", digest.event_count);
  json.member("written", digest.written).key("runAway");
  if (digest.run_away) {
    json.begin_object().member("time", digest.run_away->time).member("part", digest.run_away->part).end_object();
  } else {
    json.null();
  }
  write_verdict(json, digest);
  write_list(json, "parts", digest.parts, write_part);
  write_list(json, "coordinates", digest.coordinates, write_coordinate);
  write_list(json, "drivers", digest.efforts, write_effort);
  write_list(json, "joints", digest.loads, write_joint);
  write_channels(json, "forces", digest.forces);
  write_channels(json, "outputs", digest.outputs);
  write_channels(json, "energies", digest.energies);
}

}  // namespace gelenk::exporting
