#include "gelenk/export/quantity_scales.h"

#include <algorithm>
#include <cmath>

namespace gelenk::exporting {
namespace {

// Pure numbers have nothing in common.
bool has_scale(Quantity quantity) {
  return quantity != Quantity::any && quantity != Quantity::number && quantity != Quantity::time;
}

}  // namespace

void QuantityScales::include(Quantity quantity, double value) {
  if (!has_scale(quantity) || !std::isfinite(value)) return;
  double& largest = largest_[quantity];
  largest = std::max(largest, std::abs(value));
}

double QuantityScales::recorded(Quantity quantity) const {
  const auto found = largest_.find(quantity);
  return found == largest_.end() ? 0.0 : found->second;
}

double QuantityScales::scale(Quantity quantity) const {
  const double length = recorded(Quantity::length);
  switch (quantity) {
    case Quantity::angle:
    case Quantity::angular_rate:
    case Quantity::angular_acceleration:
      return std::max(recorded(quantity), 1.0);
    case Quantity::speed:
    case Quantity::acceleration:
      return std::max(recorded(quantity), length);
    case Quantity::force:
      return std::max(recorded(quantity), length > 0.0 ? recorded(Quantity::torque) / length : 0.0);
    case Quantity::torque:
      return std::max(recorded(quantity), length * recorded(Quantity::force));
    case Quantity::energy:
      return std::max(recorded(quantity), std::max(recorded(Quantity::torque), length * recorded(Quantity::force)));
    case Quantity::power:
      return std::max({recorded(quantity), scale(Quantity::force) * scale(Quantity::speed),
                       scale(Quantity::torque) * scale(Quantity::angular_rate)});
    default:
      return recorded(quantity);
  }
}

ScaleReader::ScaleReader(const results::Reader& reader) : is_needed_(reader.blocks().size(), false) {
  for (const results::RecordedChannel& channel : reader.channels()) {
    if (!has_scale(channel.quantity)) continue;
    columns_.push_back({channel.quantity, channel.block, channel.column, 0.0});
    is_needed_[channel.block] = true;
  }
}

void ScaleReader::add_row(std::size_t row, const RowSlabs& slabs) {
  for (Column& column : columns_) {
    const double size = std::abs(slabs.at(column.block, column.column, row));
    if (std::isfinite(size)) column.largest = std::max(column.largest, size);
  }
}

QuantityScales ScaleReader::scales() const {
  QuantityScales scales;
  for (const Column& column : columns_) scales.include(column.quantity, column.largest);
  return scales;
}

std::string read_scales(const results::Reader& reader, QuantityScales& scales) {
  ScaleReader found(reader);
  RowSlabs slabs(reader, found.blocks());
  for (std::size_t first = 0; first < reader.row_count(); first += slabs.rows()) {
    const std::size_t count = std::min(slabs.rows(), reader.row_count() - first);
    if (std::string error = slabs.read(first, count); !error.empty()) return error;
    for (std::size_t row = first; row < first + count; ++row) found.add_row(row, slabs);
  }
  scales = found.scales();
  return {};
}

}  // namespace gelenk::exporting
