// Which elements are drawn, and which of them shine through.
import type { Session } from '../state/session';

export type Look = 'solid' | 'transparent' | 'hidden';

function isInside(set: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    if (set.has(path.slice(0, end))) return true;
  }
  return false;
}

export class Looks {
  private readonly alone: ReadonlySet<string> | null;
  private readonly blamed: ReadonlySet<string> | null;

  constructor(private readonly session: Session) {
    const { isolated, blamed } = session.state;
    this.alone = isolated === null ? null : this.withParts(isolated);
    this.blamed = blamed === null ? null : this.withParts(blamed);
  }

  of(path: string): Look {
    const { hidden, transparent } = this.session.state;
    if (this.alone ? !isInside(this.alone, path) : isInside(hidden, path)) return 'hidden';
    if (this.blamed && !isInside(this.blamed, path)) return 'transparent';
    return isInside(transparent, path) ? 'transparent' : 'solid';
  }

  private withParts(path: string): ReadonlySet<string> {
    const { index, source } = this.session;
    return new Set([path, ...index.partsOf(path).map((part) => source.scene.parts[part].path)]);
  }
}
