// A real Chromium with a software renderer, and a watch over what the page must not do: errors, and requests elsewhere.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
/** The first page takes seconds on a busy machine. */
export const PATIENCE = 60_000;

let browser = null;

async function launched() {
  if (!existsSync(EXECUTABLE)) throw new Error(`there is no Chromium at ${EXECUTABLE}; install it, or set CHROMIUM`);
  browser ??= await chromium.launch({ executablePath: EXECUTABLE, args: ARGS });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  browser = null;
  idle.clear();
}

/** Pages that a test is done with, by their options: the next one begins in half the time, as nothing is compiled again. */
const idle = new Map();

export function fixture(name) {
  return new URL(`../fixtures/${name}.html`, import.meta.url).href;
}

const sizeOf = ({ width = 1280, height = 720 }) => ({ width, height });

/** Without motion, unless it is asked for: a run that plays by itself would be at another time in every test. */
export async function newContext(given = {}) {
  const { colorScheme = 'light', deviceScaleFactor = 1, reducedMotion = 'reduce' } = given;
  const options = { viewport: sizeOf(given), colorScheme, deviceScaleFactor, reducedMotion, acceptDownloads: true };
  return (await launched()).newContext(options);
}

export class Page {
  static async open(url, { hash = '', ...options } = {}) {
    const key = JSON.stringify(options);
    const used = idle.get(key)?.pop();
    const context = used?.context ?? (await newContext(options));
    const page = new Page(used?.raw ?? (await context.newPage()), context, key);
    const { raw } = page;
    raw.setDefaultTimeout(PATIENCE);
    const origin = url.startsWith('http') ? new URL(url).origin : null;
    page.listen('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
    page.listen('pageerror', (error) => page.errors.push(error.message));
    page.listen('request', (request) => {
      const target = request.url();
      const isOwn =
        target.startsWith('data:') ||
        target.startsWith('blob:') ||
        (origin ? target.startsWith(origin) : target.startsWith('file:'));
      if (!isOwn) page.strays.push(target);
      if (!origin && target.startsWith('file:')) ++page.files;
    });
    await raw.goto(url + hash);
    await raw.waitForFunction(() => window.gelenk !== undefined && window.gelenk.viewport.frames > 0);
    return page;
  }

  constructor(raw, context, key) {
    this.raw = raw;
    this.context = context;
    this.key = key;
    this.listeners = [];
    this.errors = [];
    this.strays = [];
    this.files = 0;
  }

  listen(event, listener) {
    this.raw.on(event, listener);
    this.listeners.push([event, listener]);
  }

  /** A member of the state, as plain data. */
  state(name) {
    return this.raw.evaluate((key) => {
      const value = window.gelenk.session.state[key];
      return value instanceof Set ? [...value] : value;
    }, name);
  }

  until(check, argument) {
    return this.raw.waitForFunction(check, argument, { timeout: PATIENCE });
  }

  /** Waits until the picture shows the present state. */
  settle() {
    return this.raw.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );
  }

  /** The page is as new for the next test with these options. */
  async leave() {
    for (const [event, listener] of this.listeners) this.raw.off(event, listener);
    if (this.raw.isClosed()) return this.context.close();
    await this.raw.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await this.raw.goto('about:blank');
    await this.raw.setViewportSize(sizeOf(JSON.parse(this.key)));
    idle.set(this.key, [...(idle.get(this.key) ?? []), this]);
  }

  async close() {
    await this.leave();
    assert.deepEqual(this.errors, [], 'the console is clean');
    assert.deepEqual(this.strays, [], 'nothing is loaded from elsewhere');
  }
}
