#include "gelenk/component/sealed_model.h"

#include <utility>

#include "gelenk/base/bytes.h"
#include "gelenk/base/cipher.h"

namespace gelenk::component {
namespace {

// Of the bytes that are enciphered. Another version is another program's; there is nothing to be read in it.
constexpr std::uint32_t kVersion = 1;

const CipherKey& key() {
  static const CipherKey key = CipherKey::from_secret("gelenk sealed model");
  return key;
}

template <class Entry, class Put>
void put_all(ByteWriter& out, const std::vector<Entry>& entries, Put&& put) {
  out.put(static_cast<std::uint64_t>(entries.size()));
  for (const Entry& entry : entries) put(entry);
}

template <class Entry, class Get>
void get_all(ByteReader& in, std::vector<Entry>& entries, Get&& get) {
  const auto count = in.get<std::uint64_t>();
  // One by one: a count without entries behind it takes no memory.
  for (std::uint64_t i = 0; i < count && in.is_good(); ++i) get(entries.emplace_back());
}

void put_texts(ByteWriter& out, std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) out.put(text);
}

void get_texts(ByteReader& in, std::initializer_list<std::string*> texts) {
  for (std::string* const text : texts) in.get(*text);
}

}  // namespace

std::string detail::plain_bytes(const SealedModel& model) {
  ByteWriter out;
  out.put(kVersion);
  put_all(out, model.files, [&](const SealedModel::File& file) { put_texts(out, {file.path, file.text}); });
  put_all(out, model.ports, [&](const Port& port) {
    put_texts(out, {port.name, port.unit, port.doc});
    out.put(static_cast<std::uint32_t>(port.kind));
    out.put(static_cast<std::int32_t>(port.width));
  });
  put_all(out, model.parameters, [&](const Parameter& parameter) {
    put_texts(out, {parameter.name, parameter.unit, parameter.doc});
    for (const double number : {parameter.default_value, parameter.min, parameter.max}) out.put(number);
  });
  put_all(out, model.outputs, [&](const Output& output) { put_texts(out, {output.name, output.unit, output.doc}); });
  return out.bytes();
}

std::optional<SealedModel> detail::read_plain_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kVersion) return std::nullopt;
  SealedModel model;
  get_all(in, model.files, [&](SealedModel::File& file) { get_texts(in, {&file.path, &file.text}); });
  get_all(in, model.ports, [&](Port& port) {
    get_texts(in, {&port.name, &port.unit, &port.doc});
    const auto kind = in.get<std::uint32_t>();
    if (kind > static_cast<std::uint32_t>(PortKind::translational)) return in.fail();
    port.kind = static_cast<PortKind>(kind);
    port.width = in.get<std::int32_t>();
  });
  get_all(in, model.parameters, [&](Parameter& parameter) {
    get_texts(in, {&parameter.name, &parameter.unit, &parameter.doc});
    for (double* const number : {&parameter.default_value, &parameter.min, &parameter.max}) in.get(*number);
  });
  get_all(in, model.outputs, [&](Output& output) { get_texts(in, {&output.name, &output.unit, &output.doc}); });
  if (!in.is_complete() || model.files.empty()) return std::nullopt;
  return model;
}

std::string encode(const SealedModel& model) { return encipher(detail::plain_bytes(model), key()); }

std::optional<SealedModel> decode_sealed_model(std::string_view bytes) {
  const std::optional<std::string> plain = decipher(bytes, key());
  return plain ? detail::read_plain_bytes(*plain) : std::nullopt;
}

}  // namespace gelenk::component
