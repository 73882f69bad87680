// MuJoCo on the scenes of docs/performance.md. Loops are cut at one joint and closed by its equality constraints on
// points, made as stiff as its manual allows (time constant of two steps, impedance 0.9999). RK4 is its own.
#include <mujoco/mujoco.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/peers/measure.h"
#include "benchmarks/scene_references.h"

namespace {

namespace scenes = gelenk::scenes;

struct Machine {
  mjModel* model = nullptr;
  mjData* data = nullptr;

  explicit Machine(const std::string& text) {
    mjVFS files;
    mj_defaultVFS(&files);
    mj_addBufferVFS(&files, "scene.xml", text.data(), static_cast<int>(text.size()));
    char error[1000] = "";
    model = mj_loadXML("scene.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (model == nullptr) {
      std::fprintf(stderr, "%s\n", error);
      std::exit(1);
    }
    data = mj_makeData(model);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }

  int velocity_place(const std::string& joint) const {
    return model->jnt_dofadr[mj_name2id(model, mjOBJ_JOINT, joint.c_str())];
  }
  // At the poses of the last call of mj_forward.
  double energy() {
    mj_forward(model, data);
    mj_energyPos(model, data);
    mj_energyVel(model, data);
    return data->energy[0] + data->energy[1];
  }
  double gap() const {
    double largest = 0.0;
    for (int i = 0; i < data->nefc; ++i) largest = std::max(largest, std::abs(data->efc_pos[i]));
    return largest;
  }
};

std::string scene(const std::string& gravity, double step, const std::string& integrator, const std::string& bodies,
                  const std::string& closures = {}) {
  return fmt::format(R"(<mujoco>
<compiler angle="radian" inertiafromgeom="false"/>
<option gravity="{}" timestep="{:.17g}" integrator="{}"><flag contact="disable"/></option>
<size memory="200M"/>
<worldbody>
{}</worldbody>
<equality>
{}</equality>
</mujoco>
)",
                     gravity, step, integrator, bodies, closures);
}

std::string inertial(const std::string& center, double mass, double x, double y, double z) {
  return fmt::format("<inertial pos=\"{}\" mass=\"{}\" diaginertia=\"{:.17g} {:.17g} {:.17g}\"/>\n", center, mass, x, y,
                     z);
}

std::string chain(std::size_t links, const std::string& integrator) {
  constexpr double kAlong = 0.5 * 0.05 * 0.05, kAcross = (3.0 * 0.05 * 0.05 + 1.0) / 12.0;
  std::string bodies;
  for (std::size_t i = 0; i < links; ++i) {
    bodies += fmt::format("<body pos=\"{} 0 0\"><joint type=\"hinge\" axis=\"0 0 1\"/>\n", i == 0 ? 0 : 1);
    bodies += inertial("0.5 0 0", 1.0, kAlong, kAcross, kAcross);
  }
  for (std::size_t i = 0; i < links; ++i) bodies += "</body>\n";
  return scene("0 -9.81 0", 1e-3, integrator, bodies);
}

void evaluate_chain(std::size_t links) {
  Machine m(chain(links, "Euler"));
  for (std::size_t i = 0; i < links; ++i) {
    m.data->qpos[i] = scenes::chain_angle(i);
    m.data->qvel[i] = scenes::chain_rate(i);
  }
  mj_forward(m.model, m.data);
  double sum = 0.0;
  for (std::size_t i = 0; i < links; ++i) sum += m.data->qacc[i] / static_cast<double>(i + 1);
  const double seconds = peers::best_time([&] { mj_forward(m.model, m.data); });
  peers::report("evaluate_chain/" + std::to_string(links), "mj_forward", seconds,
                {{"weighted_error", std::abs(sum - scenes::chain_acceleration(links).value())}});
}

void run_chain() {
  constexpr int kSteps = 2000;
  double best = 1e300, error = 0.0, tip_error = 0.0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Machine m(chain(10, "RK4"));
    const double start_energy = m.energy();
    double seconds = 0.0;
    for (int i = 0; i < kSteps; i += 20) {
      const double before = peers::cpu_time();
      for (int k = 0; k < 20; ++k) mj_step(m.model, m.data);
      seconds += peers::cpu_time() - before;
      error = std::max(error, std::abs(m.energy() - start_energy));
    }
    best = std::min(best, seconds);
    const mjtNum* const last = m.data->xpos + 3 * (m.model->nbody - 1);
    const mjtNum* const axes = m.data->xmat + 9 * (m.model->nbody - 1);
    tip_error = std::hypot(last[0] + axes[0] - scenes::kChain10TipX, last[1] + axes[3] - scenes::kChain10TipY);
  }
  peers::report("run_chain", "RK4 1 ms", best, {{"energy_error", error}, {"tip_error", tip_error}});
}

std::string connect(const std::string& a, const std::string& b, const std::string& anchor, double step) {
  return fmt::format(
      "<connect body1=\"{}\" body2=\"{}\" anchor=\"{}\" solref=\"{:.17g} 1\" solimp=\"0.9999 0.9999 0.001\"/>\n", a, b,
      anchor, 2.0 * step);
}

std::string four_bars(std::size_t bays, double step) {
  std::string bodies, closures;
  for (std::size_t i = 0; i <= bays; ++i) {
    bodies +=
        fmt::format("<body name=\"u{0}\" pos=\"{0} 0 0\"><joint name=\"u{0}\" type=\"hinge\" axis=\"0 0 1\"/>\n", i);
    bodies += inertial("0 0.5 0", 1.0, 1.0 / 12, 0.01, 1.0 / 12);
    if (i < bays) {
      bodies +=
          fmt::format("<body name=\"b{0}\" pos=\"0 1 0\"><joint name=\"b{0}\" type=\"hinge\" axis=\"0 0 1\"/>\n", i);
      bodies += inertial("0.5 0 0", 1.0, 0.01, 1.0 / 12, 1.0 / 12) + "</body>\n";
      closures += connect(fmt::format("b{}", i), fmt::format("u{}", i + 1), "1 0 0", step);
    }
    bodies += "</body>\n";
  }
  return scene("0 -9.81 0", step, "RK4", bodies, closures);
}

void run_four_bars(std::size_t bays, double step) {
  const int steps = static_cast<int>(std::lround(10.0 / step));
  double best = 1e300, energy_error = 0.0, x_error = 0.0, gap = 0.0;
  for (int repetition = 0; repetition < 2; ++repetition) {
    Machine m(four_bars(bays, step));
    for (std::size_t i = 0; i <= bays; ++i) m.data->qvel[m.velocity_place(fmt::format("u{}", i))] = -1.0;
    for (std::size_t i = 0; i < bays; ++i) m.data->qvel[m.velocity_place(fmt::format("b{}", i))] = 1.0;
    // The state is watched in a run of its own: what is computed for that would serve the next step.
    if (repetition == 0) {
      const double start_energy = m.energy();
      scenes::FourBarsMotion exact(bays);
      for (int i = 0; i < steps; ++i) {
        mj_step(m.model, m.data);
        energy_error = std::fmax(energy_error, std::abs(m.energy() - start_energy));
        gap = std::fmax(gap, m.gap());
        x_error = std::fmax(x_error, std::abs(-std::sin(m.data->qpos[0]) - std::sin(exact.angle_at((i + 1) * step))));
      }
      continue;
    }
    const double before = peers::cpu_time();
    for (int i = 0; i < steps; ++i) mj_step(m.model, m.data);
    best = std::min(best, peers::cpu_time() - before);
  }
  peers::report("run_four_bars/" + std::to_string(bays) + "/20", fmt::format("connect, RK4 {} ms", 1e3 * step), best,
                {{"energy_error", energy_error}, {"x_error", x_error}, {"drift", gap}});
}

std::string engine(double step, bool fully_redundant) {
  using V6 = scenes::EngineV6;
  constexpr double kHalfPin = 0.01;
  std::string rods, pistons, closures;
  for (int i = 0; i < V6::kCylinders; ++i) {
    const V6::Cylinder c = V6::cylinder(i, 0.0);
    rods += fmt::format(
        "<body name=\"rod{0}\" pos=\"{1:.17g} {2:.17g} {3:.17g}\" axisangle=\"1 0 0 {4:.17g}\"><joint name=\"rod{0}\" "
        "type=\"hinge\" axis=\"1 0 0\"/>\n",
        i, V6::place(i), c.pin_y, c.pin_z, std::atan2(-c.rod_y, c.rod_z));
    rods += inertial(fmt::format("0 0 {}", V6::kRodCenter), V6::kRodMass, V6::kRodInertia, V6::kRodInertia,
                     V6::kRodInertiaAlong) +
            "</body>\n";
    pistons += fmt::format(
        "<body name=\"piston{0}\" pos=\"{1:.17g} {2:.17g} {3:.17g}\"><joint name=\"piston{0}\" type=\"slide\" axis=\"0 "
        "{4:.17g} {5:.17g}\"/>\n",
        i, V6::place(i), c.height * c.bore_y, c.height * c.bore_z, c.bore_y, c.bore_z);
    pistons +=
        inertial("0 0 0", V6::kPistonMass, V6::kPistonInertia, V6::kPistonInertia, V6::kPistonInertia) + "</body>\n";
    for (const double x : fully_redundant ? std::vector{-kHalfPin, kHalfPin} : std::vector{0.0}) {
      closures +=
          connect(fmt::format("rod{}", i), fmt::format("piston{}", i), fmt::format("{} 0 {}", x, V6::kRodLength), step);
    }
  }
  const std::string crank = "<body name=\"crank\"><joint name=\"crank\" type=\"hinge\" axis=\"1 0 0\"/>\n" +
                            inertial("0 0 0", V6::kCrankMass, V6::kCrankInertia, V6::kCrankInertia, V6::kCrankInertia) +
                            rods + "</body>\n";
  return scene(fmt::format("0 0 {}", -V6::kGravity), step, "RK4", crank + pistons, closures);
}

void run_engine(double step, bool fully_redundant) {
  using V6 = scenes::EngineV6;
  const int steps = static_cast<int>(std::lround(1.0 / step));
  Machine m(engine(step, fully_redundant));
  m.data->qvel[m.velocity_place("crank")] = -V6::kSpeed;
  for (int i = 0; i < V6::kCylinders; ++i) {
    const V6::Rates d = V6::rates(V6::cylinder(i, 0.0));
    m.data->qvel[m.velocity_place(fmt::format("rod{}", i))] = V6::kSpeed * (d.turn + 1.0);
    m.data->qvel[m.velocity_place(fmt::format("piston{}", i))] = V6::kSpeed * d.height;
  }
  const double start_energy = m.energy();
  const double before = peers::cpu_time();
  for (int i = 0; i < steps; ++i) mj_step(m.model, m.data);
  const double seconds = peers::cpu_time() - before;
  const double energy_error = std::abs(m.energy() - start_energy);
  const double angle_error = std::abs(-m.data->qpos[0] - scenes::EngineV6Motion().angle_at(1.0));
  peers::report("run_engine_v6/1000",
                fmt::format("connect, {} rows a loop, RK4 {} ms", fully_redundant ? 6 : 3, 1e3 * step), seconds,
                {{"energy_error", energy_error}, {"angle_error", angle_error}, {"drift", m.gap()}});
}

}  // namespace

int main() {
  for (const std::size_t links : {10, 100}) evaluate_chain(links);
  run_chain();
  for (const std::size_t bays : {1, 10, 40}) {
    for (const double step : {5e-3, 2e-3}) run_four_bars(bays, step);
  }
  for (const double step : {5e-4, 2e-4}) {
    for (const bool fully_redundant : {false, true}) run_engine(step, fully_redundant);
  }
}
