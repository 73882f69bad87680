#include "gelenk/results/certificate.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "gelenk/base/hash.h"
#include "gelenk/base/json.h"
#include "gelenk/base/json_reader.h"
#include "gelenk/base/shown_quantity.h"

// The JSON of a certificate. Writer and reader walk over the same list of members, so that none can be forgotten. It
// ends with a checksum of the rest: a certificate that was read and gives another text when written anew has been
// changed.
namespace gelenk::results {
namespace {

constexpr int kCertificateVersion = 3;

// Members of a certificate one after the other: visit(group, name, member). An empty group: at the top.
template <class C, class Visit>
void for_each_member(C& c, Visit&& visit) {
  visit("", "programVersion", c.program_version);
  visit("", "build", c.build);
  visit("", "modelHash", c.model_hash);
  visit("", "optionsHash", c.options_hash);
  visit("", "stateHash", c.state_hash);
  visit("", "status", c.status);
  visit("", "startTime", c.start_time);
  visit("", "endTime", c.end_time);
  visit("", "recordedRows", c.recorded_rows);
  visit("method", "name", c.method);
  visit("method", "reason", c.method_reason);
  visit("method", "solver", c.solver);
  visit("method", "step", c.step);
  visit("method", "tolerance", c.tolerance);
  visit("method", "steps", c.steps);
  visit("method", "rejectedSteps", c.rejected_steps);
  visit("method", "evaluations", c.evaluations);
  visit("method", "newtonIterations", c.newton_iterations);
  visit("method", "factorizations", c.factorizations);
  visit("method", "smallestStep", c.smallest_step);
  visit("method", "largestStep", c.largest_step);
  visit("method", "timeLaws", c.time_laws);
  visit("method", "hiddenLaw", c.hidden_law);
  visit("method", "reproducible", c.is_reproducible);
  visit("joints", "drift", c.drift);
  visit("joints", "positionResidual", c.position_residual);
  visit("joints", "rateResidual", c.rate_residual);
  visit("joints", "notEnforcedResidual", c.dropped_residual);
  visit("joints", "machineSize", c.machine_size);
  visit("joints", "rows", c.rows);
  visit("joints", "independentRows", c.independent_rows);
  visit("joints", "rankChangeCount", c.rank_change_count);
  visit("reactions", "split", c.reaction_split);
  visit("reactions", "sharedCount", c.shared_reaction_count);
  visit("reactions", "partnersKnown", c.has_reaction_partners);
  visit("energy", "start", c.start_energy);
  visit("energy", "end", c.end_energy);
  visit("energy", "workOfForces", c.work_of_forces);
  visit("energy", "workOfDrivers", c.work_of_drivers);
  visit("energy", "workOfImpacts", c.work_of_impacts);
  visit("energy", "turnover", c.energy_turnover);
  visit("energy", "imbalance", c.energy_imbalance);
  visit("energy", "imbalanceTime", c.imbalance_time);
  visit("energy", "impact", c.impact);
  visit("events", "count", c.event_count);
}

constexpr std::string_view kGroups[] = {"", "method", "joints", "reactions", "energy", "events"};

class Reading {
 public:
  explicit Reading(std::string& error) : error_(error) {}

  bool is_good() const { return error_.empty(); }
  void fail(std::string_view name, std::string_view wanted) {
    if (error_.empty()) error_ = fmt::format("'{}' should be {}", name, wanted);
  }

  const JsonValue* member(const JsonValue& object, std::string_view name, JsonValue::Kind kind,
                          std::string_view wanted) {
    const JsonValue* found = object.find(name);
    if (found != nullptr && found->kind == kind) return found;
    fail(name, wanted);
    return nullptr;
  }
  void read(const JsonValue& object, std::string_view name, std::string& out) {
    if (const JsonValue* found = member(object, name, JsonValue::Kind::text, "a text")) out = found->text;
  }
  void read(const JsonValue& object, std::string_view name, bool& out) {
    if (const JsonValue* found = member(object, name, JsonValue::Kind::boolean, "true or false")) out = found->truth;
  }
  // What is no number is written as null.
  void read(const JsonValue& object, std::string_view name, double& out) {
    const JsonValue* found = object.find(name);
    if (found != nullptr && found->kind == JsonValue::Kind::null) {
      out = std::numeric_limits<double>::quiet_NaN();
    } else if ((found = member(object, name, JsonValue::Kind::number, "a number")) != nullptr) {
      out = found->number;
    }
  }
  template <std::signed_integral T>
  void read(const JsonValue& object, std::string_view name, T& out) {
    const JsonValue* found = member(object, name, JsonValue::Kind::number, "a whole number");
    if (found == nullptr) return;
    constexpr double kLargest = std::numeric_limits<T>::max() > 1'000'000'000'000 ? 9e15 : 2e9;  // exact in a double
    if (found->number != std::floor(found->number) || std::abs(found->number) > kLargest) {
      fail(name, "a whole number");
      return;
    }
    out = static_cast<T>(found->number);
  }
  template <class T, class ReadItem>
  void list(const JsonValue& object, std::string_view name, std::vector<T>& out, ReadItem&& read_item) {
    const JsonValue* found = member(object, name, JsonValue::Kind::array, "a list");
    if (found == nullptr) return;
    for (const JsonValue& item : found->items) read_item(item, out.emplace_back());
  }
  void texts(const JsonValue& object, std::string_view name, std::vector<std::string>& out) {
    list(object, name, out, [&](const JsonValue& item, std::string& text) {
      if (item.kind != JsonValue::Kind::text) fail(name, "a list of texts");
      text = item.text;
    });
  }

 private:
  std::string& error_;
};

void read_changes(const JsonValue& root, std::string_view name, Reading& reading,
                  std::optional<std::vector<Certificate::Change>>& changes) {
  const JsonValue* found = root.find(name);
  if (found == nullptr || found->kind == JsonValue::Kind::null) return;
  reading.list(root, name, changes.emplace(), [&](const JsonValue& item, Certificate::Change& change) {
    reading.read(item, "output", change.output);
    reading.read(item, "largestChange", change.largest_change);
    reading.read(item, "atTime", change.at_time);
    reading.read(item, "range", change.range);
    reading.read(item, "unit", change.unit);
  });
}

void write_changes(const std::vector<Certificate::Change>& changes, JsonWriter& json) {
  json.begin_array();
  for (const Certificate::Change& change : changes) {
    json.begin_object().member("output", change.output).member("largestChange", change.largest_change);
    json.member("atTime", change.at_time).member("range", change.range).member("unit", change.unit).end_object();
  }
  json.end_array();
}

// Members of the contacts one after the other: visit(name, member).
template <class C, class Visit>
void for_each_of_contacts(C& c, Visit&& visit) {
  visit("solves", c.solves);
  visit("unsolved", c.unsolved);
  visit("mostSweeps", c.most_sweeps);
  visit("impacts", c.impacts);
  visit("lateImpacts", c.late_impacts);
  visit("lostBounces", c.lost_bounces);
  visit("tolerance", c.tolerance);
  visit("naturalMap", c.natural_map);
  visit("worst", c.worst);
  visit("worstTime", c.worst_time);
  visit("worstContact", c.worst_contact);
  visit("deepest", c.deepest);
  visit("deepestTime", c.deepest_time);
  visit("deepestContact", c.deepest_contact);
  visit("workOfImpacts", c.work_of_impacts);
  visit("workOfFriction", c.work_of_friction);
}

void read_lists(const JsonValue& root, Reading& reading, Certificate& c) {
  reading.list(root, "resumedAt", c.resumed_at, [&](const JsonValue& item, double& time) {
    if (item.kind != JsonValue::Kind::number) reading.fail("resumedAt", "a list of numbers");
    time = item.number;
  });
  reading.list(root, "rankChanges", c.rank_changes, [&](const JsonValue& item, Certificate::RankChange& change) {
    reading.read(item, "time", change.time);
    reading.read(item, "before", change.before);
    reading.read(item, "after", change.after);
    reading.texts(item, "lost", change.lost);
    reading.texts(item, "regained", change.regained);
    reading.texts(item, "locked", change.locked);
  });
  reading.list(root, "exceededLimits", c.exceeded_limits,
               [&](const JsonValue& item, Certificate::ExceededLimit& limit) {
                 reading.read(item, "coordinate", limit.coordinate);
                 reading.read(item, "limit", limit.limit);
                 reading.read(item, "value", limit.value);
                 reading.read(item, "time", limit.time);
                 reading.read(item, "unit", limit.unit);
               });
  // Not there where there is nothing to say, as in all files of earlier programs.
  if (root.find("display") != nullptr) {
    reading.list(root, "display", c.display, [&](const JsonValue& item, std::pair<Quantity, std::string>& shown) {
      std::string quantity;
      reading.read(item, "quantity", quantity);
      reading.read(item, "unit", shown.second);
      shown.first = quantity_named(quantity);
    });
  }
  if (root.find("otherBooks") != nullptr) reading.texts(root, "otherBooks", c.other_books);
  if (root.find("departures") != nullptr) {
    reading.list(root, "departures", c.departures, [&](const JsonValue& item, Certificate::Departure& departure) {
      reading.read(item, "parts", departure.parts);
      reading.read(item, "distance", departure.distance);
      if (item.find("size") != nullptr) reading.read(item, "size", departure.size);
    });
  }
  if (const JsonValue* contacts = root.find("contacts"); contacts != nullptr) {
    for_each_of_contacts(c.contacts.emplace(),
                         [&](std::string_view name, auto& member) { reading.read(*contacts, name, member); });
  }
  if (root.find("smallStates") != nullptr) {
    reading.list(root, "smallStates", c.small_states, [&](const JsonValue& item, Certificate::SmallState& small) {
      reading.read(item, "state", small.state);
      reading.read(item, "largest", small.largest);
      reading.read(item, "scale", small.scale);
      reading.read(item, "unit", small.unit);
    });
  }
  reading.list(root, "sharedReactions", c.shared_reactions,
               [&](const JsonValue& item, Certificate::SharedReaction& shared) {
                 reading.read(item, "channel", shared.channel);
                 reading.read(item, "element", shared.element);
                 reading.read(item, "group", shared.group);
                 reading.read(item, "always", shared.is_always);
               });
  reading.texts(root, "assumptions", c.assumptions);
  reading.texts(root, "reasons", c.reasons);
  read_changes(root, "confirmation", reading, c.confirmation);
  read_changes(root, "doubledStep", reading, c.doubled_step);
  if (root.find("unknownStepError") != nullptr) reading.read(root, "unknownStepError", c.unknown_step_error);
}

void write_lists(const Certificate& c, JsonWriter& json) {
  const auto texts = [&](std::string_view name, const std::vector<std::string>& list) {
    json.key(name).begin_array();
    for (const std::string& text : list) json.value(text);
    json.end_array();
  };
  json.key("resumedAt").begin_array();
  for (const double time : c.resumed_at) json.value(time);
  json.end_array().key("rankChanges").begin_array();
  for (const Certificate::RankChange& change : c.rank_changes) {
    json.begin_object().member("time", change.time).member("before", change.before).member("after", change.after);
    texts("lost", change.lost);
    texts("regained", change.regained);
    texts("locked", change.locked);
    json.end_object();
  }
  json.end_array().key("exceededLimits").begin_array();
  for (const Certificate::ExceededLimit& limit : c.exceeded_limits) {
    json.begin_object().member("coordinate", limit.coordinate).member("limit", limit.limit);
    json.member("value", limit.value).member("time", limit.time).member("unit", limit.unit).end_object();
  }
  json.end_array();
  if (!c.display.empty()) {
    json.key("display").begin_array();
    for (const auto& [quantity, unit] : c.display) {
      json.begin_object().member("quantity", quantity_info(quantity).name).member("unit", unit).end_object();
    }
    json.end_array();
  }
  if (!c.other_books.empty()) texts("otherBooks", c.other_books);
  if (!c.departures.empty()) {
    json.key("departures").begin_array();
    for (const Certificate::Departure& departure : c.departures) {
      json.begin_object().member("parts", departure.parts).member("distance", departure.distance);
      if (departure.size > 0.0) json.member("size", departure.size);
      json.end_object();
    }
    json.end_array();
  }
  if (c.contacts) {
    json.key("contacts").begin_object();
    for_each_of_contacts(*c.contacts, [&](std::string_view name, const auto& member) { json.member(name, member); });
    json.end_object();
  }
  if (!c.small_states.empty()) {
    json.key("smallStates").begin_array();
    for (const Certificate::SmallState& small : c.small_states) {
      json.begin_object().member("state", small.state).member("largest", small.largest);
      json.member("scale", small.scale).member("unit", small.unit).end_object();
    }
    json.end_array();
  }
  json.key("sharedReactions").begin_array();
  for (const Certificate::SharedReaction& shared : c.shared_reactions) {
    json.begin_object().member("channel", shared.channel).member("element", shared.element);
    json.member("group", shared.group).member("always", shared.is_always).end_object();
  }
  json.end_array().key("confirmation");
  if (!c.confirmation) {
    json.null();
  } else {
    write_changes(*c.confirmation, json);
  }
  if (c.doubled_step) {
    json.key("doubledStep");
    write_changes(*c.doubled_step, json);
  }
  if (!c.unknown_step_error.empty()) json.member("unknownStepError", c.unknown_step_error);
  texts("assumptions", c.assumptions);
  texts("reasons", c.reasons);
}

// Everything but the checksum.
void write_members(const Certificate& certificate, JsonWriter& json) {
  json.member("certificate", kCertificateVersion).member("verdict", verdict_name(certificate.verdict));
  for (const std::string_view group : kGroups) {
    if (!group.empty()) json.key(group).begin_object();
    for_each_member(certificate, [&](std::string_view of, std::string_view name, const auto& member) {
      if (of == group) json.member(name, member);
    });
    if (!group.empty()) json.end_object();
  }
  write_lists(certificate, json);
}

}  // namespace

void write_json(const Certificate& certificate, JsonWriter& json) {
  JsonWriter members;
  members.begin_object();
  write_members(certificate, members);
  json.begin_object();
  write_members(certificate, json);
  json.member("checksum", sha256(members.end_object().take())).end_object();
}

std::string to_json(const Certificate& certificate) {
  JsonWriter json;
  write_json(certificate, json);
  return json.take();
}

std::optional<Certificate> certificate_from_json(std::string_view text, std::string& error) {
  const std::optional<JsonValue> root = read_json(text, error);
  if (!root) return std::nullopt;
  Certificate certificate;
  Reading reading(error);
  std::int32_t version = 0;
  reading.read(*root, "certificate", version);
  if (reading.is_good() && version != kCertificateVersion) {
    error = fmt::format("this program does not know certificates of version {}", version);
  }
  std::string verdict;
  reading.read(*root, "verdict", verdict);
  for_each_member(certificate, [&](std::string_view group, std::string_view name, auto& member) {
    const JsonValue* object =
        group.empty() ? &*root : reading.member(*root, group, JsonValue::Kind::object, "an object");
    if (object != nullptr) reading.read(*object, name, member);
  });
  read_lists(*root, reading, certificate);
  bool is_known = false;
  for (const Verdict one : {Verdict::good, Verdict::look_at, Verdict::do_not_use}) {
    if (verdict_name(one) != verdict) continue;
    certificate.verdict = one;
    is_known = true;
  }
  if (!is_known) reading.fail("verdict", "good, look at or do not use");
  if (!reading.is_good()) return std::nullopt;
  return certificate;
}

}  // namespace gelenk::results
