// A heartbeat for a connection: pings it when it is quiet, and reports when no message arrives in time.

const ASK_MS = 3_000; // a connection that is quiet for so long gets a ping
const PATIENCE_MS = 5_000; // a busy site may take seconds
const DOZE_MS = 1_000; // clock adjustments are smaller than this; a larger jump means that the device slept

/** The wall clock minus the clock that stops while the device sleeps; it grows with the time slept. */
const sleptMs = () => Date.now() - performance.now();

export class Pulse {
  private asking: ReturnType<typeof setTimeout> | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private readonly send: () => void;
  private readonly onSilence: () => void;
  private readonly slept: () => number;
  private sleptBefore = 0;

  /**
   * `send` sends a ping. `onSilence` is called once if no answer comes, or if this device has slept, since the timers
   * are then wrong. `slept` returns the total milliseconds of sleep since an arbitrary start.
   */
  constructor(send: () => void, onSilence: () => void, slept = sleptMs) {
    this.send = send;
    this.onSilence = onSilence;
    this.slept = slept;
  }

  start(): void {
    this.stop();
    this.sleptBefore = this.slept();
    this.rest();
  }

  stop(): void {
    clearTimeout(this.asking);
    clearTimeout(this.waiting);
    this.asking = this.waiting = undefined;
  }

  /** Send a ping now: the connection was quiet, or the page became visible again. */
  readonly ask = (): void => {
    if (!this.asking) return;
    if (this.slept() > this.sleptBefore + DOZE_MS) {
      this.stop();
      this.onSilence();
      return;
    }
    clearTimeout(this.asking); // `heard` sets it again
    this.send();
    if (this.waiting) return;
    this.waiting = setTimeout(() => {
      this.stop();
      this.onSilence();
    }, PATIENCE_MS);
  };

  /** Record that a message arrived; any message counts as an answer. */
  heard(): void {
    if (this.asking) this.rest();
  }

  private rest(): void {
    clearTimeout(this.asking);
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.asking = setTimeout(this.ask, ASK_MS);
  }
}
