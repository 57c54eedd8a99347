// A WebSocket to the site that reconnects with back-off after it is lost or stops responding.
import type { PlayPing } from "./api.gen.ts";
import { Pulse } from "./pulse.ts";

export type Line = "connecting" | "open" | "lost" | "refused";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const HANDSHAKE_MS = 8000; // a socket that has not opened by then is given up
const GOOD_AFTER_MS = 10_000; // a connection that lasted this long resets the back-off; a full site closes it sooner
const REFUSED_FROM = 4000; // close codes from here on are the site's own: a reconnect would not help
const POLICY_VIOLATION = 1008;
const DAMAGED = "Damaged here"; // the close reason for a corrupt game: a reconnect would not help
const PING: PlayPing = { type: "ping" }; // every socket of the site answers it with `pong`

/** The site's messages other than `pong`. */
export type News<Incoming> = Exclude<Incoming, { type: "pong" }>;

export class Connection<Incoming extends { type: string }, Outgoing> {
  private socket: WebSocket | null = null;
  private attempts = 0;
  /** When the socket opened, in milliseconds of `performance.now`. */
  private opened = Infinity;
  private timer = 0;
  private handshake = 0;
  private closed = false;
  private readonly url: string;
  private readonly onMessage: (message: News<Incoming>) => void;
  private readonly onLine: (line: Line, reason: string) => void;
  private readonly pulse = new Pulse(
    () => this.socket?.send(JSON.stringify(PING)),
    () => this.drop(),
  );

  constructor(path: string, onMessage: (message: News<Incoming>) => void, onLine: (line: Line, reason: string) => void) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.onMessage = onMessage;
    this.onLine = onLine;
    addEventListener("online", this.reconnect);
    document.addEventListener("visibilitychange", this.pulse.ask); // a phone may lose the connection during sleep without an event
    this.connect();
  }

  /** Send a message; false if the socket is not open. */
  send(message: Outgoing): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.handshake);
    removeEventListener("online", this.reconnect);
    document.removeEventListener("visibilitychange", this.pulse.ask);
    this.pulse.stop();
    this.socket?.close();
  }

  private readonly reconnect = (): void => {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.timer);
    this.connect();
  };

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket?.close();
    this.socket = socket;
    clearTimeout(this.handshake);
    this.handshake = window.setTimeout(() => this.drop(), HANDSHAKE_MS);
    socket.onopen = () => {
      if (socket !== this.socket) return;
      clearTimeout(this.handshake);
      this.opened = performance.now();
      this.pulse.start();
      this.onLine("open", "");
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket !== this.socket) return;
      this.pulse.heard();
      const message = JSON.parse(data) as Incoming;
      if (message.type !== "pong") this.onMessage(message as News<Incoming>);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.closed || socket !== this.socket) return;
      clearTimeout(this.handshake);
      if (code >= REFUSED_FROM || code === POLICY_VIOLATION || reason === DAMAGED) {
        this.closed = true;
        this.onLine("refused", reason);
        return;
      }
      this.lose(reason);
    };
  }

  /** Abandon an unresponsive socket without waiting for its close event, which may take minutes. */
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
    this.timer = window.setTimeout(this.reconnect, wait * (0.75 + Math.random() / 2));
  }
}
