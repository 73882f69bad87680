// Two runs have two colors, the same in the picture and in plots: shades of one for the first, of the other for the second.

const FIRST = ['#0b7285', '#22b8cf', '#064a57', '#4f9aa8'];
const SECOND = ['#d9480f', '#ff922b', '#8f2d06', '#c98a5e'];
const DARK_FIRST = ['#3bc9db', '#99e9f2', '#1098ad', '#74b8c4'];
const DARK_SECOND = ['#ff922b', '#ffc078', '#e8590c', '#d8a078'];

/** The color of a curve of one of two runs; the first shade is the color of the run. */
export function runColor(run: 'first' | 'second', isDark: boolean, curve = 0): string {
  const first = isDark ? DARK_FIRST : FIRST;
  const second = isDark ? DARK_SECOND : SECOND;
  const shades = run === 'first' ? first : second;
  return shades[curve % shades.length];
}
