// The page as a whole: where panels are, and what watches them.
import type { Commands } from '../state/commands';
import type { ModelPage } from '../state/model_page';
import type { Session } from '../state/session';
import { runColor } from '../state/run_colors';
import type { SheetTab, SidePanel } from '../state/state';
import type { Viewport } from '../view/viewport';
import { arrowLegendRow } from './arrow_legend_row';
import { failureBanner, noticeLine } from './banner';
import { h } from './dom';
import { gizmo } from './gizmo';
import { Inspector } from './inspector';
import { KeyHelp } from './key_help';
import { listenToKeys } from './keyboard';
import { measureRow } from './measure_row';
import { modelBanner } from './model_banner';
import { NotesPanel } from './notes_panel';
import { PlotsPanel } from './plots_panel';
import { RunPanel } from './run_panel';
import { Timeline } from './timeline';
import { type Exports, topBar } from './top_bar';
import { TreePanel } from './tree_panel';

const SHEETS: [SheetTab, string][] = [
  ['model', 'Model'],
  ['inspect', 'Inspect'],
  ['plots', 'Plots'],
  ['notes', 'Notes'],
];

export class App {
  readonly plots: PlotsPanel;
  private readonly root: HTMLElement;
  private readonly system = window.matchMedia('(prefers-color-scheme: dark)');

  constructor(
    host: HTMLElement,
    private readonly session: Session,
    private readonly commands: Commands,
    private readonly viewport: Viewport,
    exports: Exports,
    page: ModelPage | null = null,
  ) {
    const tree = new TreePanel(session, commands);
    const inspector = new Inspector(session, commands, (path) => viewport.fit(path));
    this.plots = new PlotsPanel(session, commands);
    const notes = new NotesPanel(session, commands);
    const stage = h(
      'main',
      { class: 'stage' },
      failureBanner(session, commands),
      page && modelBanner(session, commands),
      viewport.element,
      arrowLegendRow(viewport),
      measureRow(session, commands, viewport),
      noticeLine(session),
    );
    viewport.element.append(gizmo(viewport, session.source.scene.up));
    const help = new KeyHelp();
    const toggleHelp = () => help.toggle();
    this.root = h(
      'div',
      { class: 'app' },
      topBar(session, commands, viewport, { ...exports, help: toggleHelp }),
      h('aside', { class: 'side left', 'aria-label': 'Model and inspector' }, tree.element, inspector.element),
      stage,
      h(
        'aside',
        { class: 'side right', 'aria-label': 'Plots and notes' },
        this.sideTabs(),
        this.plots.element,
        notes.element,
        page && new RunPanel(session, commands, page).element,
      ),
      new Timeline(session, commands).element,
      this.sheetTabs(page ? [...SHEETS, ['run', 'Run']] : SHEETS),
      help.element,
    );
    host.replaceChildren(this.root);
    session.store.watch(['isLeftOpen', 'isRightOpen', 'side', 'sheet', 'isSheetOpen'], (state) => {
      const { dataset } = this.root;
      dataset.left = state.isLeftOpen ? 'open' : 'closed';
      dataset.right = state.isRightOpen ? 'open' : 'closed';
      dataset.side = state.side;
      dataset.sheet = state.isSheetOpen ? state.sheet : 'none';
    });
    this.system.addEventListener('change', () => this.applyTheme());
    session.store.watch(['theme'], () => this.applyTheme());
    const focusSearch = () => {
      session.store.update({ isLeftOpen: true, sheet: 'model', isSheetOpen: true });
      tree.focusSearch();
    };
    listenToKeys({ session, commands, viewport, focusSearch, toggleHelp });
  }

  private tab(
    text: string,
    isOn: () => boolean,
    keys: ('side' | 'sheet' | 'isSheetOpen')[],
    onclick: () => void,
  ): HTMLElement {
    const button = h('button', { type: 'button', class: 'tab', onclick }, text);
    this.session.store.watch(keys, () => button.setAttribute('aria-pressed', isOn() ? 'true' : 'false'));
    return button;
  }

  private sideTabs(): HTMLElement {
    const tab = (side: SidePanel, text: string) =>
      this.tab(
        text,
        () => this.session.state.side === side,
        ['side'],
        () => this.commands.showSide(side),
      );
    return h('nav', { class: 'tabs', 'aria-label': 'Side panel' }, tab('plots', 'Plots'), tab('notes', 'Notes'));
  }

  private sheetTabs(sheets: [SheetTab, string][]): HTMLElement {
    const tabs = sheets.map(([sheet, text]) => {
      const isOn = () => this.session.state.isSheetOpen && this.session.state.sheet === sheet;
      return this.tab(text, isOn, ['sheet', 'isSheetOpen'], () => this.commands.showSheet(sheet));
    });
    return h('nav', { class: 'tabs sheet-tabs', 'aria-label': 'Panels' }, ...tabs);
  }

  private applyTheme(): void {
    const { theme } = this.session.state;
    const isDark = theme === 'auto' ? this.system.matches : theme === 'dark';
    const { dataset, style } = document.documentElement;
    dataset.theme = isDark ? 'dark' : 'light';
    style.setProperty('--first-run', runColor('first', isDark));
    style.setProperty('--second-run', runColor('second', isDark));
    this.viewport.setDark(isDark);
    this.plots.reload();
  }
}
