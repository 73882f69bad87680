// The homogeneous box that has a part's mass and inertia: it shows at a glance whether the numbers are plausible.
import type { ScenePart } from '../data/scene';

type Matrix = number[][];

/** Eigenvalues and eigenvectors (columns) of a symmetric 3 x 3 matrix, by Jacobi's rotations. */
export function principalAxes(given: Matrix): { values: number[]; vectors: Matrix } {
  const a = given.map((row) => [...row]);
  const v: Matrix = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 20; ++sweep) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      if (Math.abs(a[p][q]) < 1e-15 * (Math.abs(a[p][p]) + Math.abs(a[q][q]))) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; ++k) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; ++k) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; ++k) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  return { values: [a[0][0], a[1][1], a[2][2]], vectors: v };
}

/** Eight corners in part axes, numbered by bits; none for a part without mass. */
export function principalBox({ mass, center, inertia }: ScenePart): number[][] {
  if (!(mass > 0)) return [];
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const { values, vectors } = principalAxes([
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ]);
  const sum = values[0] + values[1] + values[2];
  // A box of sides a, b, c has I_x = m (b² + c²) / 12, so a² = 6 (I_y + I_z - I_x) / m.
  const halves = values.map((value) => Math.sqrt(Math.max(0, (6 * (sum - 2 * value)) / mass)) / 2);
  return Array.from({ length: 8 }, (_, corner) => {
    return [0, 1, 2].map((k) => {
      return [0, 1, 2].reduce((at, j) => at + vectors[k][j] * halves[j] * (corner & (1 << j) ? 1 : -1), center[k]);
    });
  });
}
