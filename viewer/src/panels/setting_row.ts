// One number of a model: its name, a slider where a range is known, a field, and a way back to what the model says.
import { type ModelSetting, fromShown, limitProblem, plainNumber, sliderRange, toShown } from '../data/model_settings';
import { prettyUnit } from '../data/units';
import { h, iconButton } from './dom';

/** A slider has that many steps: it moves in round numbers, not in pixels. */
const SLIDER_STEPS = 200;
/** Of numbers that nobody has written here: many follow from others. */
const COMPUTED_DIGITS = 5;

export class SettingRow {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement | null = null;
  private readonly field: HTMLInputElement;
  private readonly back: HTMLButtonElement;
  /** The value that counts; another one may be in the field while somebody types. */
  private text = '';

  /** `middle`: the value of the model, about which a slider without limits goes. */
  constructor(
    private readonly setting: ModelSetting,
    middle: number | undefined,
    private readonly change: (value: number | null) => void,
    label = setting.path,
  ) {
    const { path, doc, unit } = setting;
    this.field = h('input', { type: 'number', step: 'any', 'aria-label': path, class: 'setting-field' });
    this.field.addEventListener('change', () => this.take(this.field.value));
    this.field.addEventListener('input', () => this.check(this.field.value));
    this.field.addEventListener('blur', () => {
      this.field.value = this.text;
      this.check(this.text);
    });
    if (sliderRange(setting, middle)) {
      this.slider = h('input', { type: 'range', step: 'any', 'aria-label': `${path}, slider`, class: 'scrub' });
      const { slider } = this;
      slider.addEventListener('input', () => {
        const [value, low, high] = [slider.value, slider.min, slider.max].map(Number);
        this.take(plainNumber(rounded(value, low, high)));
      });
      this.setRange(middle);
    }
    this.back = iconButton('close', `${path} as in the model`, () => change(null), { class: 'tool small' });
    this.element = h(
      'div',
      { class: 'setting', 'data-path': path },
      h('span', { class: 'setting-name', title: doc ? `${path}: ${doc}` : path }, label),
      this.slider ?? h('span', {}),
      this.field,
      h('span', { class: 'setting-unit' }, prettyUnit(unit)),
      this.back,
      doc && h('small', {}, doc),
    );
  }

  /** `value`: SI; undefined: nothing is said about it. */
  show(value: number | undefined, isChanged: boolean): void {
    const digits = isChanged ? undefined : COMPUTED_DIGITS;
    this.text = value === undefined ? '' : plainNumber(toShown(this.setting, value), digits);
    if (!isChanged) this.setRange(value);
    // Somebody may be typing, or dragging: a slider that is held stays between two round numbers.
    if (document.activeElement !== this.field) this.field.value = this.text;
    const isHeld = this.slider !== null && document.activeElement === this.slider;
    const isNear = Math.abs(Number(this.slider?.value) - Number(this.text)) <= this.step;
    if (this.slider && !(isHeld && isNear)) this.slider.value = this.text;
    this.element.classList.toggle('changed', isChanged);
    this.back.style.visibility = isChanged ? '' : 'hidden';
    this.check(this.field.value);
  }

  private setRange(middle: number | undefined): void {
    const range = sliderRange(this.setting, middle);
    if (!this.slider || !range) return;
    const [low, high] = range.map((end) => toShown(this.setting, end)).sort((a, b) => a - b);
    this.slider.min = plainNumber(low);
    this.slider.max = plainNumber(high);
  }

  private get step(): number {
    return this.slider ? (Number(this.slider.max) - Number(this.slider.min)) / SLIDER_STEPS : 0;
  }

  private take(text: string): void {
    if (text.trim() === '') return this.change(null);
    if (!this.check(text)) return;
    this.change(fromShown(this.setting, Number(text)));
  }

  /** Says what is wrong with a number; true: nothing. */
  private check(text: string): boolean {
    const problem = text.trim() === '' ? '' : limitProblem(this.setting, fromShown(this.setting, Number(text)));
    this.field.setCustomValidity(problem);
    this.field.title = problem;
    this.field.setAttribute('aria-invalid', problem ? 'true' : 'false');
    return problem === '';
  }
}

/** The nearest number with few digits that a slider of so many steps can mean; its ends stay what they are. */
export function rounded(value: number, low: number, high: number): number {
  if (value <= low || value >= high) return value;
  const step = 10 ** Math.floor(Math.log10((high - low) / SLIDER_STEPS) + 0.5);
  return Math.min(high, Math.max(low, Math.round(value / step) * step));
}
