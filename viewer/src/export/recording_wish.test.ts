import { expect, test } from 'vitest';
import { asksForRecording, readRecordingWish } from './recording_wish';

test('an address without `record` asks for the usual page', () => {
  expect(asksForRecording('?token=abc&view=top')).toBe(false);
  expect(asksForRecording('?token=abc&record=png')).toBe(true);
});

test('all words of an address', () => {
  expect(
    readRecordingWish('?record=mp4&view=left&width=640&height=480&fps=25&speed=0.5&time=0.7&layers=parts,joints'),
  ).toEqual({
    kind: 'mp4',
    view: 'left',
    width: 640,
    height: 480,
    framesPerSecond: 25,
    speed: 0.5,
    time: 0.7,
    layers: new Set(['shapes', 'joints']),
  });
});

test('words that are left out have defaults; iso is the oblique view', () => {
  const wish = readRecordingWish('?record=png&view=iso');
  expect(wish).toEqual({ ...readRecordingWish('?record=png'), view: 'oblique' });
  expect([wish.width, wish.height, wish.framesPerSecond, wish.speed, wish.time]).toEqual([1280, 720, 30, 1, null]);
});

test.each([
  ['record=gif', "There is no recording 'gif'; use one of png, mp4."],
  [
    'record=png&view=above',
    "There is no view 'above'; use one of iso, front, back, left, right, top, bottom, oblique.",
  ],
  ['record=png&layers=parts,clouds', /There is no layer 'clouds'; use one of grid, shapes,/],
  ['record=png&width=1e9', "The width '1e9' does not work for a picture or video."],
  ['record=png&height=720.5', "The height '720.5' does not work for a picture or video."],
  ['record=mp4&fps=0', "The fps '0' does not work for a picture or video."],
  ['record=mp4&speed=-1', "The speed '-1' does not work for a picture or video."],
  ['record=png&time=', "The time '' does not work for a picture or video."],
])('%s is refused in words', (query, sentence) => {
  expect(() => readRecordingWish(`?${query}`)).toThrow(sentence);
});
