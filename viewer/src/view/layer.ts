// A layer draws one kind of thing. It exists only while it is switched on, so what is off costs nothing.
import type { Object3D, Raycaster, Vector3 } from 'three';
import type { Session } from '../state/session';
import type { GeometryStore } from './geometry_store';
import type { Quality } from './quality';
import type { Theme } from './theme';

/** What layers draw from. */
export interface Picture {
  session: Session;
  /** Seven numbers for each part of the scene. */
  poses: Float32Array;
  theme: Theme;
  geometries: GeometryStore;
  /** Height of the floor along the upward axis, m. */
  floor: number;
  /** Where the floor is looked at; goes along with a part that the camera follows. */
  focus: Vector3;
  quality: Quality;
}

export interface Hit {
  path: string;
  distance: number;
  /** What a tool tip says beside the path, such as the value of an arrow. */
  text?: string;
}

export interface Layer {
  readonly object: Object3D;
  /** Poses or values have changed. */
  update(picture: Picture): void;
  /** Selection, visibility or theme have changed; `update` follows. */
  restyle?(picture: Picture): void;
  pick?(ray: Raycaster): Hit | null;
  dispose(): void;
}
