#include "gelenk/component/worker_channel.h"

#include <new>
#include <type_traits>
#include <utility>

#include "gelenk/base/bytes.h"

namespace gelenk::component {
namespace {

static_assert(std::is_trivially_copyable_v<RequestHead> && std::is_trivially_copyable_v<AnswerHead> &&
              std::is_trivially_copyable_v<PlacedCommand> && sizeof(ChannelHead) % alignof(double) == 0);

// All of a mounting but the count of its mounts, in both directions.
template <class Mounting, class Visit>
void for_each_number(Mounting& mounting, Visit&& visit) {
  const auto visit_all = [&](auto& numbers) {
    for (auto& number : numbers) visit(number);
  };
  for (auto& mount : mounting.mounts) {
    visit(mount.port);
    visit(mount.has_joint);
    visit_all(mount.position);
    visit_all(mount.rotation);
  }
  auto& rest = mounting.rest;
  visit_all(rest.position);
  visit_all(rest.rotation);
  visit_all(rest.mirror);
  visit_all(rest.world_mirror);
  visit_all(rest.gravity);
  visit(rest.length);
  visit(rest.start_time);
  visit(rest.rank_tolerance);
  visit(rest.tolerance);
  visit(rest.keeps_assemblies);
}

}  // namespace

std::optional<Channel> Channel::create(std::size_t body, std::string& error) {
  std::optional<SharedMemory> memory = SharedMemory::create(sizeof(ChannelHead) + body, error);
  if (!memory) return std::nullopt;
  ::new (memory->bytes().data()) ChannelHead();
  return Channel(std::move(*memory));
}

std::optional<Channel> Channel::attach(Descriptor file, std::string& error) {
  std::optional<SharedMemory> memory = SharedMemory::attach(std::move(file), error);
  if (!memory) return std::nullopt;
  if (memory->bytes().size() < sizeof(ChannelHead)) {
    error = "too small";
    return std::nullopt;
  }
  return Channel(std::move(*memory));
}

std::string encode(const HostSettings& settings) {
  ByteWriter writer;
  writer.put(std::string_view(settings.resource));
  writer.put(settings.parameters);
  return writer.bytes();
}

bool decode(std::string_view bytes, HostSettings& settings) {
  ByteReader reader(bytes);
  reader.get(settings.resource);
  reader.get(settings.parameters);
  return reader.is_complete();
}

std::string encode(const HostMounting& mounting) {
  ByteWriter writer;
  writer.put(static_cast<std::uint64_t>(mounting.mounts.size()));
  for_each_number(mounting, [&](auto number) { writer.put(number); });
  return writer.bytes();
}

bool decode(std::string_view bytes, HostMounting& mounting) {
  ByteReader reader(bytes);
  const auto count = reader.get<std::uint64_t>();
  if (count > bytes.size() / sizeof(gelenk_mount)) return false;
  mounting.mounts.resize(count);
  for_each_number(mounting, [&](auto& number) { reader.get(number); });
  return reader.is_complete();
}

}  // namespace gelenk::component
