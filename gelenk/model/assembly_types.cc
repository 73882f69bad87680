#include "gelenk/model/assembly_types.h"

#include <algorithm>
#include <vector>

#include "gelenk/model/contact_types.h"
#include "gelenk/model/element_list.h"
#include "gelenk/model/part_types.h"

namespace gelenk::model {
namespace {

constexpr std::array kTypedElementFields{kTypeField, kElementFields[0], kElementFields[1], kElementFields[2]};

constexpr Field kStatesField{.key = "states",
                             .kind = FieldKind::section,
                             .doc = "numbers that the run integrates, each with its rate as a formula",
                             .object = &kStateType,
                             .also_called = "integrators state dynamics memory"};
constexpr auto kForceCommon = join_fields(kTypedElementFields, std::array{kStatesField});

constexpr auto kAttachCommon = join_fields(
    std::array{Field{.key = "to",
                     .kind = FieldKind::reference,
                     .doc = "frame of the owner that the port is joined to: the first frame of the joint. A part's "
                            "name, or `ground`, joins it where the port is drawn; `previous.PORT` with `repeat`",
                     .required = true,
                     .refers_to = Refers::frame},
               Field{.key = "first_to",
                     .kind = FieldKind::reference,
                     .doc = "what the first instance of a `repeat` is joined to; by default, nothing",
                     .refers_to = Refers::frame}},
    kTypedElementFields);
constexpr std::array<std::string_view, 2> kAttachLeftOut{"between", "at"};

// Joints between two frames; couplings of coordinates cannot attach anything.
constexpr bool joins_frames(const ObjectType* type) {
  return std::any_of(type->fields.begin(), type->fields.end(),
                     [](const Field& field) { return field.key == "between"; });
}
constexpr auto kFrameJoints = [] {
  constexpr auto& kJoints = Descriptors<JointData>::kAll;
  constexpr auto kCount = static_cast<std::size_t>(std::count_if(kJoints.begin(), kJoints.end(), joins_frames));
  std::array<const ObjectType*, kCount> result{};
  std::copy_if(kJoints.begin(), kJoints.end(), result.begin(), joins_frames);
  return result;
}();

constexpr std::array kParameterFields{
    Field{.key = "value",
          .kind = FieldKind::number,
          .doc = "number with unit, or expression over other parameters",
          .required = true},
    Field{.key = "unit", .kind = FieldKind::text, .doc = "unit of a value written without one"},
    Field{.key = "min", .kind = FieldKind::number, .doc = "smallest value that is allowed"},
    Field{.key = "max", .kind = FieldKind::number, .doc = "largest value that is allowed"},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};

constexpr std::array kInputFields{
    Field{.key = "value",
          .kind = FieldKind::number,
          .doc = "number with unit, or expression over parameters: the default when the owner gives no value"},
    Field{
        .key = "unit", .kind = FieldKind::text, .doc = "unit of a value written without one; required without `value`"},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};

constexpr std::array kPortFields{
    Field{.key = "frame",
          .kind = FieldKind::reference,
          .doc = "frame of one of its own parts, or port of a sub-assembly",
          .required = true,
          .refers_to = Refers::frame},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};

constexpr auto kDriverFields =
    join_fields(std::array{Field{.key = "drives",
                                 .kind = FieldKind::reference,
                                 .doc = "the joint coordinate: `hinge.angle`",
                                 .required = true,
                                 .refers_to = Refers::coordinate,
                                 .also_called = "joint coordinate actuates of"},
                           Field{.key = "position",
                                 .kind = FieldKind::signal,
                                 .doc = "prescribed coordinate; one of the three",
                                 .also_called = "angle displacement value motion"},
                           Field{.key = "rate",
                                 .kind = FieldKind::signal,
                                 .doc = "prescribed rate of the coordinate",
                                 .also_called = "speed velocity"},
                           Field{.key = "acceleration", .kind = FieldKind::signal, .doc = "prescribed second rate"}},
                kElementFields);

constexpr std::array kStateFields{
    Field{.key = "start", .kind = FieldKind::number, .doc = "value at the start, with its unit", .required = true},
    Field{.key = "rate",
          .kind = FieldKind::signal,
          .doc = "its rate of change: expression over states, time and channels; a force's own states by their short "
                 "names",
          .required = true,
          .also_called = "derivative der dot equation"},
    Field{.key = "unit",
          .kind = FieldKind::text,
          .doc = "unit of a start written without one, and the unit in which the state is shown"},
    Field{
        .key = "scale",
        .kind = FieldKind::number,
        .doc =
            "a value that counts as large: errors are kept small relative to it; by default the start, or one SI unit "
            "where that is zero",
        .range = kPositive,
        .also_called = "nominal abs_tol"},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};

constexpr std::array<std::string_view, 4> kRunning{"integral", "mean", "rms", "derivative"};
constexpr std::array kOutputFields{
    Field{.key = "value",
          .kind = FieldKind::signal,
          .doc = "a channel, or an expression over channels",
          .required = true,
          .refers_to = Refers::channel},
    Field{
        .key = "running",
        .kind = FieldKind::choice,
        .doc =
            "what is made of `value` from the start on: its integral by time, its mean or its root mean square, which "
            "the run integrates with the motion; or its derivative by time at that instant",
        .choices = kRunning,
        .also_called = "statistic integral_of mean rms average derivative_of der"},
    Field{.key = "unit",
          .kind = FieldKind::text,
          .doc = "unit in which it is shown, such as `mm`; results files always hold SI"},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "description"},
};

constexpr std::array<std::string_view, 4> kInterpolations{"linear", "cubic", "akima", "periodic"};
constexpr std::array kTableFields{
    Field{.key = "of",
          .kind = FieldKind::signal,
          .doc = "what is looked up: `time`, a channel, or an expression",
          .required = true,
          .refers_to = Refers::channel},
    Field{.key = "x", .kind = FieldKind::numbers, .doc = "increasing values of `of`", .required = true},
    Field{.key = "y", .kind = FieldKind::numbers, .doc = "result for each value of `x`", .required = true},
    Field{.key = "interpolation",
          .kind = FieldKind::choice,
          .doc =
              "between the points; beyond the ends the result is constant. `periodic`: a smooth closed curve that is "
              "repeated, as of a cam; its last value is its first",
          .fallback = "linear",
          .choices = kInterpolations},
};

constexpr std::array<std::string_view, 3> kPlanes{"xy", "yz", "xz"};
constexpr auto kInstanceFields = join_fields(
    std::array{
        Field{.key = "use",
              .kind = FieldKind::reference,
              .doc = "a name of `definitions:`, or the path of a model file relative to this one",
              .refers_to = Refers::definition},
        Field{.key = "copy_of",
              .kind = FieldKind::reference,
              .doc = "another instance; whatever is not given here is taken from it",
              .refers_to = Refers::instance},
        Field{.key = "mirror_of",
              .kind = FieldKind::reference,
              .doc = "another instance, mirrored with everything in it: places, axes, inertia, joints, forces",
              .refers_to = Refers::instance},
        Field{.key = "plane",
              .kind = FieldKind::choice,
              .doc = "mirror plane through the owner's origin",
              .choices = kPlanes},
        Field{.key = "at",
              .kind = FieldKind::placement,
              .quantity = Quantity::length,
              .doc = "where it is drawn in its owner; with `repeat` it may use `index`",
              .fallback = "[0, 0, 0]"},
        Field{.key = "set",
              .kind = FieldKind::settings,
              .doc = "values for its parameters, evaluated in the owner; with `repeat` they may use `index`"},
        Field{.key = "inputs",
              .kind = FieldKind::signals,
              .doc = "values for its inputs, evaluated in the owner at every instant; with `repeat` they may use "
                     "`index`"},
        Field{.key = "attach",
              .kind = FieldKind::typed_section,
              .doc = "joints from the owner to its ports",
              .family = &kAttachFamily},
        Field{.key = "modify",
              .kind = FieldKind::free,
              .doc = "changes to what is inside, for this instance only: `{joints.hinge: {type: spherical}}`"},
        Field{.key = "repeat",
              .kind = FieldKind::number,
              .quantity = Quantity::number,
              .doc = "number of copies, named NAME.0, NAME.1, ...",
              .range = {1.0, 1e6, false}},
    },
    kElementFields);

constexpr auto kAssemblyFields = std::array{
    Field{.key = "note", .kind = FieldKind::text, .doc = "free text for people"},
    Field{.key = "meta", .kind = FieldKind::free, .doc = "free data for other programs; kept, never read"},
    Field{.key = "parameters",
          .kind = FieldKind::section,
          .doc = "named numbers",
          .object = &kParameterType,
          .also_called = "variables constants params"},
    Field{.key = "inputs",
          .kind = FieldKind::section,
          .doc = "named numbers that the owner gives; they may change with time and state",
          .object = &kInputType},
    Field{.key = "code", .kind = FieldKind::object, .doc = "forces and states written in C", .object = &kCodeType},
    Field{.key = "materials",
          .kind = FieldKind::section,
          .doc = "named densities, in addition to the built-in ones",
          .object = &kMaterialType},
    Field{.key = "ground", .kind = FieldKind::object, .doc = "frames and shapes of the world", .object = &kGroundType},
    Field{.key = "frames",
          .kind = FieldKind::section,
          .doc = "named places in the drawing of this assembly, fixed in the world",
          .object = &kFrameType},
    Field{.key = "parts",
          .kind = FieldKind::section,
          .doc = "what has mass",
          .object = &kPartType,
          .also_called = "bodies links rigid_bodies"},
    Field{.key = "joints",
          .kind = FieldKind::typed_section,
          .doc = "restrict the motion of two frames",
          .family = &kJointFamily,
          .also_called = "constraints connections mates"},
    Field{.key = "drivers",
          .kind = FieldKind::section,
          .doc = "prescribe joint coordinates",
          .object = &kDriverType,
          .also_called = "motors motions actuation"},
    Field{.key = "forces",
          .kind = FieldKind::typed_section,
          .doc = "act on frames",
          .family = &kForceFamily,
          .also_called = "loads springs actuators"},
    kContactsField,
    kStatesField,
    Field{.key = "outputs",
          .kind = FieldKind::section,
          .doc = "named channels",
          .object = &kOutputType,
          .also_called = "sensors measures results signals record"},
    Field{.key = "assemblies",
          .kind = FieldKind::section,
          .doc = "sub-assemblies",
          .object = &kInstanceType,
          .also_called = "sub_assemblies subassemblies components models"},
    Field{.key = "ports", .kind = FieldKind::section, .doc = "frames that the owner may use", .object = &kPortType},
};

constexpr Channel kForcePower{"power", Quantity::power, Channel::Shape::scalar, false, "that it gives to the machine"};
constexpr Channel kForceEnergy{"energy", Quantity::energy, Channel::Shape::scalar, false, "that it stores"};

constexpr std::array<std::string_view, 6> kSignedAxes{"x", "y", "z", "-x", "-y", "-z"};
constexpr std::array<std::string_view, 8> kMethods{
    "auto", "rk4", "dopri5", "adams", "bdf", "cvode", "generalized_alpha", "moreau"};
constexpr std::array<std::string_view, 2> kSplits{"by_mass", "equal"};

constexpr std::array kSimulationFields{
    Field{.key = "duration",
          .kind = FieldKind::number,
          .quantity = Quantity::time,
          .doc = "simulated time",
          .range = kPositive,
          .also_called = "end_time stop_time t_end time end"},
    Field{.key = "method",
          .kind = FieldKind::choice,
          .doc = "integration method",
          .choices = kMethods,
          .also_called = "solver integrator"},
    Field{.key = "step",
          .kind = FieldKind::number,
          .quantity = Quantity::time,
          .doc = "step of fixed-step methods",
          .range = kPositive,
          .also_called = "dt time_step timestep step_size"},
    Field{.key = "output_every",
          .kind = FieldKind::number,
          .quantity = Quantity::time,
          .doc = "time between recorded rows",
          .range = kPositive,
          .also_called = "sample_time output_step output_interval dt_out"},
    Field{.key = "tolerance",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "relative error allowed in a step of adaptive methods",
          .range = {0.0, 1.0, true},
          .also_called = "tol rtol reltol relative_tolerance accuracy error"},
    Field{.key = "max_step",
          .kind = FieldKind::number,
          .quantity = Quantity::time,
          .doc = "longest step of adaptive methods",
          .range = kPositive},
    Field{.key = "spectral_radius",
          .kind = FieldKind::number,
          .quantity = Quantity::number,
          .doc = "generalized_alpha: fraction of the fastest oscillations that remains after a step, from 0 (none) to "
                 "1 (all); default 0.8; at most 0.9 with joints",
          .range = {0.0, 1.0}},
    Field{.key = "reactions",
          .kind = FieldKind::choice,
          .doc = "how joints share a load that rigid parts leave undetermined: `by_mass`, as if each joint were as "
                 "compliant as its parts, or `equal`, as if all joints were equally compliant",
          .fallback = "by_mass",
          .choices = kSplits},
};

constexpr std::array kPointGravityFields{
    Field{.key = "at",
          .kind = FieldKind::vector,
          .quantity = Quantity::length,
          .doc = "center of attraction, world axes",
          .fallback = "[0, 0, 0]"},
    Field{.key = "strength",
          .kind = FieldKind::number,
          .quantity = Quantity::gravity_parameter,
          .doc = "gravitational parameter G·M; the Earth's is 3.986004418e14 m^3/s^2",
          .required = true,
          .range = kPositive},
};

constexpr std::array kAboutFields{
    Field{.key = "name", .kind = FieldKind::text, .doc = "its name; by default, that of the model"},
    Field{.key = "version", .kind = FieldKind::text, .doc = "its version, in the maker's own numbering"},
    Field{.key = "maker", .kind = FieldKind::text, .doc = "who made it"},
    Field{.key = "contact", .kind = FieldKind::text, .doc = "whom to contact"},
    Field{.key = "licence", .kind = FieldKind::text, .doc = "licence terms, in a few words"},
    Field{.key = "doc", .kind = FieldKind::text, .doc = "what it is and does"},
    Field{.key = "validity", .kind = FieldKind::text, .doc = "what it was designed and tested for"},
};

constexpr auto kFileFields = join_fields(
    std::array{
        Field{.key = "gelenk", .kind = FieldKind::text, .doc = "version of the file format: 1", .required = true},
        Field{.key = "name", .kind = FieldKind::text, .doc = "name of the model; by default, that of the file"},
        Field{.key = "about",
              .kind = FieldKind::object,
              .doc = "who made it and what for; copied into sealed components",
              .object = &kAboutType},
        Field{.key = "use",
              .kind = FieldKind::reference,
              .doc = "another model file whose contents become this file's own",
              .refers_to = Refers::definition},
        Field{.key = "modify",
              .kind = FieldKind::free,
              .doc = "changes to what `use` brought in: `{joints.crank_pin: {type: cylindrical}}`"},
        Field{.key = "up",
              .kind = FieldKind::choice,
              .doc = "upward axis; gravity acts in the opposite direction",
              .fallback = "z",
              .choices = kSignedAxes},
        Field{
            .key = "gravity",
            .kind = FieldKind::gravity,
            .quantity = Quantity::acceleration,
            .doc =
                "`none`, a vector, `{point: {at, strength}}`, or `earth`, the default: 9.80665 m/s^2 opposite to `up`"},
        Field{.key = "display", .kind = FieldKind::units, .doc = "units shown to people; results files always hold SI"},
        Field{.key = "simulation", .kind = FieldKind::object, .doc = "how to simulate", .object = &kSimulationType},
        Field{.key = "definitions",
              .kind = FieldKind::section,
              .doc = "assemblies that `use:` may name",
              .object = &kAssemblyType},
    },
    kAssemblyFields);

constexpr std::array kDisplayKeys{
    DisplayKey{"length", Quantity::length},
    DisplayKey{"angle", Quantity::angle},
    DisplayKey{"mass", Quantity::mass},
    DisplayKey{"time", Quantity::time},
    DisplayKey{"speed", Quantity::speed},
    DisplayKey{"rate", Quantity::angular_rate},
    DisplayKey{"acceleration", Quantity::acceleration},
    DisplayKey{"angular_acceleration", Quantity::angular_acceleration},
    DisplayKey{"force", Quantity::force},
    DisplayKey{"torque", Quantity::torque},
    DisplayKey{"power", Quantity::power},
    DisplayKey{"energy", Quantity::energy},
};

}  // namespace

constinit const ObjectType kParameterType{
    .name = "parameter", .doc = "a named number", .fields = kParameterFields, .shorthand = "value"};
constinit const ObjectType kInputType{
    .name = "input", .doc = "a number that the owner gives", .fields = kInputFields, .shorthand = "value"};
constinit const ObjectType kPortType{
    .name = "port", .doc = "a frame that the owner may use", .fields = kPortFields, .shorthand = "frame"};
constinit const ObjectType kDriverType{
    .name = "driver", .doc = "prescribes a joint coordinate", .fields = kDriverFields, .channels = kEffortChannels};
constinit const ObjectType kStateType{
    .name = "state", .doc = "a number that the run integrates", .fields = kStateFields};
constinit const ObjectType kOutputType{
    .name = "output", .doc = "a named channel", .fields = kOutputFields, .shorthand = "value"};
constinit const ObjectType kTableType{.name = "table", .doc = "a curve through given points", .fields = kTableFields};
constinit const ObjectType kPointGravityType{
    .name = "point_gravity", .doc = "attraction by a distant mass", .fields = kPointGravityFields};
constinit const ObjectType kSimulationType{.name = "simulation", .doc = "how to simulate", .fields = kSimulationFields};
constinit const ObjectType kAboutType{.name = "about", .doc = "who made a model and what for", .fields = kAboutFields};
constinit const ObjectType kInstanceType{
    .name = "assembly instance", .doc = "a sub-assembly in its place", .fields = kInstanceFields, .shorthand = "use"};
constinit const ObjectType kAssemblyType{.name = "assembly",
                                         .doc = "parts, joints, forces and sub-assemblies: the unit of reuse",
                                         .fields = kAssemblyFields};
constinit const ObjectType kFileType{.name = "model", .doc = "a model file", .fields = kFileFields};
constinit const Family kJointFamily{.name = "joint",
                                    .doc = "restricts the relative motion of two frames",
                                    .types = Descriptors<JointData>::kAll,
                                    .common = kTypedElementFields};
constinit const Family kForceFamily{.name = "force",
                                    .doc = "acts on frames or joint coordinates",
                                    .types = Descriptors<ForceData>::kAll,
                                    .common = kForceCommon};
constinit const Family kAttachFamily{.name = "attachment",
                                     .doc = "joint between a frame of the owner, first, and a port, second",
                                     .types = kFrameJoints,
                                     .common = kAttachCommon,
                                     .left_out = kAttachLeftOut};

std::span<const DisplayKey> display_keys() { return kDisplayKeys; }

std::vector<Channel> force_energies(const ObjectType& type) {
  std::vector<Channel> result;
  const bool has_power = std::any_of(type.channels.begin(), type.channels.end(),
                                     [](const Channel& channel) { return channel.name == kForcePower.name; });
  if (!has_power) result.push_back(kForcePower);
  if (type.stores_energy) result.push_back(kForceEnergy);
  return result;
}

}  // namespace gelenk::model
