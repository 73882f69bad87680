#include "gelenk/component/command_sizes.h"

#include <array>
#include <iterator>

namespace gelenk::component {
namespace {

constexpr std::size_t kFrameNumbers = 18;  // axes, origin, velocity, angular velocity
constexpr std::size_t kScaleNumbers = 2;   // of a frame as it is drawn
constexpr std::size_t kShaftNumbers = 2;   // way, rate
constexpr std::size_t kResidualNumbers = 6;
constexpr std::size_t kFactorNumbers = 3;  // behind D
constexpr std::size_t kMostCodes = 128;

using S = ComponentSizes;
constexpr auto kNoIntake = [](const S&) { return Intake{}; };
constexpr auto kTerms = [](const S&) { return Intake{0, 2}; };
constexpr auto kStageTerms = [](const S&) { return Intake{0, 5}; };
constexpr auto kNothing = [](const S&) { return std::size_t{0}; };
constexpr auto kPair = [](const S&) { return std::size_t{2}; };
constexpr auto kMotions = [](const S& sizes) { return sizes.motions(); };

// Changes of position and velocity.
constexpr auto kChanges = [](const S& sizes) { return 2 * sizes.motions(); };
constexpr auto kLoads = [](const S& sizes) { return Intake{sizes.motions()}; };
constexpr auto kOne = [](const S&) { return std::size_t{1}; };

constexpr auto kMobility = [](const S& sizes) { return sizes.motions() * sizes.motions(); };
constexpr auto kShown = [](const S& sizes) { return kFrameNumbers * sizes.mounts + kShaftNumbers * sizes.shafts; };
constexpr auto kAsDrawn = [](const S& sizes) { return kShown(sizes) + kScaleNumbers * sizes.mounts; };

constexpr CommandRow kCommands[] = {
    {GELENK_RESERVE, kNoIntake, kNothing},
    {GELENK_START, kNoIntake, kNothing},
    {GELENK_COPY, kNoIntake, kNothing},
    {GELENK_COMBINE, kTerms, kNothing},
    {GELENK_COMBINE_RATES, kTerms, kNothing},
    {GELENK_COMBINE_STAGE, kStageTerms, kNothing},
    {GELENK_ERROR_NORM, kTerms, kPair},
    {GELENK_DRAWN, kNoIntake, [](const S& sizes) { return kAsDrawn(sizes) + kMobility(sizes); }, false, kAsDrawn},
    // Signals stay as they were when they are left out.
    {GELENK_LOAD,
     [](const S& sizes) {
       return Intake{sizes.inputs, 0, true};
     },
     [](const S& sizes) { return kShown(sizes) + sizes.signals; }},
    {GELENK_FACTOR, [](const S&) { return Intake{1}; },
     [](const S& sizes) { return kMobility(sizes) + kFactorNumbers; }, false, kNothing},
    {GELENK_RIGHT_SIDE, kNoIntake, kPair},
    {GELENK_UP, kNoIntake, kMotions},
    {GELENK_DOWN, kLoads, kMotions},
    {GELENK_RESIDUAL, kNoIntake, [](const S&) { return kResidualNumbers; }},
    {GELENK_TEST_LOAD, kNoIntake, kMotions},
    {GELENK_FORGET, kNoIntake, kNothing},
    {GELENK_TAKE, kNoIntake, kNothing},
    {GELENK_SETTLE, kNoIntake, kNothing},
    {GELENK_NEWTON, [](const S& sizes) { return Intake{2 + sizes.motions()}; },
     [](const S& sizes) { return 2 * kMobility(sizes); }},
    {GELENK_NEWTON_RIGHT_SIDE, kNoIntake, [](const S& sizes) { return 3 * sizes.motions(); }},
    {GELENK_NEWTON_UP, kNoIntake, kChanges},
    {GELENK_NEWTON_DOWN, kLoads, kChanges},
    {GELENK_NEWTON_TAKE, kNoIntake, kNothing},
    {GELENK_STAGE_BEGIN, kStageTerms, kNothing},
    {GELENK_STAGE_PLACE, kNoIntake, kNothing},
    {GELENK_STAGE_LOADS, kLoads, kOne},
    {GELENK_STAGE_TAKE, kNoIntake, kOne},
    {GELENK_STAGE_END, kNoIntake, kNothing},
    {GELENK_NEXT_JUMP, kNoIntake, kOne, true},
    {GELENK_CROSS, kNoIntake, kNothing},
    {GELENK_SLACKS, kNoIntake, [](const S& sizes) { return sizes.switches; }},
    {GELENK_FLIP, kNoIntake, kNothing},
    {GELENK_OUTPUTS, kNoIntake, [](const S& sizes) { return sizes.outputs + 2; }},
};

}  // namespace

std::span<const CommandRow> command_rows() { return kCommands; }

const CommandRow* find_row(std::uint32_t code) {
  // Twice for every command of every stage.
  static constexpr auto kPlaces = [] {
    std::array<std::uint8_t, kMostCodes> places{};  // 1 + number of the row
    for (std::size_t i = 0; i < std::size(kCommands); ++i) places[kCommands[i].code] = static_cast<std::uint8_t>(i + 1);
    return places;
  }();
  return code >= kMostCodes || kPlaces[code] == 0 ? nullptr : &kCommands[kPlaces[code] - 1];
}

bool has_right_sizes(const CommandRow& row, const gelenk_command& command, const ComponentSizes& sizes) {
  const bool is_in_right = row.in(sizes).fits(command.in_count) && (command.in_count == 0 || command.in != nullptr);
  return is_in_right && (command.out == nullptr || command.out_count == row.out(sizes));
}

}  // namespace gelenk::component
