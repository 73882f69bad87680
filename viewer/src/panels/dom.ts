// Small helpers to build the page.

type Child = Node | string | null | undefined | false;

export interface Attributes {
  class?: string;
  title?: string;
  [name: string]: string | boolean | number | undefined | ((event: never) => void);
}

/** An element with attributes and children; members that are functions become listeners: `onclick`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as (event: Event) => void);
    // As an attribute the policy of the page would stop it.
    else if (name === 'style') (element as HTMLElement).style.cssText = String(value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

export function append(element: Element, children: Child[]): void {
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/**
 * Makes these the children of an element, and leaves those alone that are there already: a click that has begun on one would be lost if
 * it left the page even for a moment.
 */
export function keepChildren(element: Element, children: readonly Element[]): void {
  const wanted = new Set(children);
  for (const child of [...element.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, i) => {
    if (element.children[i] !== child) element.insertBefore(child, element.children[i] ?? null);
  });
}

const PATHS = {
  play: 'M7 4.5v15l12.5-7.5z',
  pause: 'M7 4.5h3.6v15H7zM13.4 4.5H17v15h-3.6z',
  start: 'M5 5h2.4v14H5zM19 5v14L9 12z',
  end: 'M16.6 5H19v14h-2.4zM5 5v14l10-7z',
  back: 'M15.5 5.5v13L7 12zM17 5.5h2v13h-2z',
  ahead: 'M8.5 5.5v13L17 12zM5 5.5h2v13H5z',
  stop: 'M6 6h12v12H6z',
  loop: 'M7 7h9V4l5 4.5-5 4.5v-3H9v4H7zM17 17H8v3l-5-4.5L8 11v3h7v-4h2z',
  chevron: 'M9 5.5 15.5 12 9 18.5 7.5 17l5-5-5-5z',
  close: 'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.600L6.4 19 5 17.6 10.6 12 5 6.400z',
  eye: 'M12 5c5 0 8.6 4 10 7-1.4 3-5 7-10 7S3.4 15 2 12c1.4-3 5-7 10-7zm0 2.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zm0 2a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  eyeOff:
    'M3.5 2.5 21.5 20.5 20 22l-3.6-3.600A10 10 0 0 1 12 19c-5 0-8.6-4-10-7a15 15 0 0 1 4-4.900L2 4zm3.9 6A11 11 0 0 0 4.3 12c1.5 2.6 4.3 5 7.7 5 1 0 2-.2 2.8-.6l-1.3-1.300a3.5 3.5 0 0 1-4.6-4.600zM12 5c5 0 8.6 4 10 7a15 15 0 0 1-3 4l-1.4-1.400a11 11 0 0 0 2.1-2.600c-1.5-2.6-4.3-5-7.7-5-.7 0-1.3.1-2 .3L8.5 5.700A10 10 0 0 1 12 5z',
  ghost:
    'M12 3a7 7 0 0 1 7 7v11l-2.3-2-2.4 2L12 19l-2.3 2-2.4-2L5 21V10a7 7 0 0 1 7-7zm0 2a5 5 0 0 0-5 5v7l.5-.5 2.3 2 2.2-2 2.2 2 2.3-2 .5.500v-7a5 5 0 0 0-5-5z',
  target:
    'M11 2h2v3.100A7 7 0 0 1 18.9 11H22v2h-3.100a7 7 0 0 1-5.9 5.900V22h-2v-3.100A7 7 0 0 1 5.1 13H2v-2h3.100A7 7 0 0 1 11 5.100zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  fit: 'M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5zM8 8h8v8H8z',
  trace: 'M3 18c4 0 4-12 9-12s5 8 9 8v2c-6.5 0-6-8-9-8s-3 12-9 12z',
  plot: 'M4 3h2v15h15v2H4zM8 14l4-5 3 3 4.5-6L21 7.2 15.3 15l-3-3-2.7 3.300z',
  plus: 'M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z',
  layers: 'M12 3 22 8.5 12 14 2 8.500zM4.5 12 12 16.2 19.5 12l2.5 1.500L12 19 2 13.500z',
  cube: 'M12 2 21 7v10l-9 5-9-5V7zm0 2.300L6.2 7.5 12 10.700l5.8-3.200zM5 9.200v6.600l6 3.300v-6.500zm14 0-6 3.400v6.500l6-3.300z',
  moon: 'M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500z',
  save: 'M11 3h2v9l3-3 1.4 1.400L12 15.800l-5.4-5.400L8 9l3 3zM4 17h2v2h12v-2h2v4H4z',
  link: 'M10 7H7a5 5 0 0 0 0 10h3v-2H7a3 3 0 0 1 0-6h3zM14 7h3a5 5 0 0 1 0 10h-3v-2h3a3 3 0 0 0 0-6h-3zM8 11h8v2H8z',
  left: 'M3 4h18v16H3zm2 2v12h4V6zm6 0v12h8V6z',
  right: 'M3 4h18v16H3zm2 2v12h8V6zm10 0v12h4V6z',
  alone: 'M9 9h6v6H9zM3 3h4v2H5v2H3zM17 3h4v4h-2V5h-2zM3 17h2v2h2v2H3zM19 17h2v4h-4v-2h2z',
  assembly: 'M4 4h7v7H4zm2 2v3h3V6zM13 13h7v7h-7zm2 2v3h3v-3zM13 4h7v7h-7zM4 13h7v7H4z',
  part: 'M12 3 20 7.500v9L12 21 4 16.500v-9zm0 2.300L7 8l5 2.800L17 8z',
  joint:
    'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 2a6 6 0 1 0 0 12 6 6 0 0 0 0-12zm0 3.500a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  coupling:
    'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6zm8.500 7a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm0 2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  driver: 'M12 4a8 8 0 0 1 8 8h2.500L19 16l-3.5-4H18a6 6 0 1 0-2 4.500l1.4 1.400A8 8 0 1 1 12 4z',
  force: 'M3 11h12V7l6 5-6 5v-4H3z',
  frame: 'M11 3h2v11l7 4-1 1.7-7-4-7 4L4 18l7-4z',
  output: 'M3 12h4l3-7 4 14 3-7h4v2h-2.700L14 24 10 9.5 8.3 14H3z',
  faulty: 'M12 3 22.5 21h-21zm-1 6.500v6h2v-6zm0 7.500v2h2v-2z',
  help: 'M12 2.500a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19zm0 2a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zm-1 11.500h2v2h-2zm1-9.500c2 0 3.500 1.300 3.500 3.200 0 2.300-2.500 2.500-2.500 5.300h-2c0-3.500 2.500-3.800 2.500-5.300 0-.8-.6-1.300-1.500-1.300s-1.600.6-1.600 1.600h-2c0-2.100 1.500-3.500 3.600-3.500z',
  machine: 'M12 2 22 8v8l-10 6L2 16V8zm0 2.400L4 9.100v5.800l8 4.7 8-4.700V9.100z',
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/** A button with an icon; the title is its name for tool tips and screen readers. */
export function iconButton(
  name: IconName,
  title: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const label = title.replace(/ \([^)]*\)$/, '');
  const button = h('button', { type: 'button', class: 'tool', title, 'aria-label': label, onclick, ...attributes });
  button.append(icon(name));
  return button;
}

export function setIcon(button: HTMLElement, name: IconName): void {
  button.querySelector('svg')?.replaceWith(icon(name));
}

/** A menu below a button: opens with a click or the keyboard, closes with Escape or a click elsewhere. */
export function menu(name: IconName, title: string, content: HTMLElement): HTMLElement {
  const summary = h('summary', { class: 'tool', title, 'aria-label': title });
  summary.append(icon(name));
  const details = h('details', { class: 'menu' }, summary, content);
  content.classList.add('menu-content');
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !details.open) return;
    details.open = false;
    summary.focus();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!details.contains(event.target as Node)) details.open = false;
  });
  return details;
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
