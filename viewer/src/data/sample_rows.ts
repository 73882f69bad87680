// Which rows stand for a whole run when reading all of them would take too long.

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * At most `most` rows from the first to the last, one from each of equal stretches. Within a stretch the place changes from one to the
 * next: rows at equal distances would all meet a wheel in the same position.
 */
export function sampleRows(rows: number, most: number): number[] {
  if (rows <= most) return Array.from({ length: Math.max(0, rows) }, (_, i) => i);
  const chosen = new Set([0, rows - 1]);
  for (let i = 1; i < most - 1; ++i) chosen.add(Math.floor(((i + ((i * GOLDEN_RATIO) % 1)) * rows) / most));
  return [...chosen].sort((a, b) => a - b);
}
