// What the page asks of the program that serves a model: the model as its files are now, its runs, and new runs.
import type { RunWish } from './model_settings';
import { readRunInfo } from './run';
import { type Diagnostic, type Scene, readScene } from './scene';
import { type Api, ServerRun } from './server_source';

export class ModelLink {
  constructor(private readonly api: Api) {}

  async scene(): Promise<Scene> {
    return readScene(await this.api.json('api/scene'));
  }

  async diagnostics(): Promise<Diagnostic[]> {
    return (await this.api.json('api/diagnostics')) as Diagnostic[];
  }

  /** All runs; those that are known already stay who they are, with the rows that they have. */
  async runs(known: readonly ServerRun[]): Promise<ServerRun[]> {
    const infos = ((await this.api.json('api/runs')) as unknown[]).map(readRunInfo);
    return Promise.all(
      infos.map((info, i) => {
        const number = info.number ?? i;
        return known.find((run) => run.number === number) ?? new ServerRun(this.api, number, info).open();
      }),
    );
  }

  /** Shows the machine with these numbers; the version of the scene that has them. */
  apply(wish: RunWish): Promise<number> {
    return this.post('api/settings', wish);
  }

  /** The same, and runs it. */
  start(wish: RunWish): Promise<number> {
    return this.post('api/run', wish);
  }

  private async post(path: string, wish: RunWish): Promise<number> {
    const body = new Blob([JSON.stringify(wish)], { type: 'application/json' });
    const answer = (await (await this.api.post(path, body)).json()) as { scene: number };
    return answer.scene;
  }
}
