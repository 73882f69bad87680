// Writes the pages that tests open from disk into test/fixtures/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { carRun, carScene } from './car.mjs';
import { pageWith } from './container.mjs';
import { crankSliderRun, crankSliderScene, failedRun } from './crank_slider.mjs';
import { fieldRun, fieldScene } from './field.mjs';

export const SETS = {
  crank_slider: () => ({ scene: crankSliderScene(), runs: [crankSliderRun()] }),
  car: () => ({ scene: carScene(), runs: [carRun()] }),
  compare: () => ({
    scene: crankSliderScene(),
    runs: [crankSliderRun(), crankSliderRun({ speed: 7, step: 0.008, file: 'faster.h5' })],
  }),
  failed: () => ({ scene: crankSliderScene(), runs: [failedRun()] }),
  broken_joint: () => ({
    scene: carScene(),
    runs: [],
    diagnostics: [
      {
        severity: 'error',
        code: 'GK1301',
        text: "there is no frame 'tub'",
        hint: 'here are tube, rod',
        element: 'rear_left.damper.guide_pin',
        kind: 'joint',
        file: 'suspension.yaml',
        line: 91,
      },
    ],
  }),
  field: () => ({ scene: fieldScene(), runs: [fieldRun()] }),
  model_errors: () => ({
    scene: crankSliderScene(),
    runs: [],
    diagnostics: [
      {
        severity: 'error',
        code: 'GK2101',
        text: 'the axis has length zero',
        hint: 'Write axis: z.',
        element: 'crank_pin',
        file: 'crank_slider.yaml',
        line: 26,
      },
      {
        severity: 'warning',
        code: 'GK2203',
        text: 'the mass is very small',
        element: 'piston',
        file: 'crank_slider.yaml',
        line: 20,
      },
    ],
  }),
};

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const folder = new URL('fixtures/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(SETS)) writeFileSync(new URL(`${name}.html`, folder), pageWith(make()));
}
