#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/model/expand.h"
#include "gelenk/model/expand/channels.h"
#include "gelenk/model/expand/frame_channels.h"
#include "gelenk/model/expand/numbers.h"
#include "gelenk/model/expand/reports.h"

namespace gelenk::model::expanding {

// What only the formulas of one element know.
struct SignalLocals {
  std::optional<CoordinateUse> coordinate = {};  // of an actuator
  std::optional<std::size_t> index = {};         // of a repeated instance
  std::string_view element = {};                 // path of a force, whose states have short names in its formulas
  std::optional<ChannelUse> line = {};           // distance of the ends of a force along their line
  std::optional<CoordinateUse> follower = {};    // of a cam
  const Signal* length = nullptr;                // of a force along several lines, and its rate
  const Signal* speed = nullptr;
};

// The rate of a distance.
ChannelUse rate_of_distance(const ChannelUse& distance);

// Values that change: expressions and tables whose symbols are bound to parameters, time and channels. Makes
// Machine::inputs, and the inputs and outputs of instances, each when it is first needed.
class Signals {
 public:
  Signals(const ExpandOptions& options, Numbers& numbers, FrameChannels& frames, Channels& channels, Machine& machine,
          Diagnostics& diagnostics)
      : options_(options),
        numbers_(numbers),
        frames_(frames),
        channels_(channels),
        machine_(machine),
        diagnostics_(diagnostics) {}

  // Nothing when something is wrong, which is reported.
  std::optional<Signal> signal(const Value& value, std::string_view key, Quantity quantity, Instance& scope,
                               const SignalLocals& locals);
  // The value of a force from the formula in its descriptor, its keys put in. Nothing when something is wrong, which is
  // reported.
  std::optional<Signal> law(const Object& written, Instance& scope, const SignalLocals& locals);
  // The distance of two frames that are known to exist.
  std::optional<ChannelUse> distance(const std::string& from, const std::string& to, Instance& scope,
                                     const SourceRange& where);
  // Values that assemblies give each other: inputs, which the owner gives, and outputs, which the owner may read. Their
  // formulas are put in where they are read, so that switches, derivatives and times of jumps are those of one formula.
  // Null: reported.
  const Signal* input(Instance& scope, std::size_t number);
  const Signal* output(Instance& scope, std::size_t number);

 private:
  // What a name stands for: a symbol, or another signal.
  struct SymbolFound {
    SymbolUse use;
    const Signal* nested = nullptr;
    Dimension dimension;
    bool is_hertz = false;
  };
  std::optional<SymbolFound> symbol(const std::string& name, Instance& scope, const SignalLocals& locals,
                                    const SourceRange& where);
  // Symbols that only `locals` know.
  std::optional<SymbolFound> local_symbol(const std::string& name, const SignalLocals& locals) const;
  // Symbols bound, other signals put in; `shape` is what comes out. Dimensions of the result are not looked at.
  std::optional<Signal> bound_formula(const Value& value, const expression::Expression& formula, Instance& scope,
                                      const SignalLocals& locals, Quantified& shape);
  std::optional<Signal> table_signal(const Object& table, std::string_view key, Quantity quantity, Instance& scope,
                                     const SignalLocals& locals);
  std::optional<std::vector<double>> column(const Value& values, std::string_view key, Instance& scope,
                                            const Dimension* expected, Dimension& found);
  // `front.kinetic_energy`, `potential_energy`: of all that an assembly, or the one of the formula, has inside. Nothing
  // when the name is another; null: reported.
  std::optional<const Signal*> energy(const std::string& name, Instance& scope, const SourceRange& where);
  const Signal* nested_signal(Lazy<Signal>& slot, Instance& scope, const Object& written, std::string_view kind,
                              const std::function<std::optional<Signal>()>& compute);
  std::optional<Signal> input_uncached(Instance& scope, std::size_t number);
  std::optional<Signal> given_input(Instance& scope, const Object& written, const std::optional<Unit>& unit,
                                    const Quantified& declared, const Value& given, bool from_outside);
  // A signal that looks back to the start, with a state of its own: `kind` is integral, mean or rms.
  std::optional<Signal> running(const Signal& value, std::string_view kind, const Object& written, Instance& scope);
  // Its rate of change, where all that it reads has a channel of that.
  std::optional<Signal> derivative(const Signal& value);
  bool is_in_range(const Signal& key, const Field& field, Quantity quantity, const Value& value);
  // Every nested signal in its place.
  bool put_in(Signal& signal, const std::vector<SymbolFound>& found);

  const ExpandOptions& options_;
  Numbers& numbers_;
  FrameChannels& frames_;
  Channels& channels_;
  Machine& machine_;
  Diagnostics& diagnostics_;
  std::deque<Signal> energies_;            // of assemblies: SymbolFound points to them
  std::vector<std::string> signal_chain_;  // whose formulas are being made, each for the one before
};

}  // namespace gelenk::model::expanding
