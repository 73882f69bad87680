// Units for people. Numbers arrive in SI; `display` names the unit of each quantity.

/** Factor to SI of every unit symbol; powers and products are made of these. */
const SYMBOLS: Record<string, number> = {
  '%': 0.01,
  rad: 1,
  mrad: 1e-3,
  deg: Math.PI / 180,
  '°': Math.PI / 180,
  rev: 2 * Math.PI,
  m: 1,
  km: 1e3,
  dm: 0.1,
  cm: 1e-2,
  mm: 1e-3,
  um: 1e-6,
  µm: 1e-6,
  μm: 1e-6,
  nm: 1e-9,
  in: 0.0254,
  ft: 0.3048,
  kg: 1,
  g: 1e-3,
  mg: 1e-6,
  t: 1e3,
  lb: 0.45359237,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  min: 60,
  h: 3600,
  d: 86400,
  rpm: (2 * Math.PI) / 60,
  Hz: 1,
  kHz: 1e3,
  MHz: 1e6,
  mph: 0.44704,
  g0: 9.80665,
  N: 1,
  mN: 1e-3,
  kN: 1e3,
  MN: 1e6,
  lbf: 4.448221615,
  Pa: 1,
  kPa: 1e3,
  MPa: 1e6,
  bar: 1e5,
  J: 1,
  mJ: 1e-3,
  kJ: 1e3,
  MJ: 1e6,
  W: 1,
  mW: 1e-3,
  kW: 1e3,
  MW: 1e6,
  V: 1,
  A: 1,
  ohm: 1,
};

/** Factor of a unit such as `N*m` or `mm/s^2` to SI; null when it is not known. */
export function unitFactor(unit: string): number | null {
  let factor = 1;
  for (const [, operator, symbol, power] of `*${unit.trim()}`.matchAll(/([*/])([^*/^]+)(?:\^(-?\d+))?/g)) {
    const value = symbol.trim() === '1' ? 1 : SYMBOLS[symbol.trim()];
    if (value === undefined) return null;
    const exponent = Number(power ?? 1) * (operator === '/' ? -1 : 1);
    factor *= value ** exponent;
  }
  return factor;
}

export interface DisplayUnit {
  /** Empty for pure numbers. */
  symbol: string;
  /** Display value = SI value / factor. */
  factor: number;
}

/** Models write `rate` and `angular_acceleration`, results `angular rate` and `angular acceleration`. */
function plainName(quantity: string): string {
  return quantity === 'rate' ? 'angular rate' : quantity.replaceAll('_', ' ');
}

/** The unit of its own, that of its quantity, degrees for angles, or SI. */
export function displayUnit(display: [string, string][], quantity: string, siUnit: string, own?: string): DisplayUnit {
  const shown = display.find(([name]) => plainName(name) === plainName(quantity))?.[1];
  const wanted = own ?? shown ?? (quantity === 'angle' ? 'deg' : undefined);
  const factor = wanted === undefined ? null : unitFactor(wanted);
  return factor === null ? { symbol: siUnit, factor: 1 } : { symbol: wanted as string, factor };
}

/** Symbols as people print them: `N*m` becomes N·m, `m/s^2` becomes m/s². */
export function prettyUnit(symbol: string): string {
  if (symbol === '1') return '';
  const raised: Record<string, string> = { '2': '²', '3': '³', '4': '⁴' };
  return symbol.replace(/\*/g, '·').replace(/\^([234])/g, (_, digit: string) => raised[digit]);
}

/** Five digits at most, no trailing zeros, a true minus sign. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(3) : String(Number(value.toPrecision(5)));
  return text.replace(/\.?0+e/, 'e').replace(/-/g, '−');
}

export function valueText(value: number, unit: DisplayUnit): string {
  const symbol = prettyUnit(unit.symbol);
  const number = numberText(value / unit.factor);
  return symbol === '' ? number : `${number} ${symbol}`;
}

/** Decimals for times of a span, the same for all of them: a text must not jump while it runs. */
export function timeDecimals(span: number): number {
  return Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.max(1e-9, span)))));
}
