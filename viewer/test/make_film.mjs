// Makes the moving picture of the README with the real program: `npm run film`, with the path of the program in
// GELENK_PROGRAM. A drawing is imported, run and viewed; commands are shown with what they print.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Page, closeBrowser, newContext } from './e2e/browser.mjs';
import { Served, gelenk } from './e2e/program.mjs';
import { FilmRecorder } from './film_recorder.mjs';

const DRAWING = fileURLToPath(new URL('../../tests/data/cad/steam_engine.step', import.meta.url));
const FILM = fileURLToPath(new URL('../../docs/screens/first_steps.webp', import.meta.url));
const SIZE = { width: 960, height: 540 };
const START = 'stator_crank_group.rate=60 rpm';
/** In ms. */
const TYPING = 90;
const READING = 2200;
const FRAME = 80;
/** Frames of one turn, and the time that it takes, in s. */
const FRAMES = 25;
const TURN = 1;
/** Where the machine is in the page, and by how far the wheel is turned to see it from nearer. */
const MACHINE = [320, 290];
const NEARER = 700;

const TERMINAL = `<style>
  body { margin: 0; background: #10161d; color: #d5dde6; font: 14.5px/20px 'DejaVu Sans Mono', monospace; }
  pre { margin: 18px 22px; font: inherit; white-space: pre-wrap; }
  b { color: #7fc8ff; font-weight: normal; }
  i { color: #ffd479; font-style: normal; }
</style><pre></pre>`;

class Terminal {
  static async open(recorder) {
    const page = await (await newContext(SIZE)).newPage();
    await page.setContent(TERMINAL);
    return new Terminal(page, recorder);
  }

  constructor(page, recorder) {
    this.page = page;
    this.recorder = recorder;
  }

  /** A command as it is typed, word by word, then what it prints. */
  async run(command, output) {
    await this.print('i', '$ ', TYPING);
    for (const word of command.match(/\S+\s*/g)) await this.print('b', word, TYPING);
    await this.print('span', `\n${output}\n`, READING);
  }

  async print(kind, text, duration) {
    await this.page.evaluate(
      ([tag, shown]) => {
        const piece = document.createElement(tag);
        piece.textContent = shown;
        document.querySelector('pre').append(piece);
      },
      [kind, text],
    );
    await this.recorder.add(this.page, duration);
  }
}

async function typeCommands(recorder, folder) {
  const terminal = await Terminal.open(recorder);
  const imported = await gelenk(['import', 'steam_engine.step'], { folder });
  await terminal.run('gelenk import steam_engine.step', imported);
  const file = 'steam_engine/steam_engine.yaml';
  const ran = await gelenk(['run', file, '--start', START], { folder });
  await terminal.run(`gelenk run ${file} --start "${START}"`, ran);
  await terminal.run('gelenk view steam_engine.h5', '');
}

async function showMotion(recorder, folder) {
  const served = await Served.start(['view', 'steam_engine.h5', '--no-browser'], { folder });
  try {
    const page = await Page.open(served.url, SIZE);
    await page.raw.evaluate(() => {
      const { commands } = window.gelenk;
      commands.toggleLeft();
      commands.toggleLayer('gravity');
      for (const channel of ['piston_group.piston.velocity.x', 'stator_crank_group.reaction.force.magnitude']) {
        commands.addPlot([channel]);
      }
    });
    await page.raw.mouse.move(...MACHINE);
    await page.raw.mouse.wheel(0, -NEARER);
    await page.settle();
    // Nothing is pointed at.
    await page.raw.mouse.move(SIZE.width / 2, 10);
    await page.settle();
    for (let i = 0; i < FRAMES; ++i) {
      await page.raw.evaluate((time) => window.gelenk.commands.seek(time), (i * TURN) / FRAMES);
      await page.settle();
      await recorder.add(page.raw, i === 0 ? 8 * FRAME : FRAME);
    }
    await page.close();
  } finally {
    await served.end();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'gelenk-film-'));
try {
  copyFileSync(DRAWING, join(folder, 'steam_engine.step'));
  const recorder = await FilmRecorder.start(SIZE);
  await typeCommands(recorder, folder);
  await showMotion(recorder, folder);
  const film = recorder.film();
  writeFileSync(FILM, film);
  console.log(`${FILM}: ${recorder.frames.length} frames, ${Math.round(film.length / 1000)} kB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await closeBrowser();
}
