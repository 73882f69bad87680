#include "gelenk/results/layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "gelenk/base/glob.h"
#include "gelenk/base/si_unit.h"
#include "gelenk/model/contact_types.h"
#include "gelenk/model/measured_quantity.h"
#include "gelenk/model/part_types.h"
#include "gelenk/system/channels.h"

namespace gelenk::results {
namespace {

using Shape = model::Channel::Shape;

constexpr std::string_view kByName = "see /index";

// A channel before its element is named.
struct Column {
  model::Channel channel;
  std::string unit{};        // only where the quantity does not show it
  std::string shown_unit{};  // of an output that has one of its own

  std::string_view name() const { return channel.name; }
  Shape shape() const { return channel.shape; }
};

std::string joined(std::string_view path, std::string_view name) {
  if (name.empty()) return std::string(path);
  return std::string(path) + "." + std::string(name);
}

// Adds blocks, and elements to the last one, in machine order.
class Builder {
 public:
  Builder(const Selection& selection, Layout& layout) : selection_(selection), layout_(layout) {}

  // All elements of a uniform block have the same number of columns, which is a dimension of its own.
  enum class Rows : std::uint8_t { uniform, mixed };
  void begin(BlockId id, std::string_view columns = kByName, Rows rows = Rows::mixed) {
    finish();
    Block& block = layout_.blocks.emplace_back();
    block.id = id;
    block.columns = columns;
    rows_ = rows;
    element_count_ = 0;
    is_wanted_ = selection_.blocks.empty() ||
                 std::find(selection_.blocks.begin(), selection_.blocks.end(), id) != selection_.blocks.end();
  }

  // The columns of one element; `slice` names them as a whole, empty: each channel is a slice of its own.
  void add(const std::string& path, std::span<const Column> columns, std::string_view slice = {}) {
    Block& block = layout_.blocks.back();
    const bool is_kept = is_selected(path, columns);
    const std::size_t first = block.width;
    for (const Column& column : columns) {
      const std::size_t size = system::channel_width(column.channel);
      if (is_kept) {
        add_channel(block.id, joined(path, column.name()), column, block.width);
        if (slice.empty()) layout_.slices.push_back({path, std::string(column.name()), block.id, block.width, size});
        for (std::size_t i = 0; i < size; ++i) block.kept.push_back(block.full_width + i);
        block.width += size;
      }
      block.full_width += size;
    }
    if (is_kept && !slice.empty()) {
      layout_.slices.push_back({path, std::string(slice), block.id, first, block.width - first});
    }
    element_count_ += is_kept ? 1 : 0;
  }

  // Of a full row of the last block so far: where the next element begins.
  std::size_t width() const { return layout_.blocks.back().full_width; }

  // The last block is complete.
  void finish() {
    if (layout_.blocks.empty()) return;
    Block& block = layout_.blocks.back();
    if (block.width == block.full_width) block.kept.clear();
    block.shape = {block.width};
    if (rows_ == Rows::uniform && element_count_ > 0) block.shape = {element_count_, block.width / element_count_};
  }

 private:
  bool is_selected(const std::string& path, std::span<const Column> columns) const {
    if (!is_wanted_) return false;
    if (selection_.patterns.empty()) return true;
    return std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
      const std::string name = joined(path, column.name());
      return std::any_of(selection_.patterns.begin(), selection_.patterns.end(),
                         [&](const std::string& pattern) { return fits(pattern, name, column.shape()); });
    });
  }

  static bool fits(const std::string& pattern, const std::string& name, Shape shape) {
    if (matches_glob(pattern, name)) return true;
    if (shape == Shape::scalar) return false;
    const std::string_view letters = shape == Shape::vector ? "xyz" : "wxyz";
    if (shape == Shape::vector && matches_glob(pattern, name + ".magnitude")) return true;
    return std::any_of(letters.begin(), letters.end(),
                       [&](char letter) { return matches_glob(pattern, name + "." + letter); });
  }

  void add_channel(BlockId id, std::string name, const Column& column, std::size_t place) {
    std::string unit =
        column.unit.empty() ? std::string(quantity_info(column.channel.quantity).si_symbol) : column.unit;
    layout_.channels.push_back(
        {std::move(name), id, place, column.shape(), column.channel.quantity, std::move(unit), column.shown_unit});
  }

  const Selection& selection_;
  Layout& layout_;
  // Of the last block
  Rows rows_ = Rows::mixed;
  std::size_t element_count_ = 0;
  bool is_wanted_ = true;
};

using Rows = Builder::Rows;

void add_parts(const model::Machine& machine, std::string_view slice, std::string_view linear, std::string_view angular,
               Builder& builder) {
  std::vector<Column> columns;
  for (const std::string_view wanted : {linear, angular}) {
    for (const model::Channel& channel : model::part_channels()) {
      if (channel.name == wanted) columns.push_back({channel});
    }
  }
  for (const model::PartNode& part : machine.parts) builder.add(part.path, columns, slice);
}

Column coordinate_column(const model::Coordinate& coordinate) {
  const bool is_orientation = coordinate.motion == model::Coordinate::Motion::orientation;
  return {{coordinate.name, is_orientation ? Quantity::number : coordinate.quantity(),
           is_orientation ? Shape::orientation : Shape::scalar}};
}

Column rate_column(const model::Coordinate& coordinate) {
  const bool is_orientation = coordinate.motion == model::Coordinate::Motion::orientation;
  return {{coordinate.rate, coordinate.rate_quantity(), is_orientation ? Shape::vector : Shape::scalar}};
}

void add_joints(const model::Machine& machine, Layout& layout, Builder& builder) {
  const auto add_coordinates = [&](BlockId id, Column (*column)(const model::Coordinate&),
                                   std::vector<std::size_t>& offsets) {
    builder.begin(id);
    for (const model::JointNode& joint : machine.joints) {
      offsets.push_back(builder.width());
      for (const model::Coordinate& coordinate : joint.type->coordinates) {
        builder.add(joint.path, std::array{column(coordinate)});
      }
    }
    offsets.push_back(builder.width());
  };
  add_coordinates(BlockId::coordinate, coordinate_column, layout.coordinate_offsets);
  add_coordinates(BlockId::rate, rate_column, layout.rate_offsets);
  builder.begin(BlockId::reaction, "fx fy fz mx my mz", Rows::uniform);
  const std::array reaction{Column{model::kReactionChannels[0]}, Column{model::kReactionChannels[1]}};
  for (const model::JointNode& joint : machine.joints) builder.add(joint.path, reaction, "reaction");
}

void add_drivers(const model::Machine& machine, Builder& builder) {
  builder.begin(BlockId::effort, "effort power", Rows::uniform);
  for (const model::DriverNode& driver : machine.drivers) {
    const auto& coordinates = machine.joints[driver.drives.joint.index()].type->coordinates;
    std::vector<Column> columns;
    for (const model::Channel& channel : model::kEffortChannels) {
      const bool is_effort = channel.quantity != Quantity::power;
      if (is_effort && channel.quantity != coordinates[driver.drives.coordinate].effort_quantity()) continue;
      columns.push_back({channel});
    }
    builder.add(driver.path, columns);
  }
}

// The block is there only when there are couplings: files of machines without them stay as they were.
void add_couplings(const model::Machine& machine, Builder& builder) {
  if (machine.couplings.empty()) return;
  builder.begin(BlockId::coupling, "effort", Rows::uniform);
  for (const model::CouplingNode& coupling : machine.couplings) {
    if (coupling.type == &model::kExpression) {
      builder.add(coupling.path, std::array{Column{model::kExpressionChannels.front()}});
      continue;
    }
    const model::CoordinateUse& first = coupling.terms.front().use;
    const Quantity effort = machine.joints[first.joint.index()].type->coordinates[first.coordinate].effort_quantity();
    for (const model::Channel& channel : model::kCouplingChannels) {
      if (channel.quantity == effort) builder.add(coupling.path, std::array{Column{channel}});
    }
  }
}

void add_forces(const model::Machine& machine, Layout& layout, Builder& builder) {
  builder.begin(BlockId::force);
  for (const model::ForceNode& force : machine.forces) {
    layout.force_offsets.push_back(builder.width());
    std::vector<Column> columns;
    for (const model::Channel* channel : system::force_channels(machine, force)) columns.push_back({*channel});
    builder.add(force.path, columns);
  }
  layout.force_offsets.push_back(builder.width());
}

// Of what has no name, or not the usual one of its dimension: 1/s that does not turn.
std::string unnamed_unit(const Dimension& dimension) {
  return quantity_of(dimension) == Quantity::any ? si_unit(dimension) : dimension.text();
}

void add_outputs(const model::Machine& machine, Builder& builder) {
  builder.begin(BlockId::output);
  for (const model::OutputNode& output : machine.outputs) {
    Column column;
    column.channel.quantity = model::measured_quantity(output.value);
    if (column.channel.quantity == Quantity::any) column.unit = unnamed_unit(output.value.dimension);
    column.shown_unit = output.unit;
    builder.add(output.path, std::array{column});
  }
  for (const model::SealedNode& sealed : machine.sealed) {
    for (const model::SealedOutput& output : sealed.outputs) {
      Column column;
      column.channel.quantity = quantity_of(output.dimension);
      if (column.channel.quantity == Quantity::any) column.unit = si_unit(output.dimension);
      builder.add(sealed.path + "." + output.name, std::array{column});
    }
  }
}

void add_energies(Builder& builder) {
  builder.begin(BlockId::energy, "kinetic potential total work_of_forces work_of_drivers work_of_impacts");
  const std::array energies{
      Column{{"kinetic", Quantity::energy}},         Column{{"potential", Quantity::energy}},
      Column{{"total", Quantity::energy}},           Column{{"work_of_forces", Quantity::energy}},
      Column{{"work_of_drivers", Quantity::energy}}, Column{{"work_of_impacts", Quantity::energy}}};
  builder.add("energy", energies);
}

Column column_of(const Dimension& dimension) {
  Column column;
  column.channel.quantity = quantity_of(dimension);
  if (column.channel.quantity == Quantity::any) column.unit = unnamed_unit(dimension);
  return column;
}

void add_states(const model::Machine& machine, Builder& builder) {
  builder.begin(BlockId::state);
  for (const model::StateNode& state : machine.states) {
    Column column;
    column.channel.quantity = state.measures == Quantity::any ? quantity_of(state.dimension) : state.measures;
    if (column.channel.quantity == Quantity::any) column.unit = unnamed_unit(state.dimension);
    column.shown_unit = state.unit;
    builder.add(state.path, std::array{column});
  }
  for (const model::CodeNode& code : machine.codes) {
    for (const model::CodeNode::State& state : code.states) {
      builder.add(code.path + "." + state.name, std::array{column_of(state.dimension)});
    }
  }
}

void add_codes(const model::Machine& machine, Builder& builder) {
  if (machine.codes.empty()) return;
  builder.begin(BlockId::code);
  for (const model::CodeNode& code : machine.codes) {
    for (const model::CodeNode::Output& output : code.outputs) {
      builder.add(code.path + "." + output.name, std::array{column_of(output.dimension)});
    }
  }
}

// As with couplings.
void add_contacts(const model::Machine& machine, Builder& builder) {
  if (machine.contacts.empty()) return;
  builder.begin(BlockId::contact, "fx fy fz normal friction points", Rows::uniform);
  std::vector<Column> columns;
  for (const model::Channel& channel : model::kContactChannels) columns.push_back({channel});
  for (const model::ContactNode& contact : machine.contacts) builder.add(contact.path, columns);
}

}  // namespace

std::vector<std::string_view> Channel::components() const {
  switch (shape) {
    case Shape::vector:
      return {".x", ".y", ".z"};
    case Shape::orientation:
      return {".w", ".x", ".y", ".z"};
    case Shape::scalar:
      break;
  }
  return {""};
}

const Block& Layout::block(BlockId id) const {
  static const Block none;
  const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const Block& one) { return one.id == id; });
  return found == blocks.end() ? none : *found;
}

std::vector<BlockId> Layout::ids() const {
  std::vector<BlockId> result;
  for (const Block& one : blocks) result.push_back(one.id);
  return result;
}

std::size_t Layout::row_width() const {
  std::size_t width = 0;
  for (const Block& one : blocks) width += one.width;
  return width;
}

Layout make_layout(const model::Machine& machine, const Selection& selection) {
  Layout layout;
  layout.model_name = machine.name;
  layout.display = machine.display;
  Builder builder(selection, layout);
  builder.begin(BlockId::pose, "x y z qw qx qy qz", Rows::uniform);
  add_parts(machine, "pose", "position", "orientation", builder);
  builder.begin(BlockId::twist, "vx vy vz wx wy wz", Rows::uniform);
  add_parts(machine, "twist", "velocity", "angular_velocity", builder);
  builder.begin(BlockId::acceleration, "ax ay az alpha_x alpha_y alpha_z", Rows::uniform);
  add_parts(machine, "acceleration", "acceleration", "angular_acceleration", builder);
  add_joints(machine, layout, builder);
  add_drivers(machine, builder);
  add_couplings(machine, builder);
  add_forces(machine, layout, builder);
  add_outputs(machine, builder);
  add_energies(builder);
  add_states(machine, builder);
  add_codes(machine, builder);
  add_contacts(machine, builder);
  builder.finish();
  return layout;
}

}  // namespace gelenk::results
