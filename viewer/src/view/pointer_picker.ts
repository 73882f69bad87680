// The pointer in the scene: names what is under it, selects with a click.
import type { Feature } from '../data/features';
import type { Commands } from '../state/commands';
import type { Hit } from './layer';

const CLICK_PIXELS = 5;
const HOVER_MS = 70;

interface Pickable {
  /** The first is what a click selects. */
  hits(x: number, y: number): Hit[];
  featureAt(x: number, y: number): Feature | null;
}

/** What a click selects: the first hit; the next one behind it when it is selected already and the click is at the same place. */
export function nextSelection(hits: Hit[], selection: string | null, isSamePlace: boolean): string | null {
  const at = isSamePlace ? hits.findIndex(({ path }) => path === selection) : -1;
  return hits.length === 0 ? null : hits[(at + 1) % hits.length].path;
}

export class PointerPicker {
  private readonly tip = document.createElement('div');
  private down: { x: number; y: number } | null = null;
  private lastClick: { x: number; y: number } | null = null;
  private selection: string | null = null;
  private timer = 0;

  constructor(
    host: HTMLElement,
    canvas: HTMLCanvasElement,
    private readonly scene: Pickable,
    private readonly commands: Commands,
  ) {
    this.tip.className = 'pointer-tip';
    this.tip.hidden = true;
    host.append(this.tip);
    canvas.addEventListener('pointerdown', (event) => {
      this.down = { x: event.offsetX, y: event.offsetY };
      this.hide();
    });
    canvas.addEventListener('pointerup', (event) => this.click(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerleave', () => this.hide());
  }

  private click(event: PointerEvent): void {
    const { down } = this;
    this.down = null;
    if (!down || event.button !== 0) return;
    const isNear = (place: { x: number; y: number } | null) =>
      place !== null && Math.hypot(event.offsetX - place.x, event.offsetY - place.y) <= CLICK_PIXELS;
    if (!isNear(down)) return;
    if (this.commands.isMeasuring) return this.commands.measure(this.scene.featureAt(down.x, down.y));
    this.selection = nextSelection(this.scene.hits(down.x, down.y), this.selection, isNear(this.lastClick));
    this.lastClick = down;
    this.commands.select(this.selection);
  }

  private move(event: PointerEvent): void {
    if (event.buttons !== 0 || event.pointerType === 'touch') return;
    const { offsetX: x, offsetY: y } = event;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.hover(x, y), HOVER_MS);
  }

  private hover(x: number, y: number): void {
    const hit = this.scene.hits(x, y).at(0);
    this.commands.hover(hit?.path ?? null);
    this.tip.hidden = !hit;
    if (!hit) return;
    this.tip.textContent = hit.text ?? hit.path;
    this.tip.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.tip.hidden = true;
    this.commands.hover(null);
  }
}
