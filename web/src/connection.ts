// A line to the site: a WebSocket that comes back by itself after it was lost, or has fallen silent.
import type { PlayPing } from "./api.gen.ts";
import { Pulse } from "./pulse.ts";

export type Line = "connecting" | "open" | "lost" | "refused";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const GOOD_AFTER_MS = 10_000; // a line that held so long was a good one; others are closed for a while, by a full house
const REFUSED_FROM = 4000; // close codes from here on are the site's own: asking again would not help
const POLICY_VIOLATION = 1008;
const DAMAGED = "Damaged here"; // which no further try mends
const PING: PlayPing = { type: "ping" }; // every line of the site answers it by `pong`

/** What the site says besides. */
export type News<Said> = Exclude<Said, { type: "pong" }>;

export class Connection<Said extends { type: string }, Heard> {
  private socket: WebSocket | null = null;
  private attempts = 0;
  /** When the line was opened, in milliseconds of `performance.now`. */
  private opened = Infinity;
  private timer = 0;
  private closed = false;
  private readonly url: string;
  private readonly onMessage: (message: News<Said>) => void;
  private readonly onLine: (line: Line, reason: string) => void;
  private readonly pulse = new Pulse(
    () => this.socket?.send(JSON.stringify(PING)),
    () => this.drop(),
  );

  constructor(path: string, onMessage: (message: News<Said>) => void, onLine: (line: Line, reason: string) => void) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.onMessage = onMessage;
    this.onLine = onLine;
    addEventListener("online", this.dialAgain);
    document.addEventListener("visibilitychange", this.pulse.ask); // a phone that slept may have lost the line unawares
    this.dial();
  }

  /** Send a message; false if the line is down. */
  send(message: Heard): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.dialAgain);
    document.removeEventListener("visibilitychange", this.pulse.ask);
    this.pulse.stop();
    this.socket?.close();
  }

  private readonly dialAgain = (): void => {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.timer);
    this.dial();
  };

  private dial(): void {
    const socket = new WebSocket(this.url);
    this.socket?.close();
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.opened = performance.now();
      this.pulse.start();
      this.onLine("open", "");
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket !== this.socket) return;
      this.pulse.heard();
      const message = JSON.parse(data) as Said;
      if (message.type !== "pong") this.onMessage(message as News<Said>);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.closed || socket !== this.socket) return;
      if (code >= REFUSED_FROM || code === POLICY_VIOLATION || reason === DAMAGED) {
        this.closed = true;
        this.onLine("refused", reason);
        return;
      }
      this.lose(reason);
    };
  }

  /** Give up a line on which nothing comes; the browser may take minutes to close it. */
  private drop(): void {
    const silent = this.socket;
    this.socket = null;
    silent?.close();
    this.lose("");
  }

  private lose(reason: string): void {
    this.pulse.stop();
    this.onLine("lost", reason);
    if (performance.now() - this.opened > GOOD_AFTER_MS) this.attempts = 0;
    this.opened = Infinity;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempts);
    this.attempts += 1;
    this.timer = window.setTimeout(this.dialAgain, wait * (0.75 + Math.random() / 2));
  }
}
