#pragma once

namespace gelenk::integrate {

// Factors of the step length from errors in units of the tolerance: proportional-integral control (Gustafsson) with the
// constants that Hairer and Wanner give for Dormand-Prince (Solving ODEs II, IV.2). The integral part keeps steps that
// are bounded by stability from being rejected again and again.

// After an accepted step; previous_error is that of the accepted step before, 0: none.
double factor_after_success(double error, double previous_error, int error_order);
// After a step whose error was above 1, infinity allowed. Always below 1.
double factor_after_rejection(double error, int error_order);

// After a failed evaluation or projection nothing is known about the right length.
inline constexpr double kFactorAfterFailure = 0.25;

// First step of an adaptive method (Hairer, Nørsett, Wanner: Solving ODEs I, II.4). Norms in units of the tolerance.
// Step of the explicit Euler probe, from the norm of the rate: 1 % of the state, taken to be as large as its scale.
double first_probe(double rate_norm, double tolerance);
double first_step_length(double probe, double rate_norm, double change_norm, int error_order);

}  // namespace gelenk::integrate
