// The connection to a run that is going on. Messages are described in PROTOCOL.md.

export interface LiveState {
  connected: boolean;
  /** Number of the run that it is about. */
  run: number;
  status: string;
  time: number;
  end: number;
  message: string;
}

export interface LivePoses {
  run: number;
  row: number;
  time: number;
  /** Seven numbers for each part of the run's `partOrder`. */
  poses: Float32Array;
}

export interface LiveListener {
  stateChanged(state: LiveState): void;
  posesCame(poses: LivePoses): void;
  rowsGrew(run: number, rows: number): void;
  /** Which scene and which messages of a model there are: counts that grow. */
  modelChanged(scene: number, messages: number): void;
  /** Numbers of the runs that there are. */
  runsChanged(numbers: number[]): void;
  /** A run that the page asked for could not begin. */
  runNotStarted(reason: string): void;
}

/** All members that any message has. */
interface Message {
  type: string;
  run?: number;
  rows?: number;
  scene?: number;
  messages?: number;
  numbers?: number[];
}

const HEADER_BYTES = 16;
const POSES = 1;
const RETRY_MS = 1500;

/** Reads a binary message; null when it is of a kind that this page does not know. */
export function readPoses(buffer: ArrayBuffer): LivePoses | null {
  if (buffer.byteLength < HEADER_BYTES) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== POSES) return null;
  return {
    run: view.getUint16(2, true),
    row: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    poses: new Float32Array(buffer, HEADER_BYTES),
  };
}

export class LiveLink {
  private socket: WebSocket | null = null;
  private listener: LiveListener | null = null;
  private state: LiveState = { connected: false, run: 0, status: '', time: 0, end: 0, message: '' };

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  listen(listener: LiveListener): void {
    this.listener = listener;
    this.connect();
  }

  send(type: 'pause' | 'resume' | 'stop'): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type }));
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', token: this.token }));
      this.change({ connected: true });
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => this.read(event.data);
    socket.onclose = (event) => {
      this.change({ connected: false });
      // 1000: the run is over. 1008: the token is wrong, and trying again would not help.
      if (event.code !== 1000 && event.code !== 1008) setTimeout(() => this.connect(), RETRY_MS);
    };
    this.socket = socket;
  }

  private read(data: ArrayBuffer | string): void {
    if (typeof data !== 'string') {
      const poses = readPoses(data);
      if (poses) this.listener?.posesCame(poses);
      return;
    }
    const message = JSON.parse(data) as Message & Partial<LiveState>;
    if (message.type === 'status') {
      const { run, status, time, end, message: text } = message;
      this.change({
        run: run ?? 0,
        status: status ?? this.state.status,
        time: time ?? this.state.time,
        end: end ?? this.state.end,
        message: text ?? '',
      });
    } else if (message.type === 'rows') {
      this.listener?.rowsGrew(message.run ?? 0, message.rows ?? 0);
    } else if (message.type === 'model') {
      this.listener?.modelChanged(message.scene ?? 0, message.messages ?? 0);
    } else if (message.type === 'runs') {
      this.listener?.runsChanged(message.numbers ?? []);
    } else if (message.type === 'not_started') {
      this.listener?.runNotStarted(message.message ?? '');
    }
  }

  private change(patch: Partial<LiveState>): void {
    this.state = { ...this.state, ...patch };
    this.listener?.stateChanged(this.state);
  }
}
