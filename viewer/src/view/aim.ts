// Keeps floor, grid, camera and section fitting to the whole motion, as far as it is known.
import type { Box3 } from 'three';
import type { LivePoses } from '../data/live';
import { boundsOf, visibleBounds } from './bounds';
import type { CameraRig } from './camera_rig';
import type { Picture } from './layer';
import { MotionSpace, type SweptSpace, heaviestPart } from './motion_space';
import { PoseTable } from './pose_table';
import { sectionPlane } from './section';

export class Aim {
  private motion: MotionSpace;
  private isTraveling = false;
  /** Settles when the whole motion and the largest arrows are known, and fails when they cannot be read. */
  measured: Promise<void> = Promise.resolve();

  /** `stand` puts the floor below a box; both calls draw anew what has changed. */
  constructor(
    private readonly picture: Picture,
    private readonly rig: CameraRig,
    private readonly stand: (box: Box3) => void,
    private readonly redraw: () => void,
  ) {
    this.motion = new MotionSpace(picture.session, picture.geometries);
    const { store } = picture.session;
    store.watch(['run', 'compared'], () => this.measure());
    store.watch(['run', 'layers'], () => this.measureArrows());
    store.watch(['live'], ({ live }) => live && ['done', 'failed', 'stopped'].includes(live.status) && this.measure());
    store.watch(['traces', 'section'], () => this.settle());
  }

  /** What the machine sweeps in the shown runs. */
  swept(): SweptSpace {
    return this.motion.swept(this.picture.poses);
  }

  /** What a view shows: some parts, or the whole motion; of a machine that travels far only where it is. */
  boxOf(path: string | null): Box3 {
    const { session, poses, geometries } = this.picture;
    const parts = path === null ? [] : session.index.partsOf(path);
    if (parts.length > 0) return boundsOf(session.source.scene, poses, parts, geometries);
    const { box, isTraveling } = this.swept();
    return isTraveling ? this.presentBox() : box;
  }

  /** Poses of a run that is going on, which are not in its known rows yet. */
  extend({ poses }: LivePoses): void {
    const { session, space, geometries } = this.picture;
    if (!session.run || this.isTraveling) return;
    const table = new PoseTable(session.source.scene);
    table.setRow(session.run, poses);
    if (space.containsBox(visibleBounds(session, table.poses, geometries))) return;
    this.motion.add(table.poses);
    this.settle();
  }

  /** The machine is another one: what it sweeps is to be found anew. */
  rescene(): void {
    this.motion = new MotionSpace(this.picture.session, this.picture.geometries);
    this.settle();
    this.measure();
    this.measureArrows();
  }

  private presentBox(): Box3 {
    const { session, poses, geometries } = this.picture;
    return visibleBounds(session, poses, geometries);
  }

  private measure(): void {
    this.measured = this.motion.measure().then((isLatest) => {
      if (!isLatest) return;
      this.settle();
      const { source, store } = this.picture.session;
      if (this.isTraveling && !this.rig.isTouched) store.update({ follow: heaviestPart(source.scene) });
    });
    // What cannot be read has been reported already; the picture then fits the pose that is shown.
    this.measured.catch(() => {});
  }

  private measureArrows(): void {
    const { session, arrows } = this.picture;
    const { layers } = session.state;
    if (!layers.has('forces') && !layers.has('reactions')) return;
    const scaled = arrows.measure(session).then(() => this.redraw());
    this.measured = Promise.all([this.measured, scaled]).then(() => {});
    this.measured.catch(() => {});
  }

  private settle(): void {
    const { session, space, focus } = this.picture;
    const { follow, section } = session.state;
    const { box, isTraveling, isFalling } = this.swept();
    this.isTraveling = isTraveling;
    space.copy(isTraveling ? this.presentBox() : box);
    if (follow === null) space.getCenter(focus);
    // A machine that somebody is changing would jump about; it is fitted when it leaves the picture.
    const isSteady = session.source.model !== undefined && this.rig.sees(space);
    if (!this.rig.isTouched && !isSteady) this.rig.fit(space);
    this.picture.section = section && sectionPlane(section, space);
    this.stand(isFalling ? space : box);
  }
}
