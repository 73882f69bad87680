#include "gelenk/analysis/added_rows.h"

#include <array>
#include <cstddef>
#include <utility>

#include "gelenk/base/index.h"

namespace gelenk::analysis {
namespace {

// l of (3) in joint_rows.h, or n of (2): the part of body b, or that of body a turned round where b is the ground.
std::array<double, 3> direction(const AddedRow& row, std::size_t first) {
  std::array<double, 3> d{};
  for (std::size_t i = 0; i < 3; ++i) d[i] = row.bodies.b >= 0 ? row.block.b[first + i] : -row.block.a[first + i];
  return d;
}

bool is_turn(const AddedRow& row) {
  const std::array<double, 3> l = direction(row, 0);
  return l[0] == 0.0 && l[1] == 0.0 && l[2] == 0.0;
}

class Packer {
 public:
  Packer(const JointRowLayout& layout, std::span<const double> values, std::span<const AddedRow> added)
      : layout_(layout), values_(values), added_(added), by_joint_(layout.joints.size()) {
    for (std::size_t i = 0; i < added.size(); ++i) {
      if (added[i].joint >= 0) by_joint_[at(added[i].joint)].push_back(i);
    }
  }

  PackedRows pack() {
    for (std::size_t j = 0; j < layout_.joints.size(); ++j) pack_joint(layout_.joints[j], by_joint_[j]);
    for (std::size_t i = 0; i < added_.size(); ++i) {
      if (added_[i].joint >= 0) continue;
      JointRows own;
      own.a = added_[i].bodies.a;
      own.b = added_[i].bodies.b;
      pack_joint(own, {i});
    }
    result_.layout.value_count = result_.values.size();
    return std::move(result_);
  }

 private:
  void pack_joint(const JointRows& joint, const std::vector<std::size_t>& added) {
    JointRows packed = joint;
    packed.first_row = static_cast<std::int32_t>(result_.layout.row_numbers.size());
    packed.first_value = static_cast<std::int32_t>(result_.values.size());
    const std::size_t first_lines = std::size_t{3} * joint.points + joint.turns;
    const std::size_t first_line_value = std::size_t{6} * joint.points + std::size_t{3} * joint.turns;
    copy(joint, 0, first_lines, 0, first_line_value);
    for (const std::size_t i : added) {
      if (!is_turn(added_[i])) continue;
      ++packed.turns;
      add_number(i);
      add_values(direction(added_[i], 3));
    }
    copy(joint, first_lines, joint.row_count(), first_line_value, joint.value_count());
    for (const std::size_t i : added) {
      const AddedRow& row = added_[i];
      if (is_turn(row)) continue;
      ++packed.lines;
      add_number(i);
      add_values(direction(row, 0));
      const double on_a = row.bodies.a >= 0 ? 1.0 : 0.0;  // moments on the ground are zero
      const double on_b = row.bodies.b >= 0 ? 1.0 : 0.0;
      for (std::size_t k = 3; k < 6; ++k) result_.values.push_back(on_a * row.block.a[k]);
      for (std::size_t k = 3; k < 6; ++k) result_.values.push_back(on_b * row.block.b[k]);
    }
    result_.layout.joints.push_back(packed);
  }

  void copy(const JointRows& joint, std::size_t row, std::size_t end_row, std::size_t value, std::size_t end_value) {
    for (; row < end_row; ++row) result_.layout.row_numbers.push_back(layout_.row_numbers[at(joint.first_row) + row]);
    for (; value < end_value; ++value) result_.values.push_back(values_[at(joint.first_value) + value]);
  }
  void add_number(std::size_t added) {
    result_.layout.row_numbers.push_back(static_cast<std::int32_t>(layout_.row_numbers.size() + added));
  }
  void add_values(const std::array<double, 3>& values) {
    result_.values.insert(result_.values.end(), values.begin(), values.end());
  }

  const JointRowLayout& layout_;
  std::span<const double> values_;
  std::span<const AddedRow> added_;
  std::vector<std::vector<std::size_t>> by_joint_;
  PackedRows result_;
};

}  // namespace

PackedRows add_rows(const JointRowLayout& layout, std::span<const double> values, std::span<const AddedRow> added) {
  return Packer(layout, values, added).pack();
}

}  // namespace gelenk::analysis
