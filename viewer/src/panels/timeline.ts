// The time line: play, step, scrub, speed; pause and stop of a run that is going on.
import { numberText, timeDecimals } from '../data/units';
import type { Commands } from '../state/commands';
import type { Session } from '../state/session';
import { SPEEDS } from '../state/state';
import { h, iconButton, setIcon } from './dom';
import { watchTime } from './paced';

const MOST_TICKS = 200;

export class Timeline {
  readonly element: HTMLElement;
  private readonly transport: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly slider = h('input', {
    type: 'range',
    min: 0,
    max: 1,
    step: 'any',
    value: 0,
    'aria-label': 'Time',
    class: 'scrub',
  });
  private readonly ticks = h('div', { class: 'ticks', 'aria-hidden': 'true' });
  private readonly clock = h('output', { class: 'clock' });
  private readonly speed = h('select', { 'aria-label': 'Speed', title: 'Speed ([ and ])', class: 'speed' });
  private readonly progress = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the run' });
  private readonly liveText = h('span', { class: 'live-text' });
  private readonly pause: HTMLButtonElement;
  private readonly resume: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly follow: HTMLButtonElement;
  private readonly live: HTMLElement;

  constructor(
    private readonly session: Session,
    private readonly commands: Commands,
  ) {
    this.play = iconButton('play', 'Play (Space)', () => commands.play(), { class: 'tool primary' });
    this.loop = iconButton('loop', 'Repeat at the end (L)', () => commands.setLooping(!session.state.isLooping));
    const chip = (text: string, onclick: () => void, look = 'chip') =>
      h('button', { type: 'button', class: look, onclick }, text);
    this.pause = chip('Pause run', () => commands.pauseRun());
    this.resume = chip('Resume run', () => commands.resumeRun());
    this.stop = chip('Stop run', () => commands.stopRun(), 'chip danger');
    this.follow = chip('Follow', () => commands.followRun());
    this.live = h(
      'div',
      { class: 'live', hidden: true },
      this.progress,
      this.liveText,
      this.pause,
      this.resume,
      this.stop,
      this.follow,
    );
    for (const speed of SPEEDS) this.speed.append(h('option', { value: speed }, `${speed}×`));
    this.speed.addEventListener('change', () => commands.setSpeed(Number(this.speed.value)));
    this.slider.addEventListener('input', () => {
      session.store.update({ isPlaying: false });
      commands.seek(Number(this.slider.value));
    });
    this.transport = h(
      'div',
      { class: 'transport' },
      iconButton('start', 'Go to the start (Home)', () => commands.toStart()),
      iconButton('back', 'One row back (Left)', () => commands.step(-1)),
      this.play,
      iconButton('ahead', 'One row forward (Right)', () => commands.step(1)),
      iconButton('end', 'Go to the end (End)', () => commands.toEnd()),
    );
    this.element = h(
      'footer',
      { class: 'timeline', 'aria-label': 'Time line' },
      this.transport,
      h('div', { class: 'scrubber' }, this.ticks, this.slider),
      this.clock,
      this.speed,
      this.loop,
      this.motions(),
      this.live,
    );
    session.store.watch(['isPlaying'], ({ isPlaying }) => {
      setIcon(this.play, isPlaying ? 'pause' : 'play');
      this.play.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
    });
    session.store.watch(['isLooping'], ({ isLooping }) =>
      this.loop.setAttribute('aria-pressed', isLooping ? 'true' : 'false'),
    );
    session.store.watch(['speed'], ({ speed }) => this.showSpeed(speed));
    session.store.watch(['run', 'isAssembled'], () => this.showTime());
    watchTime(session, () => this.showTime());
    session.store.watch(['run'], () => this.showTicks());
    session.store.watch(['live', 'isAtLiveEnd'], () => this.showLive());
  }

  /** A choice of free motions, where the scene has some. */
  private motions(): HTMLElement {
    const choice = h('select', { 'aria-label': 'Free motion', title: 'Swing along a free motion', class: 'motion' });
    this.session.store.watch(['sourceCount'], ({ motion: chosen }) => {
      const { motions } = this.session.source.scene;
      const options = motions.map((motion, i) => h('option', { value: i }, motion.name));
      choice.replaceChildren(h('option', { value: '' }, 'Free motions'), ...options);
      choice.value = chosen === null ? '' : String(chosen);
      choice.hidden = motions.length === 0;
    });
    choice.addEventListener('change', () =>
      this.commands.showMotion(choice.value === '' ? null : Number(choice.value)),
    );
    this.session.store.watch(['motion'], ({ motion }) => (choice.value = motion === null ? '' : String(motion)));
    return choice;
  }

  private showSpeed(speed: number): void {
    const text = String(speed);
    if (![...this.speed.options].some((option) => option.value === text))
      this.speed.append(h('option', { value: text }, `${text}×`));
    this.speed.value = text;
  }

  private showTime(): void {
    const { state, startTime, endTime } = this.session;
    this.slider.min = String(startTime);
    this.slider.max = String(endTime);
    this.slider.value = String(state.time);
    this.slider.disabled = endTime <= startTime;
    const share = endTime > startTime ? (state.time - startTime) / (endTime - startTime) : 0;
    this.slider.style.setProperty('--share', `${100 * share}%`);
    const unit = this.session.unitOfQuantity('time', 's');
    const digits = timeDecimals((endTime - startTime) / unit.factor);
    const isEmpty = endTime <= startTime;
    for (const button of this.transport.querySelectorAll('button')) button.disabled = isEmpty;
    this.clock.textContent = isEmpty
      ? 'no run'
      : state.isAssembled
        ? 'as assembled'
        : `${(state.time / unit.factor).toFixed(digits)} / ${numberText(endTime / unit.factor)} ${unit.symbol}`;
    this.slider.setAttribute('aria-valuetext', `${numberText(state.time / unit.factor)} ${unit.symbol}`);
  }

  private showTicks(): void {
    const { run, startTime, endTime } = this.session;
    const events = (run?.info.events ?? []).slice(0, MOST_TICKS);
    const ticks = events.map((event) => {
      const share = endTime > startTime ? Math.min(1, (event.time - startTime) / (endTime - startTime)) : 0;
      return h('span', { class: `tick ${event.kind}`, style: `left:${(100 * share).toFixed(3)}%` });
    });
    this.ticks.replaceChildren(...ticks);
  }

  private showLive(): void {
    const { live, isAtLiveEnd } = this.session.state;
    // The page of a model is connected before there is a run.
    this.live.hidden = live === null || (live.status === '' && this.session.source.model !== null);
    if (!live) return;
    const isOver = ['done', 'failed', 'stopped'].includes(live.status);
    const share = live.end > 0 ? Math.min(1, live.time / live.end) : 0;
    this.progress.value = share;
    this.liveText.textContent =
      live.connected || isOver ? `${live.status || 'waiting'} ${Math.floor(100 * share)} %` : 'not connected';
    const isPaused = live.status === 'paused';
    this.pause.hidden = isOver || isPaused;
    this.resume.hidden = isOver || !isPaused;
    this.stop.hidden = isOver;
    this.follow.hidden = isOver || isAtLiveEnd;
  }
}
