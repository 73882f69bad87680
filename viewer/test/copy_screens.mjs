// Takes pictures of the last tests with the real program into the documents: `npm run screens`.
import { copyFileSync } from 'node:fs';

const MADE = new URL('fixtures/program/', import.meta.url);
const SHOWN = new URL('../../docs/screens/', import.meta.url);

const SCREENS = {
  'car_picture.png': 'car.png',
  'steam_engine.png': 'viewer_engine.png',
  'compare.png': 'viewer_compare.png',
  'failed.png': 'viewer_failed.png',
  'open.png': 'viewer_open.png',
  '../model_page/compare.png': 'viewer_model.png',
};

for (const [from, to] of Object.entries(SCREENS)) copyFileSync(new URL(from, MADE), new URL(to, SHOWN));
