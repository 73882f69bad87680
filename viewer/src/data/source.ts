// Where the page gets its data from: from itself (one file on disk) or from the program that serves it.
import type { LiveLink } from './live';
import type { ModelLink } from './model_link';
import type { RunReader } from './run';
import type { Diagnostic, Scene } from './scene';

export interface DataSource {
  readonly scene: Scene;
  readonly runs: RunReader[];
  readonly diagnostics: Diagnostic[];
  /** Of a model whose files are followed, and which can be run from here; null for anything else. */
  readonly model: ModelLink | null;
  /** Connection to a run that is going on, or to a model; null for data that is complete. */
  readonly live: LiveLink | null;
  /** Calls when data cannot be read any more, with a sentence for the user. */
  onTrouble(listener: (text: string) => void): void;
}
