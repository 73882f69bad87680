// How it looks and how it is reached: layers, draw calls, phone, keyboard, contrast.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Page, closeBrowser, fixture } from './browser.mjs';

after(closeBrowser);

const MOST_CALLS = 60;
const LEAST_FRAMES = 15;

test('every layer can be switched on, and costs nothing when it is off', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.evaluate(() => window.gelenk.commands.seek(0.2));
  await page.settle();
  const calls = () => page.raw.evaluate(() => window.gelenk.viewport.renderer.info.render.calls);
  await page.raw.locator('summary[aria-label="What is drawn"]').click();
  const boxes = page.raw.locator('input[data-layer]');
  for (let i = 0; i < (await boxes.count()); ++i) await boxes.nth(i).setChecked(false);
  await page.settle();
  assert.equal(await calls(), 0);
  let before = 0;
  for (let i = 0; i < (await boxes.count()); ++i) {
    const name = await boxes.nth(i).getAttribute('data-layer');
    await boxes.nth(i).setChecked(true);
    await page.settle();
    const now = await calls();
    // All joints are closed here: there are no gaps to draw.
    if (name === 'drift') assert.equal(now, before, name);
    else assert.ok(now > before, `${name}: ${now} calls`);
    before = now;
  }
  await page.close();
});

test('arrows have the values of the run, on a linear or logarithmic scale', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.evaluate(() => {
    const { commands, viewport } = window.gelenk;
    for (const layer of ['reactions', 'shapes', 'joints', 'springs', 'grid', 'gravity']) commands.toggleLayer(layer);
    commands.seek(0);
    viewport.look('front');
  });
  await page.settle();
  // At time 0 the main bearing pushes with 200 N along x; the tip of its arrow is the longest.
  const text = await page.raw.evaluate(() => {
    const { viewport } = window.gelenk;
    const { x, y } = viewport.screenPlace('main_bearing');
    for (let dx = 5; dx < 200; dx += 2) {
      const [hit] = viewport.hits(x + dx, y);
      if (hit?.text?.startsWith('main_bearing')) return hit.text;
    }
    return '';
  });
  assert.equal(text, 'main_bearing.reaction.force 200 N');
  await page.close();
});

test('a thousand parts: few draw calls, many pictures a second', { timeout: 240_000 }, async () => {
  const page = await Page.open(fixture('field'), { width: 640, height: 480 });
  // Panels take their share: the picture itself is to have this size.
  const { height } = await page.raw.locator('.viewport').boundingBox();
  await page.raw.setViewportSize({ width: 640, height: 480 + 480 - Math.round(height) });
  await page.until(() => window.gelenk.viewport.renderer.domElement.clientHeight === 480);
  const { calls, best } = await page.raw.evaluate(async (enough) => {
    const { viewport, commands, session } = window.gelenk;
    const gl = viewport.renderer.getContext();
    // The machine may be busy with other things, seconds at a time: the fastest picture is what the page can do. Each
    // is of another time of the run, and is read back, so that all of it has been drawn.
    let most = 0;
    for (let i = 0; i < 400 && most < enough; ++i) {
      const start = performance.now();
      commands.seek(session.startTime + ((i % 100) / 100) * (session.endTime - session.startTime));
      viewport.drawNow();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      most = Math.max(most, 1000 / (performance.now() - start));
      await new Promise((done) => setTimeout(done, 50));
    }
    return { calls: viewport.renderer.info.render.calls, best: most };
  }, LEAST_FRAMES);
  console.log(`${calls} draw calls, ${best.toFixed(1)} pictures a second`);
  assert.ok(calls <= MOST_CALLS, `${calls} draw calls`);
  assert.ok(best >= LEAST_FRAMES, `${best.toFixed(1)} pictures a second`);
  const all = await page.raw.evaluate(async () => {
    for (const box of ['joints', 'axes', 'frames', 'centers', 'inertia', 'forces', 'reactions', 'drift'])
      window.gelenk.commands.toggleLayer(box);
    await new Promise((done) => setTimeout(done, 500));
    window.gelenk.viewport.drawNow();
    return window.gelenk.viewport.renderer.info.render.calls;
  });
  assert.ok(all <= MOST_CALLS, `${all} draw calls with everything switched on`);
  await page.close();
});

test('on a phone: one column, panels in a sheet, nothing sticks out', async () => {
  const page = await Page.open(fixture('car'), { width: 390, height: 844 });
  const isWide = () => page.raw.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(await isWide(), false);
  assert.equal(await page.raw.locator('.tree').isVisible(), false);
  for (const [tab, panel] of [
    ['Model', '.tree'],
    ['Inspect', '.inspector'],
    ['Plots', '.plots'],
    ['Notes', '.notes'],
  ]) {
    await page.raw.locator('.sheet-tabs').getByRole('button', { name: tab }).click();
    assert.ok(await page.raw.locator(panel).isVisible(), tab);
    assert.equal(await isWide(), false, tab);
  }
  await page.raw.locator('.sheet-tabs').getByRole('button', { name: 'Notes' }).click();
  assert.equal(await page.raw.locator('.notes').isVisible(), false, 'the same tab closes the sheet');
  for (const button of await page.raw.locator('.timeline button:visible, .top summary:visible').all()) {
    const { width, height } = await button.boundingBox();
    assert.ok(width >= 36 && height >= 36, 'large enough for a finger');
  }
  await page.close();
});

test('the keyboard reaches everything: tree, menus, views', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.locator('.tree-list').focus();
  await page.raw.keyboard.press('ArrowDown');
  await page.raw.keyboard.press('ArrowRight');
  await page.raw.keyboard.press('ArrowDown');
  await page.raw.keyboard.press('ArrowRight');
  await page.raw.keyboard.press('ArrowDown');
  await page.raw.keyboard.press('Enter');
  assert.equal(await page.state('selection'), 'front_left.damper.tube');
  await page.raw.keyboard.press('h');
  assert.deepEqual(await page.state('hidden'), ['front_left.damper.tube']);
  const direction = () =>
    page.raw.evaluate(() => {
      const [x, y, z, tx, ty, tz] = window.gelenk.viewport.rig.place;
      const length = Math.hypot(x - tx, y - ty, z - tz);
      return [x - tx, y - ty, z - tz].map((value) => Math.round((value / length) * 100) / 100 + 0);
    });
  await page.raw.keyboard.press('1');
  assert.deepEqual(await direction(), [0, -1, 0], 'front: from -y');
  await page.raw.keyboard.press('5');
  assert.deepEqual(await direction(), [0, 0, 1], 'top');
  await page.raw.keyboard.press('4');
  assert.deepEqual(await direction(), [1, 0, 0], 'right');
  await page.raw.keyboard.press('p');
  assert.equal(await page.state('projection'), 'orthographic');
  const unnamed = await page.raw.evaluate(() =>
    [...document.querySelectorAll('button, summary, select, input')]
      .filter((each) => !(each.getAttribute('aria-label') || each.textContent.trim() || each.closest('label')))
      .map((each) => each.outerHTML),
  );
  assert.deepEqual(unnamed, [], 'every control has a name');
  await page.close();
});

/** Smallest contrast of visible texts with what is behind them (WCAG 2, level AA asks for 4.5). */
function lowContrast() {
  const parse = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) =>
      value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const element of document.querySelectorAll('.app *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !element.checkVisibility() || element.closest('svg, .notice')) continue;
    const [light, dark] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))].sort(
      (a, b) => b - a,
    );
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5)
      bad.push(
        `${element.className || element.tagName} "${element.textContent.trim().slice(0, 30)}" ${contrast.toFixed(2)}`,
      );
  }
  return bad;
}

for (const colorScheme of ['light', 'dark']) {
  test(`contrast in ${colorScheme} colors`, async () => {
    for (const name of ['failed', 'model_errors', 'compare']) {
      const page = await Page.open(fixture(name), { colorScheme });
      assert.equal(await page.raw.evaluate(() => document.documentElement.dataset.theme), colorScheme);
      for (const side of ['plots', 'notes']) {
        await page.raw.evaluate((which) => window.gelenk.commands.showSide(which), side);
        await page.settle();
        assert.deepEqual(await page.raw.evaluate(lowContrast), [], `${name}, ${side}`);
      }
      await page.close();
    }
  });
}
