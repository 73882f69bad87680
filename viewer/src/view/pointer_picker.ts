// The pointer in the scene: names what is under it, selects with a click.
import type { Commands } from '../state/commands';
import type { Hit } from './layer';

const CLICK_PIXELS = 5;
const HOVER_MS = 70;

interface Pickable {
  pick(x: number, y: number): Hit | null;
}

export class PointerPicker {
  private readonly tip = document.createElement('div');
  private down: { x: number; y: number } | null = null;
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
    if (Math.hypot(event.offsetX - down.x, event.offsetY - down.y) > CLICK_PIXELS) return;
    this.commands.select(this.scene.pick(event.offsetX, event.offsetY)?.path ?? null);
  }

  private move(event: PointerEvent): void {
    if (event.buttons !== 0 || event.pointerType === 'touch') return;
    const { offsetX: x, offsetY: y } = event;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.hover(x, y), HOVER_MS);
  }

  private hover(x: number, y: number): void {
    const hit = this.scene.pick(x, y);
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
