#pragma once

#include <utility>

namespace gelenk {

// Closes a file, pipe or socket when it goes out of scope. Negative: there is none.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) set(other.release());
    return *this;
  }

  void set(int value) {
    close();
    value_ = value;
  }
  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  // Leaves closing to the caller.
  int release() { return std::exchange(value_, -1); }
  // False: what was written may be lost. A full disk may show only here.
  bool close();

 private:
  int value_;
};

// Closes those that a program inherited and does not know: all from `first` on.
void close_descriptors_from(int first);

}  // namespace gelenk
