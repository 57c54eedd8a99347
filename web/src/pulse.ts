// Whether the other end of a line still answers: it is asked now and then, and given up if nothing at all comes back.

const ASK_MS = 20_000;
const PATIENCE_MS = 15_000; // a busy site may take seconds
const DOZE_MS = 1_000; // the clocks of a device are set anew by less, now and then

/** The clock that stands still in a device's sleep, behind the one that does not. */
const sleptMs = () => Date.now() - performance.now();

export class Pulse {
  private asking: ReturnType<typeof setInterval> | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private readonly send: () => void;
  private readonly onSilence: () => void;
  private readonly slept: () => number;
  private sleptBefore = 0;

  /**
   * `send` asks the other end; `onSilence` is told once that it does not answer, or that this device has slept, so that
   * what was counted meanwhile is wrong; `slept` says for how many milliseconds it has, since some moment.
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

  /** Ask now: the page was away, or its time has come. */
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

  /** Something came, whatever it was. */
  heard(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }
}
