// The page with a server behind it: token, data on demand, a run that is going on.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { crankSliderRun, crankSliderScene } from '../crank_slider.mjs';
import { largeSet } from '../large_run.mjs';
import { SETS } from '../make_fixtures.mjs';
import { TestServer } from '../test_server.mjs';
import { Page, closeBrowser, newContext } from './browser.mjs';

after(closeBrowser);

async function served(set, options, body) {
  const server = new TestServer(set, options);
  const url = await server.start();
  try {
    await body(url, server);
  } finally {
    await server.stop();
  }
}

test('the token leaves the address bar and opens the data; a reload still works', async () => {
  await served(SETS.car(), {}, async (url) => {
    const page = await Page.open(url);
    assert.equal(new URL(page.raw.url()).search, '');
    await page.raw.reload();
    await page.until(() => window.gelenk !== undefined);
    assert.equal(await page.raw.title(), 'car - Gelenk');
    await page.close();
  });
});

test('a wrong token is refused in words', async () => {
  await served(SETS.car(), {}, async (url) => {
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(url.replace('test-token', 'other'));
    await page.locator('.fatal').waitFor();
    assert.match(await page.locator('.fatal').textContent(), /lacks the right token/);
    await context.close();
  });
});

test('values and curves come from the server', async () => {
  await served(SETS.crank_slider(), {}, async (url) => {
    const page = await Page.open(url);
    await page.raw.evaluate(() => {
      window.gelenk.commands.seek(0.25);
      window.gelenk.commands.select('rod');
    });
    await page.until(() => /, 50, 0 mm$/.test(document.querySelector('.values td.number')?.textContent ?? ''));
    await page.until(() => document.querySelectorAll('.u-over').length === 2);
    await page.close();
  });
});

test('two gigabytes open within seconds and scrub', async () => {
  await served(largeSet(), {}, async (url, server) => {
    const start = performance.now();
    const page = await Page.open(url);
    const seconds = (performance.now() - start) / 1000;
    const isPiece = (request) => request.startsWith('/api/rows') && !request.endsWith('&count=1');
    const asked = server.requests.filter(isPiece);
    assert.ok(asked.length <= 4, `${asked.length} pieces were read to open it`);
    const single = server.requests.filter((request) => request.endsWith('&count=1')).length;
    assert.ok(single <= 64, `${single} single rows were looked at`);
    console.log(`opened in ${seconds.toFixed(1)} s`);
    for (const time of [700, 100, 555.5]) {
      await page.raw.evaluate((to) => window.gelenk.commands.seek(to), time);
      await page.until((to) => {
        const { session } = window.gelenk;
        const value = session.channels.valueAt('block_7.position.z', to);
        return value !== null && Math.abs(value - 0.2 * Math.sin(10 * to + 7)) < 1e-5;
      }, time);
    }
    const pieces = server.requests.filter(isPiece).length;
    assert.ok(pieces < 20, `${pieces} pieces were read`);
    await page.close();
  });
});

test('a run that is going on: follow, pause, resume, stop', async () => {
  // At 60 rows a second it takes minutes: it must not be over before a busy machine has opened the page.
  const set = { scene: crankSliderScene(), runs: [crankSliderRun({ end: 60, step: 0.005 })] };
  await served(set, { live: 60 }, async (url, server) => {
    const page = await Page.open(url);
    await page.until(() => window.gelenk.session.state.live?.status === 'running');
    const first = await page.state('time');
    await page.until((time) => window.gelenk.session.state.time > time, first);
    await page.raw.getByRole('button', { name: 'Pause run' }).click();
    await page.until(() => window.gelenk.session.state.live.status === 'paused');
    const button = (name) => page.raw.getByRole('button', { name });
    assert.equal(await button('Pause run').isVisible(), false);
    assert.ok(await button('Resume run').isVisible());
    const held = server.known;
    await new Promise((done) => setTimeout(done, 300));
    assert.equal(server.known, held, 'the run waits');
    // A page that opens now finds the run paused.
    await page.raw.reload();
    await page.until(() => window.gelenk?.session.state.live?.status === 'paused');
    assert.equal(await button('Pause run').isVisible(), false);
    assert.ok(await button('Stop run').isVisible());
    await button('Resume run').click();
    await button('Pause run').waitFor();
    assert.equal(await button('Resume run').isVisible(), false);
    await page.until((rows) => window.gelenk.session.run.times.length > rows, held);
    // Looking back does not disturb the run.
    await page.raw.getByLabel('Time', { exact: true }).fill('0.05');
    assert.equal(await page.state('isAtLiveEnd'), false);
    await page.raw.getByRole('button', { name: 'Follow' }).click();
    await page.until(() => window.gelenk.session.state.time > 0.1);
    await page.raw.getByRole('button', { name: 'Stop run' }).click();
    await page.until(() => window.gelenk.session.run.info.status === 'stopped');
    assert.deepEqual(server.commands, ['pause', 'resume', 'stop']);
    assert.equal(await page.raw.locator('.chip.verdict').textContent(), 'stopped');
    for (const name of ['Pause run', 'Resume run', 'Stop run']) assert.equal(await button(name).isVisible(), false);
    const rows = await page.raw.evaluate(() => window.gelenk.session.run.times.length);
    assert.equal(rows, server.known);
    await page.close();
  });
});
