import { expect, test } from 'vitest';
import { splitName } from './long_name';

test('the end of a path stays whole, and nothing is lost', () => {
  expect(splitName('front_left.damper.strut.length')).toEqual(['front_left.damper.strut', '.length']);
  expect(splitName('rear.wheel.position.x')).toEqual(['rear.wheel', '.position.x']);
  expect(splitName('crank')).toEqual(['', 'crank']);
  const [begin, end] = splitName('a_name_without_dots_that_is_very_long_7');
  expect(end).toBe('very_long_7'.padStart(12, '_'));
  expect(begin + end).toBe('a_name_without_dots_that_is_very_long_7');
});
