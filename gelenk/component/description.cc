#include "gelenk/component/description.h"

#include <algorithm>
#include <cstring>

#include "gelenk/base/bytes.h"
#include "gelenk/component/host.h"

namespace gelenk::component {
namespace {

constexpr std::uint32_t kMostEntries = 100'000;
constexpr std::size_t kLongestText = 10'000;

using Kind = ComponentFailure::Kind;

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text, ::strnlen(text, kLongestText));
}

// The entries of a list, whose structures may be longer than those we know.
template <class Entry, class Visit>
void for_each_entry(const Entry* first, std::uint32_t count, Visit&& visit) {
  if (count == 0) return;
  if (count > kMostEntries || first == nullptr) {
    throw ComponentFailure(Kind::wrong_sizes, "has a description with a list of impossible length");
  }
  const std::size_t stride = first->size;
  const auto* bytes = reinterpret_cast<const unsigned char*>(first);
  for (std::uint32_t i = 0; i < count; ++i, bytes += stride) {
    const auto& entry = *reinterpret_cast<const Entry*>(bytes);
    if (stride < sizeof(Entry) || stride % alignof(Entry) != 0 || entry.size != stride) {
      throw ComponentFailure(Kind::wrong_sizes, "has a description with structures of the wrong size");
    }
    visit(entry);
  }
}

template <class Entry, class Put>
void put_named(ByteWriter& writer, const std::vector<Entry>& entries, Put&& put) {
  writer.put(static_cast<std::uint32_t>(entries.size()));
  for (const Entry& entry : entries) {
    writer.put(std::string_view(entry.name));
    writer.put(std::string_view(entry.unit));
    put(entry);
  }
}

template <class Entry, class Get>
void get_named(ByteReader& reader, std::vector<Entry>& entries, Get&& get) {
  const auto count = reader.get<std::uint32_t>();
  // One by one: a count without entries behind it takes no memory.
  for (std::uint32_t i = 0; i < count && reader.is_good(); ++i) {
    Entry& entry = entries.emplace_back();
    reader.get(entry.name);
    reader.get(entry.unit);
    get(entry);
  }
}

}  // namespace

Description read_description(const gelenk_description* raw) {
  if (raw == nullptr || raw->size < sizeof(gelenk_description)) {
    throw ComponentFailure(Kind::wrong_sizes, "gives no description of itself");
  }
  Description result;
  result.switch_count = raw->switch_count;
  result.input_size = raw->input_size;
  result.signal_size = raw->signal_size;
  result.length = raw->length;
  for_each_entry(raw->ports, raw->port_count, [&](const gelenk_port& port) {
    DescribedPort& copy =
        result.ports.emplace_back(DescribedPort{text_of(port.name), text_of(port.unit), port.kind, port.width, {}, {}});
    std::copy(std::begin(port.position), std::end(port.position), copy.position.begin());
    std::copy(std::begin(port.rotation), std::end(port.rotation), copy.rotation.begin());
  });
  for_each_entry(raw->parameters, raw->parameter_count, [&](const gelenk_parameter& parameter) {
    result.parameters.push_back(
        {text_of(parameter.name), text_of(parameter.unit), parameter.default_value, parameter.min, parameter.max});
  });
  for_each_entry(raw->outputs, raw->output_count, [&](const gelenk_output& output) {
    result.outputs.push_back({text_of(output.name), text_of(output.unit)});
  });
  return result;
}

std::string encode(const Description& description) {
  ByteWriter writer;
  put_named(writer, description.ports, [&](const DescribedPort& port) {
    writer.put(port.kind);
    writer.put(port.width);
    for (const double number : port.position) writer.put(number);
    for (const double number : port.rotation) writer.put(number);
  });
  put_named(writer, description.parameters, [&](const DescribedParameter& parameter) {
    writer.put(parameter.default_value);
    writer.put(parameter.min);
    writer.put(parameter.max);
  });
  put_named(writer, description.outputs, [](const DescribedOutput&) {});
  for (const std::uint32_t size : {description.switch_count, description.input_size, description.signal_size}) {
    writer.put(size);
  }
  writer.put(description.length);
  return writer.bytes();
}

bool decode(std::string_view bytes, Description& description) {
  description = Description();
  ByteReader reader(bytes);
  get_named(reader, description.ports, [&](DescribedPort& port) {
    reader.get(port.kind);
    reader.get(port.width);
    for (double& number : port.position) reader.get(number);
    for (double& number : port.rotation) reader.get(number);
  });
  get_named(reader, description.parameters, [&](DescribedParameter& parameter) {
    reader.get(parameter.default_value);
    reader.get(parameter.min);
    reader.get(parameter.max);
  });
  get_named(reader, description.outputs, [](DescribedOutput&) {});
  for (std::uint32_t* size : {&description.switch_count, &description.input_size, &description.signal_size}) {
    reader.get(*size);
  }
  reader.get(description.length);
  return reader.is_complete();
}

}  // namespace gelenk::component
