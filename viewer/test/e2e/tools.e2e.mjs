// Tools of the picture: views, keys, scale of arrows, measuring, section, saved views.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Page, closeBrowser, fixture } from './browser.mjs';

after(closeBrowser);

test('the menu of views names the other projection, once', async () => {
  const page = await Page.open(fixture('crank_slider'));
  const items = page.raw.locator('.menu', { has: page.raw.locator('summary[aria-label="View"]') }).locator('.item');
  const texts = () => items.evaluateAll((list) => list.map((each) => each.textContent));
  await page.raw.locator('summary[aria-label="View"]').click();
  assert.ok((await texts()).includes('OrthographicP'), String(await texts()));
  await items.filter({ hasText: 'Orthographic' }).click();
  assert.ok((await texts()).includes('PerspectiveP'), String(await texts()));
  await page.close();
});

test('a question mark lists the keys', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.keyboard.press('?');
  const help = page.raw.getByRole('dialog', { name: 'Keys' });
  assert.ok(await help.isVisible());
  assert.match(await help.textContent(), /play, pause/);
  await page.raw.keyboard.press('Escape');
  assert.equal(await help.isVisible(), false);
  await page.raw.getByRole('button', { name: 'Keys' }).click();
  assert.ok(await help.isVisible());
  await page.close();
});

test('arrows have one scale for the whole run, with a legend', async () => {
  const page = await Page.open(fixture('crank_slider'));
  const legend = page.raw.locator('.arrow-legend');
  assert.equal(await legend.isVisible(), false);
  await page.raw.evaluate(() => window.gelenk.commands.toggleLayer('reactions'));
  await page.until(() => /reaction force.*\d+ N/.test(document.querySelector('.arrow-legend').textContent));
  const texts = [await legend.textContent()];
  for (const time of [0.1, 0.25, 0.4]) {
    await page.raw.evaluate((to) => window.gelenk.commands.seek(to), time);
    await page.settle();
    texts.push(await legend.textContent());
  }
  assert.equal(new Set(texts).size, 1, `a length means the same at every time: ${texts}`);
  // The bar is as long as an arrow of that value: 200 N are six symbols.
  const { pixels, value, perMeter } = await page.raw.evaluate(() => {
    const { viewport } = window.gelenk;
    const bar = document.querySelector('.scale-bar');
    const perMeter = viewport.rig.pixelsPerMeter(viewport.element.clientHeight);
    return { pixels: bar.getBoundingClientRect().width, value: parseFloat(bar.nextSibling.textContent), perMeter };
  });
  assert.ok(Math.abs(pixels - (value / 200) * 6 * 0.0105 * perMeter) < 1.5, `${pixels} pixels for ${value} N`);
  await page.raw.evaluate(() => window.gelenk.commands.setArrows(true, 1));
  await page.until(() => document.querySelectorAll('.arrow-legend li:first-child .scale-bar').length === 3);
  await page.close();
});

test('two clicks measure distance and angle, also while the machine moves', async () => {
  const page = await Page.open(fixture('crank_slider'));
  await page.raw.keyboard.press('1');
  await page.raw.keyboard.press('m');
  const box = await page.raw.locator('.viewport').boundingBox();
  const click = async (path) => {
    const { x, y } = await page.raw.evaluate((of) => window.gelenk.viewport.screenPlace(of), path);
    await page.raw.mouse.click(box.x + x, box.y + y);
  };
  await page.settle();
  // From the front: the capsules of crank and rod, whose axes are one line at the start.
  await click('crank');
  await click('rod');
  const row = page.raw.locator('.measure-row');
  await page.until(() => /angle 0 deg/.test(document.querySelector('.measure-row').textContent));
  assert.match(await row.textContent(), /axis of crank to axis of rod: distance 0 mm/);
  // At a quarter turn the crank is upright, and the rod slopes by the arc sine of a third.
  await page.raw.evaluate(() => window.gelenk.commands.seek(0.25));
  await page.until(() => /angle 70\.529 deg/.test(document.querySelector('.measure-row').textContent));
  assert.match(await page.raw.locator('.label-plain').textContent(), /^0 mm, 70\.529 deg$/);
  await page.raw.keyboard.press('Escape');
  assert.equal(await row.isVisible(), false);
  assert.equal(await page.state('isMeasuring'), false);
  await page.close();
});

test('a section cuts parts away, also for the pointer', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.keyboard.press('1');
  await page.settle();
  const first = () =>
    page.raw.evaluate(() => {
      const { viewport } = window.gelenk;
      const { x, y } = viewport.screenPlace('rear_right.wheel_group.wheel');
      return viewport.hits(x, y)[0]?.path ?? null;
    });
  assert.equal(await first(), 'rear_right.wheel_group.wheel');
  await page.raw.locator('summary[aria-label="What is drawn"]').click();
  await page.raw.getByLabel('Section', { exact: true }).selectOption('y');
  await page.settle();
  assert.notEqual(await first(), 'rear_right.wheel_group.wheel', 'the near half is gone');
  await page.raw.getByLabel('Keep the other side').check();
  await page.settle();
  assert.equal(await first(), 'rear_right.wheel_group.wheel');
  assert.deepEqual(await page.state('section'), { axis: 'y', at: 0.5, isFlipped: true });
  await page.close();
});

test('saved views are in the menu and in the link', async () => {
  const page = await Page.open(fixture('car'));
  await page.raw.keyboard.press('4');
  await page.raw.keyboard.press('p');
  await page.raw.keyboard.press('v');
  await page.raw.keyboard.press('1');
  await page.raw.keyboard.press('v');
  await page.settle();
  const views = await page.state('views');
  assert.deepEqual(
    views.map(({ name }) => name),
    ['View 1', 'View 2'],
  );
  const { hash } = new URL(page.raw.url());
  await page.close();

  const other = await Page.open(fixture('car'), { hash });
  await other.raw.locator('summary[aria-label="View"]').click();
  await other.raw.getByRole('button', { name: 'View 1', exact: true }).click();
  await other.settle();
  assert.equal(await other.state('projection'), 'orthographic');
  const camera = await other.raw.evaluate(() => window.gelenk.viewport.rig.place);
  camera.forEach((value, i) => assert.ok(Math.abs(value - views[0].camera[i]) < 1e-5, `camera ${i}`));
  await other.raw.getByRole('button', { name: 'Forget View 1' }).click();
  assert.equal((await other.state('views')).length, 1);
  await other.close();
});
