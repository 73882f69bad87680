#include "gelenk/base/memory_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "gelenk/base/duplicate_test_support.h"

namespace gelenk::memory_file_test {
namespace {

TEST(MemoryFile, HasItsBytesAndCannotBeChanged) {
  std::string error;
  const Descriptor file = make_memory_file("component", error);
  ASSERT_TRUE(file.is_open()) << error;
  std::array<char, 20> bytes{};
  EXPECT_EQ(::read(file.get(), bytes.data(), bytes.size()), 9);
  EXPECT_STREQ(bytes.data(), "component");
  EXPECT_LT(::pwrite(file.get(), "x", 1, 0), 0);
  EXPECT_NE(::ftruncate(file.get(), 0), 0);
  EXPECT_EQ(::fcntl(file.get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(SharedMemory, IsTheSameForBoth) {
  std::string error;
  const auto mine = SharedMemory::create(10'000, error);
  ASSERT_TRUE(mine) << error;
  const auto yours = SharedMemory::attach(test::duplicate(mine->descriptor()), error);
  ASSERT_TRUE(yours) << error;
  EXPECT_EQ(yours->bytes().size(), 10'000u);
  EXPECT_EQ(yours->bytes()[9'999], std::byte{0});
  mine->bytes()[9'999] = std::byte{7};
  EXPECT_EQ(yours->bytes()[9'999], std::byte{7});
}

// Who could cut it would end the other process with SIGBUS.
TEST(SharedMemory, CannotBeTakenAway) {
  std::string error;
  const auto memory = SharedMemory::create(10'000, error);
  ASSERT_TRUE(memory) << error;
  EXPECT_NE(::ftruncate(memory->descriptor(), 0), 0);
  EXPECT_NE(::fcntl(memory->descriptor(), F_ADD_SEALS, F_SEAL_WRITE), 0);
}

TEST(SharedMemory, OfNothingIsRefused) {
  std::string error;
  EXPECT_FALSE(SharedMemory::attach(Descriptor(), error));
  EXPECT_FALSE(error.empty());
}

}  // namespace
}  // namespace gelenk::memory_file_test
