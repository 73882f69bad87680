// All layers that can be switched on and off. The menu is made of this table.
import type { LayerName } from '../state/state';
import { ForcesLayer, ReactionsLayer } from './arrow_layers';
import { CentersLayer } from './centers_layer';
import { EdgesLayer } from './edges_layer';
import { GridLayer } from './grid_layer';
import { InsideJointsLayer, JointsLayer } from './joints_layer';
import type { Layer, Picture } from './layer';
import { AxesLayer, FramesLayer, GapsLayer, GravityLayer, InertiaLayer } from './line_layers';
import { PartsLayer } from './parts_layer';
import { SpringsLayer } from './springs_layer';

export interface LayerEntry {
  label: string;
  hint: string;
  make: (picture: Picture) => Layer;
}

export const LAYER_TABLE: Record<LayerName, LayerEntry> = {
  grid: { label: 'Floor grid', hint: 'Lines on the floor', make: (picture) => new GridLayer(picture) },
  shapes: { label: 'Shapes of parts', hint: 'The parts themselves', make: (picture) => new PartsLayer(picture) },
  edges: { label: 'Edges of parts', hint: 'Where faces meet', make: (picture) => new EdgesLayer(picture) },
  joints: { label: 'Joints', hint: 'A symbol for each joint', make: (picture) => new JointsLayer(picture) },
  inside: {
    label: 'Joints inside parts',
    hint: 'Their symbols shine through the parts',
    make: (picture) => new InsideJointsLayer(picture),
  },
  axes: { label: 'Joint axes', hint: 'Axes that joints turn about or slide along', make: () => new AxesLayer() },
  springs: { label: 'Springs and dampers', hint: 'Force elements between two points', make: () => new SpringsLayer() },
  frames: {
    label: 'Frames',
    hint: 'Axes of parts and named frames: x red, y green, z blue',
    make: () => new FramesLayer(),
  },
  centers: { label: 'Centers of mass', hint: 'Drawn over the parts', make: (picture) => new CentersLayer(picture) },
  inertia: {
    label: 'Inertia boxes',
    hint: 'The box with the same mass and inertia',
    make: (picture) => new InertiaLayer(picture),
  },
  forces: {
    label: 'Forces and torques',
    hint: 'Of springs, loads and drivers; torques have two heads',
    make: (picture) => new ForcesLayer(picture),
  },
  reactions: {
    label: 'Joint reactions',
    hint: 'On the second part; dashed where joints share a load',
    make: (picture) => new ReactionsLayer(picture),
  },
  drift: {
    label: 'Opening of joints',
    hint: 'Color from closed (green) to open (red), and the gap',
    make: () => new GapsLayer(),
  },
  gravity: { label: 'Gravity', hint: 'Its direction', make: () => new GravityLayer() },
};
