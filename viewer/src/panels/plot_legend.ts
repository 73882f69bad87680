// Names, colors and present values of the curves of a plot.
import { h, icon } from './dom';
import { longName } from './long_name';

export interface LegendCurve {
  channel: string;
  label: string;
  color: string;
  isSecond: boolean;
}

export class PlotLegend {
  readonly element = h('ul', { class: 'legend' });
  private readonly note = h('li', { hidden: true });
  private curves: readonly LegendCurve[] = [];
  private values: HTMLElement[] = [];

  /** Makes the lines anew only when there are others: buttons must stay while values change. */
  setCurves(curves: readonly LegendCurve[], remove: (channel: string) => void): void {
    if (curves === this.curves) return;
    this.curves = curves;
    this.values = curves.map(() => h('span', { class: 'legend-value' }));
    const items = curves.map((curve, i) => {
      const swatch = h('span', {
        class: curve.isSecond ? 'swatch dashed' : 'swatch',
        style: `--swatch:${curve.color}`,
      });
      const title = `Remove ${curve.channel}`;
      const button = h('button', {
        type: 'button',
        class: 'remove',
        title,
        'aria-label': title,
        onclick: () => remove(curve.channel),
      });
      button.append(icon('close'));
      return h(
        'li',
        { title: curve.label },
        swatch,
        longName(curve.label, 'legend-name'),
        this.values[i],
        !curve.isSecond && button,
      );
    });
    this.element.replaceChildren(...items, this.note);
  }

  setValues(values: string[], note: string): void {
    values.forEach((text, i) => (this.values[i].textContent = text));
    this.note.textContent = note;
    this.note.hidden = note === '';
  }
}
