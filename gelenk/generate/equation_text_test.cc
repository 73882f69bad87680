#include "gelenk/generate/equation_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "gelenk/minimal/traced_machine.h"
#include "gelenk/symbolic/traced.h"

namespace gelenk::generate::equation_text_test {
namespace {

using symbolic::Graph;
using symbolic::Id;
using symbolic::Traced;

// A machine that moves in a plane, x to the right and y up, from where its bodies are.
class PlanarMachine {
 public:
  minimal::TracedMachine machine;

  PlanarMachine() { machine.time = graph().symbol("time", symbolic::Symbol::Kind::variable); }

  Traced coordinate(const std::string& name, const std::string& unit) {
    machine.positions.push_back({name, unit, 0.0});
    machine.x.push_back(graph().symbol(name, symbolic::Symbol::Kind::variable));
    return formula(machine.x.back());
  }
  // After all coordinates.
  void begin_motion() {
    for (const minimal::NamedNumber& position : machine.positions) {
      machine.rates.push_back({position.name + "_rate", position.unit + "/s", 0.0});
      machine.v.push_back(graph().symbol(machine.rates.back().name, symbolic::Symbol::Kind::variable));
    }
    mass_.assign(machine.v.size() * machine.v.size(), Traced(0.0));
    force_.assign(machine.v.size(), Traced(0.0));
    machine.position_rates = machine.v;
  }
  Traced rate(std::size_t number) { return formula(machine.v[number]); }
  Traced parameter(const std::string& name, const std::string& unit, double value) {
    machine.parameters.push_back({name, unit, value});
    machine.p.push_back(graph().symbol(name, symbolic::Symbol::Kind::parameter, value));
    return formula(machine.p.back());
  }
  Traced state(const std::string& name) {
    machine.states.push_back({name, "SI", 0.0});
    machine.s.push_back(graph().symbol(name, symbolic::Symbol::Kind::variable));
    return formula(machine.s.back());
  }
  Traced time() { return formula(machine.time); }

  // M = Σ m Jᵀ J + J_C, f = -Σ m Jᵀ (J̇ v) + weights
  void body(const Traced& mass, const Traced& x, const Traced& y, const Traced& gravity) {
    const std::size_t n = machine.v.size();
    for (const auto& [position, weight] : {std::pair(x, Traced(0.0)), std::pair(y, -(mass * gravity))}) {
      std::vector<Traced> J;
      Traced bias(0.0);
      for (std::size_t i = 0; i < n; ++i) J.push_back(derivative(position, i));
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) bias += derivative(J[i], k) * rate(i) * rate(k);
      }
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) mass_[i * n + k] += mass * J[i] * J[k];
        force_[i] += J[i] * (weight - mass * bias);
      }
    }
  }
  void inertia(const Traced& inertia, const Traced& angle) {
    const std::size_t n = machine.v.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) mass_[i * n + k] += inertia * derivative(angle, i) * derivative(angle, k);
    }
  }
  void load(std::size_t number, const Traced& force) { force_[number] += force; }

  // c = 0; C and g follow from it.
  void row(const std::string& name, const Traced& value) {
    const std::size_t n = machine.v.size();
    Traced bias(0.0);
    machine.rows.push_back(name);
    machine.row_values.push_back(id(value));
    machine.row_rates.push_back(id(Traced(0.0)));
    for (std::size_t i = 0; i < n; ++i) {
      const Traced column = derivative(value, i);
      machine.row_matrix.push_back(id(column));
      for (std::size_t k = 0; k < n; ++k) bias += derivative(column, k) * rate(i) * rate(k);
    }
    machine.row_biases.push_back(id(-bias));
  }
  void state_rate(const Traced& value) { machine.state_rates.push_back(id(value)); }

  std::string text(Notation notation = Notation::text) {
    machine.mass.clear();
    machine.force.clear();
    for (const Traced& entry : mass_) machine.mass.push_back(id(entry));
    for (const Traced& entry : force_) machine.force.push_back(id(entry));
    return equation_text(machine, notation);
  }

 private:
  Graph& graph() { return machine.graph; }
  Traced formula(Id id) { return {graph(), id}; }
  Id id(const Traced& formula) { return formula.in(graph()); }
  Traced derivative(const Traced& formula, std::size_t coordinate) {
    return this->formula(symbolic::differentiate(graph(), std::array{id(formula)}, machine.x[coordinate])[0]);
  }

  std::vector<Traced> mass_, force_;
};

// What comes after a heading.
std::string section(const std::string& text, const std::string& heading) {
  const std::size_t begin = text.find("\n\n" + heading);
  if (begin == std::string::npos) return "no " + heading;
  const std::size_t first = text.find('\n', begin + 2) + 1;
  return text.substr(first, text.find("\n\n", first) - first);
}

PlanarMachine pendulum() {
  PlanarMachine m;
  const Traced q = m.coordinate("hinge.angle", "rad");
  m.begin_motion();
  const Traced mass = m.parameter("bob.mass", "kg", 1.5), c = m.parameter("bob.center.y", "m", 0.4);
  const Traced J = m.parameter("bob.inertia.zz", "kg*m^2", 0.02), g = m.parameter("gravity", "m/s^2", 9.80665);
  m.body(mass, c * sin(q), -(c * cos(q)), g);
  m.inertia(J, q);
  m.load(0, -(m.parameter("hinge_friction.damping", "N*m*s/rad", 2e-7) * m.rate(0)));
  return m;
}

TEST(EquationText, Pendulum) {
  EXPECT_EQ(pendulum().text(), R"(Equations of motion: 1 coordinate, no loops

Coordinates
  q1 = "hinge.angle" (rad)

Bodies
  1 = "bob"

Parameters
  m1 = 1.5 kg           "bob.mass"
  c1 = 0.4 m            "bob.center.y"
  J1 = 0.02 kg*m^2      "bob.inertia.zz"
  g  = 9.80665 m/s^2    "gravity"
  d1 = 2e-07 N*m*s/rad  "hinge_friction.damping"

Motion
  (m1 c1^2 + J1) q1'' = -d1 q1' - m1 g c1 sin(q1)
)");
}

TEST(EquationText, PendulumInLatex) {
  EXPECT_EQ(pendulum().text(Notation::latex), R"(% needs \usepackage{amsmath}
\begingroup\allowdisplaybreaks
\noindent Equations of motion: 1 coordinate, no loops.

\medskip\noindent\textbf{Coordinates}
\begin{align*}
  q_1 &= \text{``hinge.angle''}\ (\mathrm{rad})
\end{align*}

\medskip\noindent\textbf{Bodies}
\begin{align*}
  1 &= \text{``bob''}
\end{align*}

\medskip\noindent\textbf{Parameters}
\begin{align*}
  m_1 &= 1.5\,\mathrm{kg} && \text{``bob.mass''} \\
  c_1 &= 0.4\,\mathrm{m} && \text{``bob.center.y''} \\
  J_1 &= 0.02\,\mathrm{kg\,m^2} && \text{``bob.inertia.zz''} \\
  g &= 9.80665\,\mathrm{m/s^2} && \text{``gravity''} \\
  d_1 &= 2 \cdot 10^{-7}\,\mathrm{N\,m\,s/rad} && \text{``hinge\_friction.damping''}
\end{align*}

\medskip\noindent\textbf{Motion}
\begin{align*}
  & (m_1 c_1^2 + J_1) \ddot{q}_1 = -d_1 \dot{q}_1 - m_1 g c_1 \sin(q_1)
\end{align*}
\endgroup
)");
}

// Two arms, the second angle either against the first arm or against the vertical; sines and cosines are those of the
// angles alone.
PlanarMachine double_pendulum(bool is_relative) {
  PlanarMachine m;
  const Traced q1 = m.coordinate("shoulder.angle", "rad"), q2 = m.coordinate("elbow.angle", "rad");
  m.begin_motion();
  const Traced m1 = m.parameter("upper.mass", "kg", 2.0), c1 = m.parameter("upper.center.y", "m", 0.2);
  const Traced inertia_1 = m.parameter("upper.inertia.zz", "kg*m^2", 0.02), l2 = m.parameter("elbow.from.y", "m", 0.4);
  const Traced m2 = m.parameter("lower.mass", "kg", 1.0), c2 = m.parameter("lower.center.y", "m", 0.15);
  const Traced inertia_2 = m.parameter("lower.inertia.zz", "kg*m^2", 0.01), g = m.parameter("gravity", "m/s^2", 9.81);
  const Traced s = is_relative ? sin(q1) * cos(q2) + cos(q1) * sin(q2) : sin(q2);
  const Traced c = is_relative ? cos(q1) * cos(q2) - sin(q1) * sin(q2) : cos(q2);
  m.body(m1, c1 * sin(q1), -(c1 * cos(q1)), g);
  m.inertia(inertia_1, q1);
  m.body(m2, l2 * sin(q1) + c2 * s, -(l2 * cos(q1) + c2 * c), g);
  m.inertia(inertia_2, is_relative ? q1 + q2 : q2);
  return m;
}

TEST(EquationText, DoublePendulumWithRelativeAngles) {
  EXPECT_EQ(section(double_pendulum(true).text(), "Motion"),
            R"(  (m1 c1^2 + J1 + m2 (l2^2 + c2^2 + 2 l2 c2 cos(q2)) + J2) q1''
        + (m2 c2^2 + J2 + m2 l2 c2 cos(q2)) q2''
      = m2 l2 c2 sin(q2) (2 q1' q2' + q2'^2) - g (m1 c1 + m2 l2) sin(q1) - m2 g c2 sin(q1 + q2)
  (m2 c2^2 + J2 + m2 l2 c2 cos(q2)) q1'' + (m2 c2^2 + J2) q2''
      = -m2 l2 c2 sin(q2) q1'^2 - m2 g c2 sin(q1 + q2)
)");
}

TEST(EquationText, DoublePendulumWithAbsoluteAngles) {
  EXPECT_EQ(section(double_pendulum(false).text(), "Motion"),
            R"(  (m1 c1^2 + J1 + m2 l2^2) q1'' + m2 l2 c2 cos(q1 - q2) q2''
      = -m2 l2 c2 sin(q1 - q2) q2'^2 - g (m1 c1 + m2 l2) sin(q1)
  m2 l2 c2 cos(q1 - q2) q1'' + (m2 c2^2 + J2) q2'' = m2 l2 c2 sin(q1 - q2) q1'^2 - m2 g c2 sin(q2)
)");
}

PlanarMachine cart_pole() {
  PlanarMachine m;
  const Traced x = m.coordinate("rail.travel", "m"), q = m.coordinate("pivot.angle", "rad");
  m.begin_motion();
  const Traced m1 = m.parameter("cart.mass", "kg", 2.0), m2 = m.parameter("pole.mass", "kg", 0.5);
  const Traced c2 = m.parameter("pole.center.y", "m", 0.4), inertia_2 = m.parameter("pole.inertia.zz", "kg*m^2", 0.02);
  const Traced g = m.parameter("gravity", "m/s^2", 9.81);
  m.body(m1, x, Traced(0.0), g);
  m.body(m2, x + c2 * sin(q), c2 * cos(q), g);
  m.inertia(inertia_2, q);
  const Traced drift = m.state("motor.drift");
  m.load(0, m.parameter("motor.gain", "SI", 90.0) * q + Traced(14.0) * m.rate(0) + Traced(0.5) * drift);
  m.state_rate(x - Traced(0.25) * sin(Traced(3.0) * m.time()));
  return m;
}

TEST(EquationText, CartPole) {
  const std::string text = cart_pole().text();
  EXPECT_EQ(section(text, "Coordinates"),
            "  q1 = \"rail.travel\" (m)\n  q2 = \"pivot.angle\" (rad)\n"
            "  s1 = \"motor.drift\" (SI)");
  EXPECT_EQ(section(text, "Motion"),
            R"(  (m1 + m2) q1'' + m2 c2 cos(q2) q2'' = m2 c2 sin(q2) q2'^2 + 14 q1' + gain q2 + 1/2 s1
  m2 c2 cos(q2) q1'' + (m2 c2^2 + J2) q2'' = m2 g c2 sin(q2))");
  EXPECT_EQ(section(text, "Rates"), "  s1' = q1 - 1/4 sin(3 t)\n");
}

// A crank, and a rod whose end stays on the x axis at the third coordinate.
PlanarMachine crank_slider() {
  PlanarMachine m;
  const Traced q1 = m.coordinate("crank_bearing.angle", "rad"), q2 = m.coordinate("pin.angle", "rad");
  const Traced q3 = m.coordinate("bore.travel", "m");
  m.begin_motion();
  const Traced inertia_1 = m.parameter("crank.inertia.zz", "kg*m^2", 0.02), l2 = m.parameter("pin.from.x", "m", 0.05);
  const Traced m2 = m.parameter("piston.mass", "kg", 0.5), a = m.parameter("wrist.first.x", "m", 0.15);
  const Traced c = cos(q1) * cos(q2) - sin(q1) * sin(q2), s = sin(q1) * cos(q2) + cos(q1) * sin(q2);
  m.inertia(inertia_1, q1);
  m.body(m2, q3, Traced(0.0), Traced(0.0));
  m.row("wrist", q3 - (l2 * cos(q1) + a * c));
  m.row("wrist", l2 * sin(q1) + a * s);
  m.row("wrist", Traced(0.0));
  m.row("motor", q1 - Traced(6.0) * m.time());
  return m;
}

TEST(EquationText, RowsOfLoops) {
  const std::string text = crank_slider().text();
  EXPECT_TRUE(text.starts_with("Equations of motion: 3 coordinates, 4 rows of loops\n")) << text;
  EXPECT_EQ(section(text, "Motion"), R"(  J1 q1'' = C11 lambda1 + C21 lambda2 + lambda4
  0 = a1 sin(q1 + q2) lambda1 + a1 cos(q1 + q2) lambda2
  m2 q3'' = lambda1)");
  EXPECT_EQ(section(text, "Loops"), R"(  row 1, wrist:
  q3 - l2 cos(q1) - a1 cos(q1 + q2) = 0
  C11 q1'' + a1 sin(q1 + q2) q2'' + q3'' = -l2 cos(q1) q1'^2 - a1 cos(q1 + q2) (q1' + q2')^2
  row 2, wrist:
  l2 sin(q1) + a1 sin(q1 + q2) = 0
  C21 q1'' + a1 cos(q1 + q2) q2'' = l2 sin(q1) q1'^2 + a1 sin(q1 + q2) (q1' + q2')^2
  row 3, wrist: always met
  row 4, motor:
  q1 - 6 t = 0
  q1'' = 0)");
  EXPECT_EQ(section(text, "With"), "  C11 = l2 sin(q1) + a1 sin(q1 + q2)\n  C21 = l2 cos(q1) + a1 cos(q1 + q2)\n");
}

TEST(EquationText, LongFunctionsGetNames) {
  PlanarMachine m;
  const Traced q = m.coordinate("rail.travel", "m");
  m.begin_motion();
  const Traced m1 = m.parameter("cart.mass", "kg", 2.0), k = m.parameter("strut.stiffness", "N/m", 300.0);
  const Traced L = m.parameter("strut.free_length", "m", 0.5), b = m.parameter("strut.second.y", "m", 0.3);
  m.body(m1, q, Traced(0.0), Traced(0.0));
  const Traced x = q - m.parameter("strut.second.x", "m", 0.7);
  const Traced length = sqrt(x * x + b * b);
  m.load(0, -(k * (length - L) * (x / length)));
  const std::string text = m.text();
  EXPECT_EQ(section(text, "Motion"), "  m1 q1'' = k1 (1 - L1 / r1) (b1x - q1)");
  EXPECT_EQ(section(text, "With"), "  r1 = sqrt((b1x - q1)^2 + b1y^2)\n");
  const std::string latex = m.text(Notation::latex);
  EXPECT_NE(latex.find("  & m_1 \\ddot{q}_1 = k_1 (1 - \\frac{L_1}{r_1}) (b_{1x} - q_1)\n"), std::string::npos)
      << latex;
}

TEST(EquationText, NamesDoNotCollide) {
  PlanarMachine m;
  const Traced q = m.coordinate("slide.travel", "m");
  m.begin_motion();
  const Traced m1 = m.parameter("a.mass", "kg", 2.0), m2 = m.parameter("b.mass", "kg", 3.0);
  m.body(m1 + m2, q, Traced(0.0), Traced(0.0));
  Traced sum(0.0);
  for (const char* const name : {"m1", "q1", "M11", "t", "first.gain", "second.gain", "law/gain", "a-b.c-d", "step"}) {
    sum += m.parameter(name, "SI", 5.0);
  }
  m.load(0, sum * q);
  const std::string text = m.text();
  for (const char* const name :
       {"m1", "m2", "m1_b", "q1", "q1_b", "M11_b", "t_b", "gain", "gain_b", "gain_c", "c_d", "step_b"}) {
    const std::string line = std::string("\n  ") + name + " ";
    const std::size_t first = text.find(line);
    EXPECT_NE(first, std::string::npos) << name << "\n" << text;
    EXPECT_EQ(text.find(line + std::string(7 - std::string(name).size(), ' ') + "=", first + 1), std::string::npos);
  }
}

TEST(EquationText, FreeOrientation) {
  minimal::TracedMachine machine;
  Graph& graph = machine.graph;
  std::vector<Traced> e, w, J;
  for (const char* const part : {"q0", "q1", "q2", "q3"}) {
    machine.positions.push_back({std::string("top.orientation.") + part, "1", 0.0});
    machine.x.push_back(graph.symbol(part, symbolic::Symbol::Kind::variable));
    e.emplace_back(graph, machine.x.back());
  }
  for (const std::string axis : {"x", "y", "z"}) {
    machine.rates.push_back({"top.angular_velocity." + axis, "rad/s", 0.0});
    machine.v.push_back(graph.symbol(axis, symbolic::Symbol::Kind::variable));
    w.emplace_back(graph, machine.v.back());
    machine.parameters.push_back({"top.inertia." + axis + axis, "kg*m^2", 0.1});
    machine.p.push_back(graph.symbol(axis + axis, symbolic::Symbol::Kind::parameter));
    J.emplace_back(graph, machine.p.back());
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    for (std::size_t column = 0; column < 3; ++column) {
      machine.mass.push_back((column == i ? J[i] : Traced(0.0)).in(graph));
    }
    machine.force.push_back((w[j] * w[k] * (J[j] - J[k])).in(graph));
  }
  const Traced half(0.5);
  for (const Traced& rate :
       {-(half * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2])), half * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
        half * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]), half * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0])}) {
    machine.position_rates.push_back(rate.in(graph));
  }
  const std::string text = equation_text(machine, Notation::text);
  EXPECT_NE(text.find("  w3 = \"top.angular_velocity.z\" (rad/s)\n  e1^2 + e2^2 + e3^2 + e4^2 = 1\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(section(text, "Motion"), R"(  J1xx w1' = (J1yy - J1zz) w2 w3
  J1yy w2' = -(J1xx - J1zz) w1 w3
  J1zz w3' = (J1xx - J1yy) w1 w2)");
  EXPECT_EQ(section(text, "Rates"), R"(  e1' = -1/2 (e2 w1 + e3 w2 + e4 w3)
  e2' = 1/2 (e1 w1 + e3 w3 - e4 w2)
  e3' = 1/2 (e1 w2 - e2 w3 + e4 w1)
  e4' = 1/2 (e1 w3 + e2 w2 - e3 w1)
)");
  EXPECT_NE(equation_text(machine, Notation::latex).find("  & J_{1xx} \\dot{\\omega}_1 = "), std::string::npos);
}

// A chain of five arms: too long to be written out.
PlanarMachine chain(std::size_t arms) {
  PlanarMachine m;
  std::vector<Traced> q;
  for (std::size_t i = 0; i < arms; ++i) q.push_back(m.coordinate("hinge_" + std::to_string(i + 1) + ".angle", "rad"));
  m.begin_motion();
  const Traced g = m.parameter("gravity", "m/s^2", 9.81), mass = m.parameter("arm.mass", "kg", 2.0);
  const Traced l = m.parameter("hinge_2.from.y", "m", 0.3);
  Traced x(0.0), y(0.0), s(0.0), c(1.0);
  for (std::size_t i = 0; i < arms; ++i) {
    const Traced next = s * cos(q[i]) + c * sin(q[i]);
    c = c * cos(q[i]) - s * sin(q[i]);
    s = next;
    x += l * s;
    y -= l * c;
    m.body(mass, x, y, g);
  }
  return m;
}

TEST(EquationText, LargeMachinesAreWrittenInSteps) {
  const std::string text = chain(5).text();
  EXPECT_EQ(section(text, "Motion"), "  v    = (q1', q2', q3', q4', q5')\n  M v' = f");
  EXPECT_EQ(section(text, "Steps that"), "  t1 = g m1");
  EXPECT_NE(text.find("\n  M55 = "), std::string::npos);
  EXPECT_NE(text.find("\n  f5 = "), std::string::npos);
  EXPECT_EQ(text.find("q1''"), std::string::npos);
}

// What compiles has its braces and environments closed, and one sign of alignment a line, or two with a note.
void expect_sound_latex(const std::string& text) {
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  bool is_aligned = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line == "\\end{align*}") is_aligned = false;
    const auto marks = std::count(line.begin(), line.end(), '&');
    EXPECT_TRUE(is_aligned ? marks == 1 || marks == 3 : marks == 0) << line;
    EXPECT_EQ(std::count(line.begin(), line.end(), '('), std::count(line.begin(), line.end(), ')')) << line;
    if (line == "\\begin{align*}") is_aligned = true;
  }
  EXPECT_FALSE(is_aligned);
}

TEST(EquationText, LatexIsSound) {
  expect_sound_latex(double_pendulum(true).text(Notation::latex));
  expect_sound_latex(cart_pole().text(Notation::latex));
  expect_sound_latex(crank_slider().text(Notation::latex));
}

}  // namespace
}  // namespace gelenk::generate::equation_text_test
