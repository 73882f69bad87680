import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KEY_TABLE, OTHER_KEYS } from './key_table';

test('no key does two things', () => {
  const keys = KEY_TABLE.flatMap(({ actions }) => Object.keys(actions));
  expect(new Set(keys).size).toBe(keys.length);
});

test('the README lists the same keys', () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = text
    .slice(text.indexOf('## Keys'))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| key'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/[|`]/g, '').trim()));
  const known = [...KEY_TABLE.map(({ keys, does }) => [keys, does]), ...OTHER_KEYS];
  expect(rows.filter(([keys]) => keys !== '')).toEqual(known.map(([keys, does]) => [keys, does]));
});
