// Whether the other end of a line still answers: it is asked now and then, and given up if nothing at all comes back.

const ASK_MS = 20_000;
const PATIENCE_MS = 15_000; // a busy site may take seconds

export class Pulse {
  private asking: ReturnType<typeof setInterval> | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private readonly send: () => void;
  private readonly onSilence: () => void;

  /** `send` asks the other end, `onSilence` is told once that it does not answer. */
  constructor(send: () => void, onSilence: () => void) {
    this.send = send;
    this.onSilence = onSilence;
  }

  start(): void {
    this.stop();
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
