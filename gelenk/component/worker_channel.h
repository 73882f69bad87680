#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gelenk/base/futex_event.h"
#include "gelenk/base/memory_file.h"
#include "gelenk/component/host.h"

// What an owner and the worker process of a component say to each other, in memory that both share. The owner asks, the
// worker answers, never both at once. The owner reads answers at places that he knows himself, and believes nothing
// that lies in this memory: the component can write to all of it.
namespace gelenk::component {

// Owner and worker are of one version, or they do not talk.
constexpr std::uint64_t kChannelVersion = 0x4745'4c45'4e4b'0003;
// Descriptors of the worker, beside the one of child_process.h.
constexpr int kChannelDescriptor = 4;
constexpr int kLibraryDescriptor = 5;        // of a component, or of forces in C alone
constexpr int kSecondLibraryDescriptor = 6;  // only where there are two

enum class Request : std::uint32_t {
  load,     // body: a LoadRequest. Into the sandbox, then the libraries. Answer, for forces in C alone: CodeCounts
  put,      // body: more bytes for the worker's store
  create,   // store: settings. Answer: the store has the description
  mount,    // store: a mounting. Answer: the store has the description
  perform,  // body: `count` commands and their numbers
  read,     // what, slot. Answer: the store has the bytes
  write,    // what, slot; store: the bytes
  fetch,    // offset, size. Answer: that part of the store in the body
  call,     // body: numbers for forces in C alone, and places for their answer, in the order of CodeCounts
};

struct LoadRequest {
  std::uint64_t version = kChannelVersion;
  std::uint64_t memory = 0;
  std::uint64_t allows_no_sandbox = 0;
  std::uint64_t has_component = 0;
  std::uint64_t has_code = 0;
};

// A gelenk_command whose buffers lie in the body, at these bytes. There is always a command before them, so that 0 says
// null.
struct PlacedCommand {
  std::uint32_t code = 0, flags = 0;
  std::int32_t slot = 0, other = 0;
  double time = 0.0;
  std::uint64_t in_at = 0, in_count = 0, out_at = 0, out_count = 0;
};

struct RequestHead {
  Request request = Request::load;
  std::uint32_t what = 0;
  std::int32_t slot = 0;
  std::uint64_t count = 0;  // commands, or bytes in the body
  std::uint64_t offset = 0;
};

constexpr std::size_t kMessageSize = 256;

struct AnswerHead {
  std::int32_t failure = -1;        // a ComponentFailure::Kind, or none
  std::uint32_t status = 0;         // a gelenk_status
  std::uint64_t done = 0;           // commands
  std::uint64_t size = 0;           // of the store
  char message[kMessageSize] = {};  // of the failure or the status; ends with a zero, or does not
};

// The beginning of the memory. Bells on cache lines of their own.
struct ChannelHead {
  alignas(64) FutexEvent asked;
  alignas(64) FutexEvent answered;
  alignas(64) RequestHead request;
  alignas(64) AnswerHead answer;
};

class Channel {
 public:
  // Room for `body` bytes behind the head.
  static std::optional<Channel> create(std::size_t body, std::string& error);
  static std::optional<Channel> attach(Descriptor file, std::string& error);

  int descriptor() const { return memory_.descriptor(); }
  ChannelHead& head() const { return *reinterpret_cast<ChannelHead*>(memory_.bytes().data()); }
  std::span<std::byte> body() const { return memory_.bytes().subspan(sizeof(ChannelHead)); }

 private:
  explicit Channel(SharedMemory memory) : memory_(std::move(memory)) {}

  SharedMemory memory_;
};

// Settings and mountings as bytes of the store; libraries come by their descriptors.
std::string encode(const HostSettings& settings);
bool decode(std::string_view bytes, HostSettings& settings);
std::string encode(const HostMounting& mounting);
bool decode(std::string_view bytes, HostMounting& mounting);

}  // namespace gelenk::component
