// Numbers of a model that can be changed on the page before it is run. SI; people see and write them in `unit`.

export interface ModelSetting {
  path: string;
  doc?: string;
  /** SI; none: a start value that the model leaves open. */
  value?: number;
  min?: number;
  max?: number;
  unit: string;
  /** SI = number * factor + offset. */
  factor: number;
  offset?: number;
  /** The value is one that was chosen on the page. */
  isSet?: boolean;
}

/** Member `model` of a scene that can be run. */
export interface ModelSettings {
  file: string;
  version: number;
  parameters: ModelSetting[];
  starts: ModelSetting[];
  /** As the model says, s. */
  duration: number;
  ownDuration?: number;
}

/** What a run is to have other than the model; numbers in SI. */
export interface RunWish {
  parameters: Record<string, number>;
  starts: Record<string, number>;
  /** null: as the model says. */
  duration: number | null;
  /** The file of results stays, beside the model. */
  keep: boolean;
}

export const NO_WISH: RunWish = { parameters: {}, starts: {}, duration: null, keep: false };

export function toShown(setting: ModelSetting, value: number): number {
  return (value - (setting.offset ?? 0)) / setting.factor;
}

/** The number in SI; rounding does not carry it over a limit. */
export function fromShown(setting: ModelSetting, shown: number): number {
  const value = shown * setting.factor + (setting.offset ?? 0);
  const isNear = (limit: number) => Math.abs(value - limit) <= 1e-12 * Math.abs(limit);
  if (setting.min !== undefined && isNear(setting.min)) return setting.min;
  if (setting.max !== undefined && isNear(setting.max)) return setting.max;
  return value;
}

/** Why a value cannot be taken; empty: it can. */
export function limitProblem(setting: ModelSetting, value: number): string {
  if (!Number.isFinite(value)) return 'not a number';
  if (setting.min !== undefined && value < setting.min) return `at least ${plainNumber(toShown(setting, setting.min))}`;
  if (setting.max !== undefined && value > setting.max) return `at most ${plainNumber(toShown(setting, setting.max))}`;
  return '';
}

/** As fields take it: enough digits, none that come from rounding. */
export function plainNumber(value: number, digits = 12): string {
  return String(Number(value.toPrecision(digits)));
}

/** How far a slider goes below and above a value that has no limits, in parts of it. */
const LEAST_SHARE = 0.1;
const MOST_SHARE = 2;
/** A start angle may be any, half a turn to either side. */
const ANGLES = ['deg', 'rad'];

/**
 * The ends of a slider in SI: the limits, or where one is missing a range around the value of the model. Null: nothing
 * sensible is known.
 */
export function sliderRange(setting: ModelSetting, middle: number | undefined): [number, number] | null {
  const { min, max } = setting;
  if (min !== undefined && max !== undefined) return max > min ? [min, max] : null;
  const isAngle = ANGLES.includes(setting.unit);
  if (middle === undefined || (middle === 0 && !isAngle)) return null;
  const turn = Math.max(Math.PI, Math.abs(middle));
  const ends = isAngle ? [-turn, turn] : [LEAST_SHARE * middle, MOST_SHARE * middle].sort((a, b) => a - b);
  const range: [number, number] = [
    min ?? Math.min(ends[0], max ?? Infinity),
    max ?? Math.max(ends[1], min ?? -Infinity),
  ];
  return range[1] > range[0] ? range : null;
}

/** What was chosen on the page before it was loaded again. */
export function wishOf(settings: ModelSettings): RunWish {
  const chosen = (list: ModelSetting[]) =>
    Object.fromEntries(list.filter((each) => each.isSet).map((each) => [each.path, each.value as number]));
  return {
    ...NO_WISH,
    parameters: chosen(settings.parameters),
    starts: chosen(settings.starts),
    duration: settings.ownDuration ?? null,
  };
}
