#pragma once

#include <span>
#include <vector>

#include "gelenk/component/host.h"
#include "gelenk/subsystem/subsystem.h"

namespace gelenk::component {

// A sealed component in implicit methods.
class SealedNewton final : public subsystem::Newton {
 public:
  explicit SealedNewton(Host& host) : host_(host) {}

  bool factor(const Point& point, double* D) override;
  bool put_right_side(int rate, std::span<double> motions) override;
  bool up(double* r) override;
  bool down(const double* loads, double* motions) override;
  bool take(int rate, int to) override;
  bool begin_stage(const integrate::Stage& stage) override;
  bool place_stage() override;
  bool put_stage_loads(std::span<const double> loads, double& change) override;
  bool take_stage(double& size) override;
  bool end_stage() override;

 private:
  Host& host_;
  std::vector<double> numbers_;
};

}  // namespace gelenk::component
