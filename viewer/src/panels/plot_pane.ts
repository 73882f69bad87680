// One plot: curves over time, with the time cursor of the scene.
import uPlot from 'uplot';
import type { Numbers, RunReader } from '../data/run';
import { numberText, prettyUnit } from '../data/units';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { runColor } from '../state/run_colors';
import type { PlotPane } from '../state/state';
import { h, iconButton, replace, save } from './dom';
import { type Curve, chosenRows, commonTimes, csvText, difference, resample } from './plot_data';
import { PlotLegend } from './plot_legend';
import { plotPicture } from './plot_picture';
import { CHANNEL_TYPE } from './tree_panel';

const COLORS = ['#1f6feb', '#d9480f', '#2b8a3e', '#ae3ec9', '#0b7285', '#c92a2a', '#946200', '#5f3dc4'];
const DARK_COLORS = ['#58a6ff', '#ff922b', '#69db7c', '#da77f2', '#3bc9db', '#ff8787', '#ffd43b', '#b197fc'];
const PIECES = 1500;

interface Drawn extends Curve {
  channel: string;
  color: string;
  isSecond: boolean;
}

export class PlotPaneView {
  readonly element: HTMLElement;
  private readonly legend = new PlotLegend();
  private readonly host = h('div', { class: 'plot-host' });
  private readonly diff = h(
    'button',
    { type: 'button', class: 'chip', title: 'Second run minus the first one' },
    'difference',
  );
  // Lines over the plot: moving them is much cheaper than drawing the plot anew.
  private readonly timeLine = h('div', { class: 'time-line' });
  private readonly markLine = h('div', { class: 'time-line mark' });
  private plot: uPlot | null = null;
  private curves: Drawn[] = [];
  private times: Numbers = new Float64Array(0);
  private shownKey = '';
  private loads = 0;

  constructor(
    private readonly session: Session,
    private readonly commands: Commands,
    private pane: PlotPane,
  ) {
    const tools = h(
      'div',
      { class: 'plot-tools', role: 'toolbar', 'aria-label': 'Plot' },
      this.diff,
      iconButton('fit', 'Show the whole time range (double click)', () =>
        commands.changePlot(this.pane.id, { span: null }),
      ),
      h(
        'button',
        { type: 'button', class: 'chip', title: 'Save the curves as a table', onclick: () => this.saveCsv() },
        'CSV',
      ),
      h(
        'button',
        { type: 'button', class: 'chip', title: 'Save the plot as a picture', onclick: () => this.savePng() },
        'PNG',
      ),
      iconButton('close', 'Close this plot', () => commands.removePlot(this.pane.id)),
    );
    this.element = h(
      'div',
      { class: 'plot', 'data-plot': pane.id, tabindex: -1 },
      h('div', { class: 'plot-head' }, this.legend.element, tools),
      this.host,
    );
    this.diff.addEventListener('click', () =>
      commands.changePlot(this.pane.id, { isDifference: !this.pane.isDifference }),
    );
    this.element.addEventListener('pointerdown', () => session.store.update({ activePlot: this.pane.id }));
    this.acceptDrops();
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  get id(): number {
    return this.pane.id;
  }

  setPane(pane: PlotPane): void {
    this.pane = pane;
    void this.load();
  }

  /** Data, runs or colors may have changed. */
  async load(): Promise<void> {
    const { state, run, comparedRun } = this.session;
    const key = JSON.stringify([
      this.pane.channels,
      this.pane.isDifference,
      state.run,
      state.compared,
      run?.number,
      comparedRun?.number,
      run?.times.length,
      comparedRun?.times.length,
      isDark(),
    ]);
    if (key !== this.shownKey) {
      this.shownKey = key;
      const load = ++this.loads;
      // What cannot be read has been reported already; the next change tries again.
      const curves = await this.readCurves().catch(() => [] as Drawn[]);
      if (load !== this.loads) return;
      this.curves = curves;
      this.times = this.allTimes();
      this.build();
    } else if (this.plot) {
      this.plot.setData(this.data(), false);
      this.setSpan();
    }
    this.diff.hidden = comparedRun === null;
    this.diff.setAttribute('aria-pressed', this.pane.isDifference ? 'true' : 'false');
    this.drawLegend();
  }

  /** The time cursor has moved. */
  showTime(): void {
    if (this.element.offsetParent === null) return;
    this.placeLines();
    this.drawLegend();
  }

  dispose(): void {
    this.plot?.destroy();
  }

  private async readCurves(): Promise<Drawn[]> {
    const { state, run, comparedRun } = this.session;
    const colors = isDark() ? DARK_COLORS : COLORS;
    if (!run) return [];
    const lists = await Promise.all(
      this.pane.channels.map(async (channel, i): Promise<Drawn[]> => {
        const unit = this.session.unitOf(channel);
        const scaled = (values: Numbers) => Float64Array.from(values, (value) => value / unit.factor);
        const first = scaled((await this.session.table(state.run)?.load(channel)) ?? new Float64Array(0));
        const common = { channel, unit: prettyUnit(unit.symbol), color: colors[i % colors.length] };
        const plain: Drawn = { ...common, label: channel, values: first, isSecond: false };
        const table = state.compared === null ? null : this.session.table(state.compared);
        if (!comparedRun || !table?.find(channel)) return [plain];
        const times = this.allTimes();
        const own = times === run.times ? first : resample(run.times, first, times);
        const second = resample(comparedRun.times, scaled(await table.load(channel)), times);
        if (this.pane.isDifference) return [{ ...plain, label: `Δ ${channel}`, values: difference(own, second) }];
        const label = (of: RunReader, number: string) => `${of.info.file || `${number} run`}: ${channel}`;
        return [
          { ...plain, label: label(run, 'first'), color: runColor('first', isDark(), i), values: own },
          {
            ...common,
            label: label(comparedRun, 'second'),
            color: runColor('second', isDark(), i),
            values: second,
            isSecond: true,
          },
        ];
      }),
    );
    return lists.flat();
  }

  /** Those of both runs where two are compared. */
  private allTimes(): Numbers {
    const { run, comparedRun } = this.session;
    const none = new Float64Array(0);
    return comparedRun ? commonTimes(run?.times ?? none, comparedRun.times) : (run?.times ?? none);
  }

  private data(): uPlot.AlignedData {
    const [from, to] = this.pane.span ?? [-Infinity, Infinity];
    const rows = chosenRows(
      this.times,
      this.curves.map((curve) => curve.values),
      from,
      to,
      PIECES,
    );
    const pick = (values: Numbers) => Float64Array.from(rows, (row) => values[row] ?? NaN);
    // Gaps are null in a plot; NaN would break its scales.
    const clean = (values: Float64Array) => Array.from(values, (value) => (Number.isFinite(value) ? value : null));
    return [pick(this.times), ...this.curves.map((curve) => clean(pick(curve.values)))];
  }

  private build(): void {
    this.plot?.destroy();
    this.plot = null;
    if (this.curves.length === 0) {
      replace(
        this.host,
        h('p', { class: 'hint drop-hint' }, 'Drag a channel here from the tree, or use the plus beside it.'),
      );
      return;
    }
    replace(this.host);
    const style = getComputedStyle(this.element);
    const ink = style.getPropertyValue('--ink-soft').trim();
    const line = style.getPropertyValue('--line').trim();
    const units = [...new Set(this.curves.map((curve) => curve.unit))];
    const font = `11px ${style.fontFamily}`;
    const axis = (scale: string, side: 1 | 3): uPlot.Axis => {
      return {
        scale,
        side,
        stroke: ink,
        font,
        labelFont: font,
        label: scale === 'none' ? '' : scale,
        labelSize: 16,
        size: 52,
        labelGap: 0,
        grid: { show: side === 3, stroke: line, width: 1 },
        ticks: { show: false },
        values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : numberText(tick))),
      };
    };
    const options: uPlot.Options = {
      width: Math.max(120, this.host.clientWidth),
      height: Math.max(90, this.host.clientHeight),
      legend: { show: false },
      cursor: {
        drag: { x: true, y: false, setScale: false },
        points: { size: 5 },
        sync: { key: 'gelenk', setSeries: false },
      },
      scales: { x: { time: false } },
      axes: [
        {
          stroke: ink,
          font,
          grid: { stroke: line, width: 1 },
          ticks: { show: false },
          size: 26,
          values: (_, ticks) => ticks.map((tick) => `${numberText(tick)} s`),
        },
        ...units.slice(0, 2).map((unit, i) => axis(unit || 'none', i === 0 ? 3 : 1)),
      ],
      series: [
        {},
        ...this.curves.map((curve) => ({
          label: curve.label,
          scale: curve.unit || 'none',
          stroke: curve.color,
          width: 1.5,
          dash: curve.isSecond ? [5, 4] : [],
          points: { show: false },
        })),
      ],
      hooks: {
        draw: [() => this.placeLines()],
        setSelect: [(plot) => this.zoom(plot)],
        ready: [(plot) => this.listen(plot)],
      },
    };
    this.plot = new uPlot(options, this.data(), this.host);
    this.setSpan();
  }

  private listen(plot: uPlot): void {
    plot.over.append(this.timeLine, this.markLine);
    plot.over.addEventListener('click', (event) => {
      if (plot.select.width > 2) return;
      const time = plot.posToVal(event.offsetX, 'x');
      if (!event.shiftKey) this.commands.seek(time);
      else this.commands.mark(this.session.state.marker === null ? time : null);
    });
    plot.over.addEventListener('dblclick', () => this.commands.changePlot(this.pane.id, { span: null }));
    plot.over.title = 'Click: go to this time. Drag: zoom. Double click: all. Shift+click: second cursor.';
  }

  private zoom(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    const span: [number, number] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.commands.changePlot(this.pane.id, { span });
  }

  private setSpan(): void {
    const [min, max] = this.pane.span ?? [this.times[0] ?? 0, this.times[this.times.length - 1] ?? 1];
    this.plot?.setScale('x', { min, max: max > min ? max : min + 1 });
  }

  private placeLines(): void {
    const { time, marker } = this.session.state;
    const place = (line: HTMLElement, at: number | null) => {
      const x = at === null || !this.plot ? NaN : this.plot.valToPos(at, 'x');
      const isInside = x >= 0 && x <= (this.plot?.over.clientWidth ?? 0);
      line.style.display = isInside ? '' : 'none';
      if (isInside) line.style.transform = `translateX(${x.toFixed(1)}px)`;
    };
    place(this.timeLine, time);
    place(this.markLine, marker);
  }

  private drawLegend(): void {
    const { time, marker } = this.session.state;
    const at = (curve: Drawn, t: number) => resample(this.times, curve.values, Float64Array.of(t))[0];
    this.legend.setCurves(this.curves, (channel) => this.commands.removeCurve(this.pane.id, channel));
    const values = this.curves.map((curve) => {
      const value = at(curve, time);
      if (!Number.isFinite(value)) return '';
      const change = marker === null ? '' : ` (Δ ${numberText(value - at(curve, marker))})`;
      return `${numberText(value)}${change} ${curve.unit}`;
    });
    this.legend.setValues(values, marker === null ? '' : `Δt ${numberText(time - marker)} s`);
  }

  private acceptDrops(): void {
    this.element.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes(CHANNEL_TYPE)) return;
      event.preventDefault();
      this.element.classList.add('drop');
    });
    this.element.addEventListener('dragleave', () => this.element.classList.remove('drop'));
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.element.classList.remove('drop');
      const text = event.dataTransfer?.getData(CHANNEL_TYPE);
      if (text) for (const channel of JSON.parse(text) as string[]) this.commands.plot(channel, this.pane.id);
    });
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (this.plot && width > 0 && height > 0) this.plot.setSize({ width, height });
  }

  /** The curves as text; what is zoomed away is left out. */
  csv(): string {
    const [from, to] = this.pane.span ?? [-Infinity, Infinity];
    const rows = chosenRows(this.times, [], from, to, Infinity);
    const pick = (values: Numbers) => Float64Array.from(rows, (row) => values[row] ?? NaN);
    return csvText(
      pick(this.times),
      this.curves.map((curve) => ({ ...curve, values: pick(curve.values) })),
    );
  }

  private saveCsv(): void {
    save(new Blob([this.csv()], { type: 'text/csv' }), `${this.session.source.scene.name || 'plot'}.csv`);
  }

  private savePng(): void {
    if (!this.plot) return;
    const paper = getComputedStyle(this.element).getPropertyValue('--panel').trim();
    plotPicture(this.plot.ctx.canvas, this.curves, paper).toBlob((blob) => {
      if (blob) save(blob, `${this.session.source.scene.name || 'plot'}_plot.png`);
    });
  }
}

function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark';
}
