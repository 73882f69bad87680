#include <fmt/format.h>

#include <algorithm>

#include "apps/gelenk/verb.h"
#include "gelenk/base/text.h"

// X(name, one line for the help): a new verb is its file verb_<name>.cc and one line here.
#define GELENK_VERBS(X)                                                       \
  X(demo, "simulate a crank-slider and say what to do next")                  \
  X(new, "start a model: write a small one with comments, free of errors")    \
  X(check, "report what is wrong with a model, or what is in it")             \
  X(run, "simulate a model and record its motion")                            \
  X(analyze, "find where a machine rests, how it swings, how it is led")      \
  X(generate, "write the equations: as text, LaTeX, C, a program of its own") \
  X(view, "watch a model or a run in the browser, with its plots")            \
  X(report, "write a page about a run: motion, loads, plots, verdict")        \
  X(compare, "show what differs between two runs")                            \
  X(plot, "plot a run: in the terminal, or to a PNG, SVG or PDF file")        \
  X(import, "make a model from a CAD assembly or robot: STEP, FreeCAD, URDF") \
  X(export, "write a run or model for others: CSV, HTML, video, glTF, STEP")  \
  X(edit, "change one element of a model file, keeping the rest")             \
  X(info, "show what is in a model, a results file or a component")           \
  X(verify, "check a run's numbers against its model, or a component's seal") \
  X(repair, "repair the file of a run that was killed")                       \
  X(seal, "seal a model as a component, to share without its contents")       \
  X(component, "try a sealed component before you use it")                    \
  X(trust, "make a key, or choose whose sealed components you trust")         \
  X(schema, "print the JSON Schema of the model file, for editors")           \
  X(explain, "explain an error code: cause, cure and an example")             \
  X(help, "show a topic, or the options of a verb")                           \
  X(doctor, "show how the program was built and what it finds here")          \
  X(completion, "print a script that completes commands in your shell")

namespace gelenk::app {

#define X(name, doc) Action describe_##name(Options& options);
GELENK_VERBS(X)
#undef X

namespace {

constexpr Verb kVerbs[] = {
#define X(name, doc) {#name, doc, describe_##name},
    GELENK_VERBS(X)
#undef X
};

// What people try, and what they look for.
struct OtherWords {
  std::string_view verb, words;
};
constexpr OtherWords kOtherWords[] = {
    {"run", "simulate sim solve start execute simulation"},
    {"view", "show open display animate animation watch play visualize viewer gui"},
    {"check", "validate lint test inspect build compile"},
    {"analyze",
     "analyse equilibrium rest static statics modes eigen eigenvalues frequencies linearize modal kinematics sweep "
     "inverse bode"},
    {"generate", "equations formulas symbolic codegen code_generation compile_equations latex derive"},
    {"new", "init create template"},
    {"plot", "draw graph chart"},
    {"export", "convert save video render csv"},
    {"import", "load read step urdf cad"},
    {"info", "list ls channels describe print"},
    {"compare", "diff"},
    {"report", "summary"},
    {"edit", "set add remove rename delete"},
    {"help", "man topics docs"},
    {"doctor", "env system diagnose"},
    {"seal", "pack package"},
    {"demo", "example examples tutorial"},
    {"--version", "version"},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

const Verb* find_verb(std::string_view name) {
  const auto* verb = std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& v) { return v.name == name; });
  return verb == std::end(kVerbs) ? nullptr : verb;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
  return names;
}

std::string verb_called(std::string_view word) {
  for (const OtherWords& one : kOtherWords) {
    const std::vector<std::string> words = split(one.words, ' ');
    if (std::find(words.begin(), words.end(), word) == words.end()) continue;
    const Verb* verb = find_verb(one.verb);
    return fmt::format("try 'gelenk {}'{}{}", one.verb, verb == nullptr ? "" : ": ", verb == nullptr ? "" : verb->doc);
  }
  return {};
}

DescribedVerb describe(const Verb& verb, Console& console) {
  DescribedVerb described;
  described.action = verb.describe(described.options);
  described.options.flags.push_back({"--json", "print one JSON object", &console.json});
  described.options.flags.push_back({"-q,--quiet", "no summary and no warnings", &console.quiet});
  return described;
}

}  // namespace gelenk::app
