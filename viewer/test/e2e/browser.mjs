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
}

export function fixture(name) {
  return new URL(`../fixtures/${name}.html`, import.meta.url).href;
}

/** Without motion, unless it is asked for: a run that plays by itself would be at another time in every test. */
export async function newContext({
  width = 1280,
  height = 720,
  colorScheme = 'light',
  deviceScaleFactor = 1,
  reducedMotion = 'reduce',
} = {}) {
  const viewport = { width, height };
  const options = { viewport, colorScheme, deviceScaleFactor, reducedMotion, acceptDownloads: true };
  return (await launched()).newContext(options);
}

export class Page {
  static async open(url, { hash = '', ...options } = {}) {
    const context = await newContext(options);
    const page = new Page(await context.newPage(), context);
    page.raw.setDefaultTimeout(PATIENCE);
    page.raw.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
    page.raw.on('pageerror', (error) => page.errors.push(error.message));
    const origin = url.startsWith('http') ? new URL(url).origin : null;
    page.raw.on('request', (request) => {
      const target = request.url();
      const isOwn =
        target.startsWith('data:') ||
        target.startsWith('blob:') ||
        (origin ? target.startsWith(origin) : target.startsWith('file:'));
      if (!isOwn) page.strays.push(target);
      if (!origin && target.startsWith('file:')) ++page.files;
    });
    await page.raw.goto(url + hash);
    await page.raw.waitForFunction(() => window.gelenk !== undefined && window.gelenk.viewport.frames > 0);
    return page;
  }

  constructor(raw, context) {
    this.raw = raw;
    this.context = context;
    this.errors = [];
    this.strays = [];
    this.files = 0;
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

  async close() {
    await this.context.close();
    assert.deepEqual(this.errors, [], 'the console is clean');
    assert.deepEqual(this.strays, [], 'nothing is loaded from elsewhere');
  }
}
