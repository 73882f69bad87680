// Hard forces and contacts across a checkpoint: what a step knows of those before it goes along.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "gelenk/analysis/certify.h"
#include "gelenk/analysis/simulate.h"
#include "tests/support/run_text.h"

namespace gelenk::hard_forces_resume_test {
namespace {

// Stops that bounce, a joint that sticks and slides, a ratchet on its way, a clutch that engages, a ball on a plate.
constexpr const char* kText = R"yaml(
parts:
  plate: {mass: 2, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, contours: {top: {box: {size: [1, 1, 0.1]}}}}
  ball: {at: [0.2, 0, 0.3], material: steel, shape: {sphere: {radius: 0.05}}, contours: {skin: {from: shape}}}
  first: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
  second: {mass: 1, inertia: {xx: 2, yy: 2, zz: 2}}
joints:
  rock: {type: revolute, between: [ground, plate], axis: y}
  one: {type: revolute, between: [ground, first], axis: z, start: {rate: 4}}
  two: {type: revolute, between: [ground, second], axis: z}
contacts: {fall: {between: [plate.top, ball.skin], friction: 0.3, restitution: 0.4}}
forces:
  ends: {type: rigid_stop, drives: rock.angle, lower: -3 deg, upper: 3 deg, restitution: 0.6}
  bearing: {type: dry_friction, drives: rock.angle, coulomb: 0.4, stiction: 0.3}
  clutch: {type: clutch, drives: two.angle, relative_to: one.angle, capacity: "=if(time < 0.15 s, 0 (N*m), 9 (N*m))"}
  pawl: {type: ratchet, drives: two.angle, pitch: 0.02}
  back: {type: actuator, drives: two.angle, value: -5}
)yaml";

analysis::RunOptions options() {
  analysis::RunOptions result;
  result.method = integrate::Method::moreau;
  result.is_auto = false;
  result.step = 1e-3;
  result.duration = 0.8;
  result.output_every = 0.01;
  return result;
}

TEST(HardForces, ARunFromACheckpointEndsInTheSameBits) {
  const test::Assembled model = test::assemble_text(kText);
  ASSERT_TRUE(model.is_ready()) << model.messages();
  std::vector<analysis::Checkpoint> kept;
  analysis::Checkpointing keep;
  keep.every = 0.1;
  keep.store = [&](const analysis::Checkpoint& checkpoint) {
    kept.push_back(checkpoint);
    return std::string();
  };
  const auto run = [&](const analysis::Checkpointing& checkpointing) {
    return analysis::simulate(*model.system, model.params, *model.assembly, options(), nullptr, {}, checkpointing);
  };
  const analysis::RunResult whole = run(keep);
  ASSERT_EQ(whole.status, results::RunStatus::done) << whole.failure->message;
  EXPECT_GT(whole.contacts.impacts, 3);
  EXPECT_EQ(whole.contacts.unsolved, 0);
  ASSERT_GT(kept.size(), 5u);
  for (std::size_t i = 0; i < kept.size(); i += 2) {
    const analysis::RunResult rest = run({.every = 0.0, .store = {}, .resume_from = kept[i].bytes});
    EXPECT_EQ(rest.file_error, "");
    EXPECT_EQ(analysis::state_hash(rest.end_state), analysis::state_hash(whole.end_state)) << kept[i].time;
    EXPECT_EQ(rest.contacts.work_friction, whole.contacts.work_friction) << kept[i].time;
    EXPECT_EQ(rest.contacts.impacts, whole.contacts.impacts) << kept[i].time;
  }
}

}  // namespace
}  // namespace gelenk::hard_forces_resume_test
