// What leaves the page: a link, a picture, a video, an animation for other programs.
import { save } from '../panels/dom';
import type { Exports } from '../panels/top_bar';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { linkText } from '../state/share_link';
import type { Viewport } from '../view/viewport';
import { FRAMES_PER_SECOND, recordVideo } from './video';

/** Puts the link to the present view into the address bar. */
function keepLink(session: Session, viewport: Viewport): URL {
  const link = new URL(location.href);
  link.hash = linkText(session.state, viewport.rig.place);
  history.replaceState(history.state, '', link);
  return link;
}

function copyLink(session: Session, commands: Commands, viewport: Viewport): void {
  const link = keepLink(session, viewport);
  const showLink = () => commands.show('The address bar holds a link to this view.');
  navigator.clipboard?.writeText(link.href).then(() => commands.show('Link copied.'), showLink) ?? showLink();
}

function savePicture(session: Session, viewport: Viewport): void {
  viewport.drawNow().toBlob((blob) => {
    if (blob) save(blob, `${session.source.scene.name || 'gelenk'}.png`);
  });
}

export function exportsOf(session: Session, commands: Commands, viewport: Viewport): Exports {
  const name = session.source.scene.name || 'gelenk';
  const attempt = async (what: string, make: () => Promise<{ blob: Blob; ending: string }>) => {
    commands.show(`Making the ${what} …`);
    try {
      const { blob, ending } = await make();
      save(blob, `${name}.${ending}`);
      commands.show(`The ${what} is ready.`);
    } catch (error) {
      commands.show(`No ${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  let known = session.state.views;
  session.store.watch(['views'], ({ views }) => {
    if (views !== known) keepLink(session, viewport);
    known = views;
  });
  return {
    link: () => copyLink(session, commands, viewport),
    picture: () => savePicture(session, viewport),
    video: () =>
      void attempt('video', async () => {
        const wish = { framesPerSecond: FRAMES_PER_SECOND, speed: session.state.speed };
        return { blob: await recordVideo(session, viewport, wish), ending: 'mp4' };
      }),
    gltf: () => void attempt('animation', async () => (await import('./gltf')).animatedGltf(session)),
  };
}
