// Colors of the three-dimensional picture; those of the page are in style.css.
import { Color } from 'three';
import { runColor } from '../state/run_colors';

export interface Theme {
  isDark: boolean;
  background: Color;
  grid: Color;
  gridMain: Color;
  edge: Color;
  joint: Color;
  axis: Color;
  spring: Color;
  force: Color;
  torque: Color;
  reaction: Color;
  moment: Color;
  gravity: Color;
  center: Color;
  inertia: Color;
  selection: Color;
  hover: Color;
  /** Of two runs that are compared. */
  firstRun: Color;
  secondRun: Color;
  measure: Color;
  wrong: Color;
  x: Color;
  y: Color;
  z: Color;
}

const light: Record<Exclude<keyof Theme, 'isDark'>, string> = {
  background: '#eef1f4',
  grid: '#dbe0e6',
  gridMain: '#c2cad3',
  edge: '#10161d',
  joint: '#7a8694',
  axis: '#8a4b0c',
  spring: '#33691e',
  force: '#c2255c',
  torque: '#7b3fb5',
  reaction: '#0b7285',
  moment: '#5f3dc4',
  gravity: '#495057',
  center: '#111418',
  inertia: '#5c6b7a',
  selection: '#1f6feb',
  hover: '#6ea8fe',
  firstRun: runColor('first', false),
  secondRun: runColor('second', false),
  measure: '#9c36b5',
  wrong: '#d6202a',
  x: '#c92a2a',
  y: '#2b8a3e',
  z: '#1864ab',
};

const dark: typeof light = {
  background: '#171a1f',
  grid: '#262b32',
  gridMain: '#38404a',
  edge: '#05070a',
  joint: '#8b97a5',
  axis: '#f6c177',
  spring: '#94d36b',
  force: '#ff6b9a',
  torque: '#c69bff',
  reaction: '#4fd1e0',
  moment: '#a594ff',
  gravity: '#adb5bd',
  center: '#f1f3f5',
  inertia: '#94a3b3',
  selection: '#58a6ff',
  hover: '#8ec5ff',
  firstRun: runColor('first', true),
  secondRun: runColor('second', true),
  measure: '#e599f7',
  wrong: '#ff5c64',
  x: '#ff6b6b',
  y: '#69db7c',
  z: '#74c0fc',
};

export function themeOf(isDark: boolean): Theme {
  const names = isDark ? dark : light;
  const colors = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, new Color(name)]));
  return { isDark, ...colors } as Theme;
}
