// Short texts at places of the scene, as elements of the page: sharp, selectable and readable aloud.
import { type Camera, Vector3 } from 'three';

/** From -1 to 1 over the width of the picture. */
const ASIDE = 0.15;

export interface Label {
  key: string;
  text: string;
  at: ArrayLike<number>;
  kind: 'plain' | 'wrong' | 'gap' | 'warning';
}

export class Labels {
  readonly element = document.createElement('div');
  private readonly shown = new Map<string, HTMLElement>();
  private labels: Label[] = [];

  constructor() {
    this.element.className = 'labels';
  }

  set(labels: Label[]): void {
    this.labels = labels;
    const keys = new Set(labels.map((label) => label.key));
    for (const [key, element] of this.shown) {
      if (keys.has(key)) continue;
      element.remove();
      this.shown.delete(key);
    }
    for (const label of labels) {
      let element = this.shown.get(label.key);
      if (!element) {
        element = document.createElement('span');
        this.element.append(element);
        this.shown.set(label.key, element);
      }
      element.className = `label label-${label.kind}`;
      if (element.textContent !== label.text) element.textContent = label.text;
    }
  }

  place(camera: Camera, width: number, height: number): void {
    const point = new Vector3();
    for (const { key, at } of this.labels) {
      const element = this.shown.get(key);
      if (!element) continue;
      point.set(at[0], at[1], at[2]).project(camera);
      const isBehind = point.z > 1 || Math.abs(point.x) > 1.1 || Math.abs(point.y) > 1.1;
      element.style.display = isBehind ? 'none' : '';
      const x = ((point.x + 1) / 2) * width;
      const y = ((1 - point.y) / 2) * height;
      // On the right side of the picture a text stands on the left of its place, so that it is not cut off.
      const aside = point.x > ASIDE ? ' translateX(calc(-100% - 16px))' : '';
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${aside}`;
    }
  }
}
