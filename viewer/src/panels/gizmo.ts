// The axes of the world in a corner of the picture. A click on an end looks along that axis.
import { Quaternion, Vector3 } from 'three';
import type { Vec3 } from '../data/scene';
import type { ViewName } from '../view/camera_rig';
import { viewBasis } from '../view/view_basis';
import type { Viewport } from '../view/viewport';

const SIZE = 76;
const REACH = 26;
const SVG = 'http://www.w3.org/2000/svg';

/** The standard view from the side that an axis points to. */
function viewFrom(axis: Vector3, up: Vec3): ViewName {
  const basis = viewBasis(up);
  const sides: [ViewName, number][] = [
    ['top', axis.dot(basis.up)],
    ['bottom', -axis.dot(basis.up)],
    ['right', axis.dot(basis.right)],
    ['left', -axis.dot(basis.right)],
    ['back', axis.dot(basis.forward)],
    ['front', -axis.dot(basis.forward)],
  ];
  return sides.sort((a, b) => b[1] - a[1])[0][0];
}

export function gizmo(viewport: Viewport, up: Vec3): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'gizmo');
  svg.setAttribute('viewBox', `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`);
  svg.setAttribute('aria-hidden', 'true');
  const axes = ['x', 'y', 'z'].map((name, i) => {
    const group = document.createElementNS(SVG, 'g');
    const line = document.createElementNS(SVG, 'line');
    const ball = document.createElementNS(SVG, 'circle');
    const text = document.createElementNS(SVG, 'text');
    group.setAttribute('class', `axis-${name}`);
    ball.setAttribute('r', '8');
    text.textContent = name;
    group.append(line, ball, text);
    svg.append(group);
    const direction = new Vector3().setComponent(i, 1);
    group.addEventListener('click', () => viewport.look(viewFrom(direction, up)));
    return { group, line, ball, text, direction };
  });
  const shown = new Quaternion(0, 0, 0, 0);
  viewport.onDrawn(() => {
    if (shown.equals(viewport.rig.camera.quaternion)) return;
    const turn = shown.copy(viewport.rig.camera.quaternion).clone().invert();
    const seen = axes.map((axis) => ({ axis, at: axis.direction.clone().applyQuaternion(turn) }));
    // What is nearer is drawn later.
    for (const { axis, at } of seen.sort((a, b) => a.at.z - b.at.z)) {
      const [x, y] = [at.x * REACH, -at.y * REACH].map((value) => value.toFixed(1));
      axis.line.setAttribute('x2', x);
      axis.line.setAttribute('y2', y);
      axis.ball.setAttribute('cx', x);
      axis.ball.setAttribute('cy', y);
      axis.text.setAttribute('x', x);
      axis.text.setAttribute('y', y);
      if (svg.lastChild !== axis.group) svg.append(axis.group);
    }
  });
  return svg;
}
