// Symbols often sit inside of parts. What was drawn before an eraser no longer hides what is drawn after it.
import { BufferGeometry, Mesh, MeshBasicMaterial } from 'three';

export function depthEraser(renderOrder: number): Mesh {
  // Among the transparent things, which come after all others: what they are drawn over must still hide them.
  const eraser = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ transparent: true }));
  eraser.onBeforeRender = (renderer) => renderer.clearDepth();
  eraser.frustumCulled = false;
  eraser.renderOrder = renderOrder;
  return eraser;
}
