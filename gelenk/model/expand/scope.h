#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gelenk/base/diagnostics.h"
#include "gelenk/expression/measures.h"
#include "gelenk/model/expand.h"

// Working data of the expansion: definitions with their names indexed, and instances whose parameters and placements
// are evaluated on demand, so that they may depend on each other in any order and circles are found.
namespace gelenk::model::expanding {

enum class Section : std::uint8_t { parameter, input, frame, part, joint, driver, force, state, output, assembly };
std::string_view section_word(Section section);

struct NamedElement {
  Section section;
  const Object* object;
  std::size_t index;  // in its section
};

// An entry of `assemblies:` after `copy_of` and `mirror_of` are followed to what they stand for.
struct InstancePlan {
  const Object* written = nullptr;
  Object effective;                        // its properties, those of the source included
  Matrix3 mirror = Matrix3::Identity();    // in the owner's axes; identity when it is no mirror image
  const Definition* definition = nullptr;  // null when it could not be found: already reported
};

// The names of one definition.
struct ScopeIndex {
  const Definition* definition = nullptr;
  std::unordered_map<std::string_view, NamedElement> names;
  std::unordered_set<std::string_view> shared;  // names that several elements have: which one is meant, nobody knows
  std::vector<InstancePlan> plans;              // in the order of `assemblies:`
  // What one instance costs, sub-assemblies not counted.
  std::size_t element_count = 0;
  std::size_t value_count = 0;

  const NamedElement* find(std::string_view name) const {
    const auto it = names.find(name);
    return it == names.end() ? nullptr : &it->second;
  }
};

struct Quantified {
  double value = 0.0;
  Dimension dimension;
  bool is_hertz = false;
  bool fits_all = false;  // literal zero
};

// A value that is computed when it is first needed.
template <class T>
struct Lazy {
  enum class State : std::uint8_t { untouched, running, done, failed };
  State state = State::untouched;
  T value{};
};

struct Instance {
  AssemblyId id;
  const ScopeIndex* index = nullptr;
  const InstancePlan* plan = nullptr;  // null for the root
  Instance* owner = nullptr;
  std::string path;
  std::optional<std::size_t> repeat_index;
  Instance* previous = nullptr;  // in a row of repeated instances
  // Children by plan, in order of repetition.
  std::vector<std::vector<Instance*>> children;

  Lazy<Pose> drawn;  // X_OA in the owner's coordinates as written, before this instance is mirrored
  std::vector<Lazy<Quantified>> parameters;
  std::vector<Lazy<Signal>> inputs, outputs;
  std::vector<Lazy<Pose>> parts;                                  // X_AP, coordinates as written
  std::vector<Lazy<Pose>> frames;                                 // X_AF
  std::unordered_map<const Object*, Lazy<Pose>> frames_on_parts;  // X_PF, of the ground X_AF
  std::vector<PartId> part_ids;                                   // unset: disabled

  const Object& object() const { return index->definition->object; }
};

// A frame in the coordinates of one assembly as written there.
struct FrameInAssembly {
  PartId part;                           // unset: ground
  const Object* written_part = nullptr;  // null for the ground
  bool is_disabled = false;
  bool is_whole_part = false;  // named by the part alone (or `ground`)
  SealedPort sealed;           // that it is at
  Pose X_AP;                   // of its part, or of that port; identity for the ground
  Pose X_AF;
  // The port that leads to it from outside. Frames are told from there: what is behind a port does not change a digit.
  struct Port {
    FrameOnPart frame;
    Pose X_AF;
  };
  std::optional<Port> port;
};

// One step of a path through sub-assemblies: `front_left`, `link.3`.
struct ChildStep {
  Instance* child = nullptr;
  std::size_t used_segments = 0;  // 0: the path does not begin with a sub-assembly
  bool is_reported = false;       // it does, but not properly; an error was given
};

// Where a repeated instance stands.
struct PlaceInRow {
  std::optional<std::size_t> index;
  Instance* previous = nullptr;
};

class Expansion {
 public:
  Expansion(const Model& model, const ExpandOptions& options, Diagnostics& diagnostics)
      : model_(model), options_(options), diagnostics_(diagnostics) {}

  Machine run();

 private:
  // --- tree.cc: definitions and instances
  const ScopeIndex& index_of(const Definition& definition);
  void index_names(ScopeIndex& index);
  void plan_instances(ScopeIndex& index);
  bool plan_instance(ScopeIndex& index, std::size_t number, std::vector<std::size_t>& in_progress);
  Instance* add_instance(const ScopeIndex& index, const InstancePlan* plan, Instance* owner, std::string name,
                         std::size_t depth, const PlaceInRow& row = {});
  bool has_room(const ScopeIndex& index, std::size_t count, const SourceRange& where);
  // An element of this name was written, but could not be read: that is reported already.
  static bool is_left_out(const Object& owner, std::string_view name);
  // That, or several have this name, which is reported, too: nothing more is said about who refers to it.
  static bool is_unclear(const Instance& scope, std::string_view name);
  // Whether to look among so many names for what was meant: in a large file with many errors that would take minutes.
  bool may_suggest(std::size_t name_count);
  // The frame of a part or of the ground; null when there is none.
  const Object* find_frame(const Object& owner, const std::string& name);
  void add_children(Instance& instance, std::size_t depth);
  std::size_t repeat_count(const InstancePlan& plan, Instance& owner);
  ChildStep step_into_child(Instance& scope, const std::vector<std::string>& segments, const SourceRange& where);

  // --- parameters.cc: numbers
  struct Locals {
    std::optional<std::size_t> index;  // of a repeated instance
  };
  std::optional<Quantified> evaluate(const Value& value, Instance& scope, const Locals& locals);
  std::optional<Quantified> symbol(const std::string& name, Instance& scope, const Locals& locals,
                                   const SourceRange& where);
  std::optional<Quantified> parameter(Instance& scope, std::size_t number);
  // `result` as the `unit` of a parameter or input makes it; nothing, and reported, when that does not fit.
  std::optional<Quantified> in_unit(const Object& written, const std::optional<Unit>& unit, const Value& value,
                                    std::optional<Quantified> result);
  std::optional<Unit> written_unit(const Object& written);
  std::optional<Quantified> parameter_uncached(Instance& scope, const Object& written);
  // What `key` of the instance (`set`, `inputs`) or the caller of expand() says about it; null: nothing.
  const Value* setting_for(Instance& scope, const Object& written, std::string_view key, bool& from_outside);
  void check_settings(Instance& instance, std::string_view key, std::string_view section, std::string_view word);
  std::optional<Quantified> parameter_limit(Instance& scope, const Object& written, std::string_view key);
  bool check_parameter_limits(Instance& scope, const Object& written, const Quantified& value,
                              const SourceRange& where);
  // Parameters, inputs and outputs found by path: own, or of sub-assemblies. Nothing when the path is none.
  struct ValuePlace {
    Instance* scope = nullptr;
    Section section = Section::parameter;
    std::size_t number = 0;
    bool is_sealed = false;  // output of a sealed component

    bool is_parameter() const { return section == Section::parameter; }
  };
  std::optional<ValuePlace> find_value(Instance& scope, const std::vector<std::string>& segments);
  void report_unknown_name(const std::string& name, Instance& scope, const SourceRange& where);
  std::optional<double> number(const Value& value, const Field& field, Instance& scope, const Locals& locals = {});
  std::optional<double> number(const Value& value, std::string_view key, Quantity quantity, const Range& range,
                               Instance& scope, const Locals& locals);
  std::optional<double> number_or(const Object& object, std::string_view key, double fallback, Instance& scope);
  std::optional<Vector3> vector(const Value& value, const Field& field, Instance& scope, const Locals& locals = {});
  // Unit vector of a direction value.
  std::optional<Vector3> direction(const Value& value, std::string_view key, Instance& scope);
  bool fits(const Quantified& result, bool is_bare, std::string_view key, Quantity quantity, const SourceRange& where);
  void evaluate_all_parameters(Instance& instance);
  void report_unknown_setting(const ParameterSetting& setting);

  // --- placement.cc: where things are drawn, coordinates as written
  std::optional<Pose> once(Lazy<Pose>& slot, const std::string& path, std::string_view kind, const SourceRange& where,
                           const std::function<std::optional<Pose>()>& compute);
  // False, and reported, when the chain of things that need each other's place is a circle or endless.
  bool may_follow(const std::string& path, std::string_view kind, const SourceRange& where);
  // Finds the place of a named frame.
  using FrameFinder = std::function<std::optional<Pose>(const std::string& name, const SourceRange& where)>;
  // Frames as an assembly names them, in its coordinates.
  FrameFinder frames_of(Instance& scope, Instance* repeated = nullptr);
  std::optional<Pose> drawn_pose(Instance& instance);
  Pose pose_in_owner(Instance& instance);  // after mirroring; drawn_pose() must have worked
  std::optional<Pose> part_pose(Instance& scope, std::size_t number);
  std::optional<Pose> assembly_frame(Instance& scope, std::size_t number);
  std::optional<Pose> frame_on_part(Instance& scope, std::size_t part, const Object& frame);
  std::optional<FrameInAssembly> resolve_frame(const std::string& path, Instance& scope, const SourceRange& where,
                                               Instance* repeated = nullptr, bool as_source = false);
  std::optional<FrameInAssembly> frame_of_part(Instance& scope, const NamedElement& part,
                                               const std::vector<std::string>& segments, const SourceRange& where);
  std::optional<FrameInAssembly> frame_of_ground(Instance& scope, const std::vector<std::string>& segments,
                                                 const SourceRange& where);
  std::optional<FrameInAssembly> frame_of_port(Instance& child, const std::vector<std::string>& rest,
                                               const SourceRange& where, bool as_source);
  std::optional<FrameInAssembly> sealed_frame(Instance& child, const Object& port);
  void add_sealed();
  SealedNode* sealed_of(const Instance& instance);  // null: it is open
  std::optional<ChannelUse> sealed_signal(Instance& instance, const std::string& name, const SourceRange& where);
  void report_unknown_frame(const std::string& path, Instance& scope, const SourceRange& where);
  void report_past_port(Instance& child, const std::vector<std::string>& rest, const SourceRange& where);
  std::optional<Pose> placement(const Value& value, const Field& field, Instance& scope, const Locals& locals,
                                const FrameFinder& frame);
  std::optional<Matrix3> orientation(const Object& object, Instance& scope, const Locals& locals);
  // Places on a part: its own frames by bare name, others as drawn.
  std::optional<Pose> placement_on_part(const Value& value, const Field& field, Instance& scope, std::size_t part);
  std::optional<Vector3> point_on_part(const Value& value, const Field& field, Instance& scope, std::size_t part);
  // placement() of a frame's `at`.
  std::optional<Pose> frame_placement(const Object& written_frame, const std::string& path, Instance& scope,
                                      const FrameFinder& frame);
  std::optional<Pose> named_frame_on_part(const std::string& name, const SourceRange& where, Instance& scope,
                                          std::size_t part);

  // --- parts.cc
  void add_parts(Instance& instance);
  void fill_part(Instance& instance, std::size_t number);
  std::vector<geometry::Shape> shapes(const Object& owner, Instance& scope, std::optional<std::size_t> part);
  std::optional<geometry::Shape> shape(const Object& written, Instance& scope, std::optional<std::size_t> part);
  std::optional<geometry::Primitive> primitive(const Object& written, Instance& scope, std::optional<std::size_t> part,
                                               Pose& X_PS);
  std::optional<double> along_axis(const Object& written, Instance& scope, std::optional<std::size_t> part, Pose& X_PS);
  std::optional<geometry::Primitive> mesh(const Object& written, Instance& scope);
  struct DensityUsed {
    double value = 0.0;
    bool is_assumed = false;
  };
  std::optional<DensityUsed> density(const Object& part, Instance& scope);
  bool has_sound_mass(const MassProperties& from_shape, const Object& part);
  std::optional<Matrix3> inertia_tensor(const Object& inertia, Instance& scope);
  std::optional<MassProperties> mass_properties(Instance& scope, std::size_t number, PartNode& part);
  void check_mass_properties(const Object& written, const PartNode& part);

  // --- joints.cc
  void add_joints(Instance& instance);
  void add_joint(Instance& scope, const Object& written, std::string path);
  void add_attachments(Instance& scope, Instance& child);
  void add_attachment(Instance& scope, Instance& child, const Object& written);
  std::optional<Matrix3> joint_axes(const Object& written, Instance& scope);
  // Axes of the joint in those of its two frames: the same, but for a disk and its plane.
  struct JointAxes {
    Matrix3 a, b;
  };
  std::optional<JointAxes> axes_on_both(const Object& written, Instance& scope);
  void check_disk(const Object& written, const Pose& X_AB);
  void check_blades();
  struct JointPlace {
    FrameInAssembly a, b;                  // parts and frames
    Pose X_AJa, X_AJb;                     // joint frames in the assembly's coordinates
    Matrix3 R_FJ;                          // joint axes in the first frame's axes
    Matrix3 mirror = Matrix3::Identity();  // of a mirror image in the assembly, already applied to the joint frames
  };
  void finish_joint(Instance& scope, const Object& written, const JointPlace& place, std::string path);
  FrameOnPart joint_frame(const FrameInAssembly& frame, const Pose& X_AJ, Instance& scope, const ObjectType& type);
  void read_coordinates(const Object& written, Instance& scope, bool is_mirrored, JointNode& joint);
  bool is_usable(const Object& written, const FrameInAssembly& a, const FrameInAssembly& b);

  // --- forces.cc: drivers, forces, outputs
  void add_drivers(Instance& instance);
  void add_forces(Instance& instance);
  void bind_drivers();
  void bind_forces();
  void add_outputs(Instance& instance);
  std::string shown_unit(const Object& written, const Signal& value);
  void bind_load(ForceNode& force, const Object& written, Instance& scope);
  std::optional<CoordinateUse> coordinate(const Object& written, std::string_view key, Instance& scope);
  FrameOnPart frame_on_machine(const FrameInAssembly& frame, Instance& scope);

  // --- states.cc: numbers that are integrated, of assemblies and of forces
  void add_states();
  void add_states_of(const Object& owner, const std::string& path, Instance& scope);
  void bind_states();
  ChannelUse state_channel(std::size_t index) const;
  const std::vector<Object>& states_of_force(std::size_t force) const;
  bool is_free_name(const Object& state, const Object& force, const std::string& path);

  // --- code.cc: forces and states in C
  void declare_code(Instance& root);
  void bind_code(Instance& root);
  void refuse_inner_code();
  std::optional<ChannelUse> code_channel(const std::string& name, const std::vector<std::string>& segments,
                                         const SourceRange& where);

  // --- signals.cc
  struct SignalLocals {
    std::optional<CoordinateUse> coordinate = {};  // of an actuator
    std::optional<std::size_t> index = {};         // of a repeated instance
    std::string_view element = {};                 // path of a force, whose states have short names in its formulas
  };
  std::optional<Signal> signal(const Value& value, std::string_view key, Quantity quantity, Instance& scope,
                               const SignalLocals& locals);
  // Symbols bound, other signals put in; `shape` is what comes out. Dimensions of the result are not looked at.
  std::optional<Signal> bound_formula(const Value& value, const expression::Expression& formula, Instance& scope,
                                      const SignalLocals& locals, Quantified& shape);
  std::optional<Signal> table_signal(const Object& table, std::string_view key, Quantity quantity, Instance& scope,
                                     const SignalLocals& locals);
  std::optional<std::vector<double>> column(const Value& values, std::string_view key, Instance& scope,
                                            const Dimension* expected, Dimension& found);
  // What a name stands for: a symbol, or another signal.
  struct SymbolFound {
    SymbolUse use;
    const Signal* nested = nullptr;
    Dimension dimension;
    bool is_hertz = false;
  };
  std::optional<SymbolFound> signal_symbol(const std::string& name, Instance& scope, const SignalLocals& locals,
                                           const SourceRange& where);
  std::optional<ChannelUse> channel(const std::string& name, Instance& scope, const SourceRange& where);
  std::optional<ChannelUse> coordinate_channel(const JointNode& joint, std::size_t index, const std::string& quantity,
                                               Instance& scope);
  bool pick_component(ChannelUse& use, const Channel& channel, const std::string& component, Instance& scope,
                      const SourceRange& where);

  // --- frame_channels.cc: motions of frames, alone and relative to each other
  // The frame that a path names, among those that expressions read. Nothing, and nothing said, when there is none.
  std::optional<std::int32_t> frame_read(std::span<const std::string> path, Instance& scope, const SourceRange& where);
  std::optional<FrameOnPart> frame_by_path(std::span<const std::string> path, Instance& scope,
                                           const SourceRange& where);
  // The same, but what is wrong is reported.
  std::optional<std::int32_t> measured_frame(std::string_view path, Instance& scope, const SourceRange& where);
  std::int32_t add_read_frame(std::string path, const FrameOnPart& frame, const SourceRange& where);
  // Quiet: null when the path leads to no instance.
  Instance* instance_at(std::span<const std::string> path, Instance& scope);
  // A path that begins with a frame and goes on with one of its channels. Elements of the same name come first.
  std::optional<ChannelUse> frame_channel(const std::vector<std::string>& segments, Instance& scope,
                                          const SourceRange& where, bool& is_frame);
  std::optional<ChannelUse> motion_channel(ChannelUse use, std::string_view owner, const std::string& quantity,
                                           Instance& scope, const SourceRange& where);
  std::optional<ChannelUse> measure(const expression::Measure& measure, Instance& scope, const SourceRange& where);
  bool is_joint_channel(const std::string& path, const std::string& name) const;
  std::string frame_hint(const std::vector<std::string>& segments, Instance& scope);
  // Frames of a part, for hints.
  std::vector<std::string> frames_of_part(const std::string& part_path);

  // --- inputs.cc: values that assemblies give each other. Null: reported.
  const Signal* input(Instance& scope, std::size_t number);
  const Signal* output(Instance& scope, std::size_t number);
  const Signal* nested_signal(Lazy<Signal>& slot, Instance& scope, const Object& written, std::string_view kind,
                              const std::function<std::optional<Signal>()>& compute);
  std::optional<Signal> input_uncached(Instance& scope, std::size_t number);
  std::optional<Signal> given_input(Instance& scope, const Object& written, const std::optional<Unit>& unit,
                                    const Quantified& declared, const Value& given, bool from_outside);
  // Every nested signal in its place.
  bool put_in(Signal& signal, const std::vector<SymbolFound>& found);
  void add_inputs(Instance& instance);

  // --- run.cc
  void read_world(Machine& machine);
  void read_gravity(Machine& machine);
  void read_simulation(Machine& machine);
  std::string element_path(const Instance& scope, const std::string& name) const {
    return scope.path.empty() ? name : scope.path + "." + name;
  }

  struct ElementRef {
    ChannelUse::Element element;
    std::size_t index;
  };
  struct Pending {
    std::size_t index;
    const Object* written;
    Instance* scope;
  };

  // Parameters that need parameters that need parameters, places likewise: each one costs stack.
  static constexpr std::size_t kMaxChain = 500;

  const Model& model_;
  const ExpandOptions& options_;
  Diagnostics& diagnostics_;
  Machine machine_;
  std::unordered_map<std::string_view, const Definition*> definitions_;  // by name
  std::map<const Definition*, std::unique_ptr<ScopeIndex>> indices_;
  std::deque<Instance> instances_;
  std::unordered_map<std::string, ElementRef> elements_;  // by full path
  std::vector<Pending> pending_drivers_;
  std::vector<Pending> pending_forces_;
  struct PendingState {
    std::size_t index;
    const Object* written;
    Instance* scope;
    std::string force;  // whose state it is; empty: the assembly's
  };
  std::vector<PendingState> pending_states_;
  std::size_t element_count_ = 0;
  std::size_t value_count_ = 0;
  bool is_too_large_ = false;
  std::vector<std::string> signal_chain_;     // whose formulas are being made, each for the one before
  std::vector<std::string> parameter_chain_;  // whose values are being computed, each for the one before
  std::vector<std::string> placement_chain_;  // whose places are being computed
  std::size_t names_compared_ = 0;
  std::unordered_map<std::string, std::size_t> frames_by_path_;       // of Machine::frames; made when first asked for
  std::unordered_map<std::string, std::int32_t> read_frame_by_path_;  // of Machine::read_frames
  std::unordered_map<const Object*, std::unordered_map<std::string_view, const Object*>> frames_by_name_;
  std::unordered_map<std::string, std::shared_ptr<const geometry::TriangleMesh>> meshes_;  // by path; null: unusable
};

// "width > height > width": the part of a chain that closes at `path`.
std::string circle_text(const std::vector<std::string>& chain, const std::string& path);
// A few names for a hint, "..." for the others.
std::string some_of(const std::vector<std::string>& names);

// Which field of an object's type this is.
const Field& field_of(const Object& object, std::string_view key);

}  // namespace gelenk::model::expanding
