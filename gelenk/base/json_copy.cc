#include "gelenk/base/json_copy.h"

namespace gelenk {

void write_json(JsonWriter& json, const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::null:
      json.null();
      break;
    case JsonValue::Kind::boolean:
      json.value(value.truth);
      break;
    case JsonValue::Kind::number:
      json.value(value.number);
      break;
    case JsonValue::Kind::text:
      json.value(value.text);
      break;
    case JsonValue::Kind::array:
      json.begin_array();
      for (const JsonValue& item : value.items) write_json(json, item);
      json.end_array();
      break;
    case JsonValue::Kind::object:
      json.begin_object();
      for (const JsonMember& member : value.members) {
        json.key(member.name);
        write_json(json, member.value);
      }
      json.end_object();
      break;
  }
}

}  // namespace gelenk
