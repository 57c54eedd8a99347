// A heartbeat for a connection: sends periodic pings and reports when no message arrives in time.

const ASK_MS = 20_000;
const PATIENCE_MS = 15_000; // a busy site may take seconds
const DOZE_MS = 1_000; // clock adjustments are smaller than this; a larger jump means that the device slept

/** The wall clock minus the clock that stops while the device sleeps; it grows with the time slept. */
const sleptMs = () => Date.now() - performance.now();

export class Pulse {
  private asking: ReturnType<typeof setInterval> | undefined;
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
    this.asking = setInterval(this.ask, ASK_MS);
  }

  stop(): void {
    clearInterval(this.asking);
    clearTimeout(this.waiting);
    this.asking = this.waiting = undefined;
  }

  /** Send a ping now: the interval has passed, or the page became visible again. */
  readonly ask = (): void => {
    if (!this.asking) return;
    if (this.slept() > this.sleptBefore + DOZE_MS) {
      this.stop();
      this.onSilence();
      return;
    }
    this.send();
    if (this.waiting) return;
    this.waiting = setTimeout(() => {
      this.stop();
      this.onSilence();
    }, PATIENCE_MS);
  };

  /** Record that a message arrived; any message counts as an answer. */
  heard(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }
}
