// A row below the picture while arrows are drawn: their kinds, and bars as long as arrows of round values.
import { valueText } from '../data/units';
import type { ArrowLegend } from '../view/arrow_legend';
import type { Viewport } from '../view/viewport';
import { h, replace } from './dom';

function scaleItems({ scales, isLogarithmic }: ArrowLegend): HTMLElement[] {
  const groups = scales.map(({ kinds, unit, bars }) =>
    h(
      'li',
      {},
      ...kinds.map(({ name, color }) =>
        h('span', { class: 'arrow-kind' }, h('span', { class: 'swatch', style: `--swatch:${color.getStyle()}` }), name),
      ),
      ...bars.map(({ value, pixels }) =>
        h(
          'span',
          { class: 'arrow-scale' },
          h('span', { class: 'scale-bar', style: `width:${pixels.toFixed(1)}px` }),
          valueText(value, unit),
        ),
      ),
    ),
  );
  return isLogarithmic ? [...groups, h('li', { class: 'arrow-note' }, 'logarithmic')] : groups;
}

export function arrowLegendRow(viewport: Viewport): HTMLElement {
  const row = h('ul', { class: 'arrow-legend', 'aria-label': 'Scale of arrows', hidden: true });
  let shown = '';
  // Bars change with every turn of the wheel, and stay while the run is played.
  viewport.onDrawn(() => {
    const legend = viewport.arrowLegend();
    const key = JSON.stringify(legend);
    if (key === shown) return;
    shown = key;
    row.hidden = legend === null;
    replace(row, ...(legend ? scaleItems(legend) : []));
  });
  return row;
}
