// One number of a model: its name, a slider where a range is known, a field, and a way back to what the model says.
import { type ModelSetting, fromShown, limitProblem, plainNumber, sliderRange, toShown } from '../data/model_settings';
import { prettyUnit } from '../data/units';
import { h, iconButton } from './dom';

/** A slider has that many steps: it moves in round numbers, not in pixels. */
const SLIDER_STEPS = 200;

export class SettingRow {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement | null = null;
  private readonly field: HTMLInputElement;
  private readonly back: HTMLButtonElement;

  /** `middle`: the value of the model, about which a slider without limits goes. */
  constructor(
    private readonly setting: ModelSetting,
    middle: number | undefined,
    private readonly change: (value: number | null) => void,
  ) {
    const { path, doc, unit } = setting;
    const range = sliderRange(setting, middle);
    this.field = h('input', { type: 'number', step: 'any', 'aria-label': path, class: 'setting-field' });
    this.field.addEventListener('change', () => this.take(this.field.value));
    this.field.addEventListener('input', () => this.check(this.field.value));
    if (range) {
      const [low, high] = range.map((end) => toShown(setting, end)).sort((a, b) => a - b);
      this.slider = h('input', {
        type: 'range',
        min: plainNumber(low),
        max: plainNumber(high),
        step: 'any',
        'aria-label': `${path}, slider`,
        class: 'scrub',
      });
      const { slider } = this;
      slider.addEventListener('input', () => this.take(plainNumber(rounded(Number(slider.value), low, high))));
    }
    this.back = iconButton('close', `${path} as in the model`, () => change(null), { class: 'tool small' });
    this.element = h(
      'div',
      { class: 'setting', 'data-path': path },
      h('span', { class: 'setting-name', title: doc ?? path }, path),
      this.slider ?? h('span', {}),
      this.field,
      h('span', { class: 'setting-unit' }, prettyUnit(unit)),
      this.back,
      doc && h('small', {}, doc),
    );
  }

  /** `value`: SI; undefined: nothing is said about it. */
  show(value: number | undefined, isChanged: boolean): void {
    const text = value === undefined ? '' : plainNumber(toShown(this.setting, value));
    // Somebody may be typing, or dragging.
    if (document.activeElement !== this.field || Number(this.field.value) !== Number(text)) this.field.value = text;
    if (this.slider && document.activeElement !== this.slider) this.slider.value = text;
    if (this.slider && Math.abs(Number(this.slider.value) - Number(text)) > this.step) this.slider.value = text;
    this.paintSlider();
    this.element.classList.toggle('changed', isChanged);
    this.back.style.visibility = isChanged ? '' : 'hidden';
    this.check(this.field.value);
  }

  private get step(): number {
    return this.slider ? (Number(this.slider.max) - Number(this.slider.min)) / SLIDER_STEPS : 0;
  }

  private paintSlider(): void {
    if (!this.slider) return;
    const [low, high, at] = [this.slider.min, this.slider.max, this.slider.value].map(Number);
    this.slider.style.setProperty('--share', `${(100 * (at - low)) / (high - low)}%`);
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
