// Colors of the three-dimensional picture; those of the page are in style.css.
import { Color } from 'three';

export interface Theme {
  isDark: boolean;
  background: Color;
  grid: Color;
  gridMain: Color;
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
  ghost: Color;
  wrong: Color;
  trace: Color;
  x: Color;
  y: Color;
  z: Color;
}

const light: Record<Exclude<keyof Theme, 'isDark'>, string> = {
  background: '#eef1f4',
  grid: '#dbe0e6',
  gridMain: '#c2cad3',
  joint: '#c26a12',
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
  ghost: '#7048e8',
  wrong: '#d6202a',
  trace: '#0b7285',
  x: '#c92a2a',
  y: '#2b8a3e',
  z: '#1864ab',
};

const dark: typeof light = {
  background: '#171a1f',
  grid: '#262b32',
  gridMain: '#38404a',
  joint: '#f2a33c',
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
  ghost: '#b197fc',
  wrong: '#ff5c64',
  trace: '#4fd1e0',
  x: '#ff6b6b',
  y: '#69db7c',
  z: '#74c0fc',
};

export function themeOf(isDark: boolean): Theme {
  const names = isDark ? dark : light;
  const colors = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, new Color(name)]));
  return { isDark, ...colors } as Theme;
}
