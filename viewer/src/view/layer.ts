// A layer draws one kind of thing. It exists only while it is switched on, so what is off costs nothing.
import type { Box3, Object3D, Plane, Raycaster, Vector3 } from 'three';
import type { Session } from '../state/session';
import type { ArrowScales } from './arrow_scale';
import type { GeometryStore } from './geometry_store';
import type { Shading } from './part_material';
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
  /** What the machine sweeps in the run. */
  space: Box3;
  arrows: ArrowScales;
  /** Where the machine is cut open; null: nowhere. */
  section: Plane | null;
  shading: Shading;
  quality: Quality;
}

export interface Hit {
  kind: 'arrow' | 'part' | 'symbol';
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
  /** Everything that a ray meets, in any order. */
  pick?(ray: Raycaster): Hit[];
  dispose(): void;
}
