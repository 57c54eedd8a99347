// A line to the site: a WebSocket that comes back by itself after it was lost.

export type Line = "connecting" | "open" | "lost" | "refused";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const REFUSED_FROM = 4000; // close codes from here on are the site's own: asking again would not help
const POLICY_VIOLATION = 1008;

export class Connection<FromSite, ToSite> {
  private socket: WebSocket | null = null;
  private attempts = 0;
  private timer = 0;
  private closed = false;
  private readonly url: string;
  private readonly onMessage: (message: FromSite) => void;
  private readonly onLine: (line: Line, reason: string) => void;

  constructor(path: string, onMessage: (message: FromSite) => void, onLine: (line: Line, reason: string) => void) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.onMessage = onMessage;
    this.onLine = onLine;
    addEventListener("online", this.dialAgain);
    this.dial();
  }

  /** Send a message; false if the line is down. */
  send(message: ToSite): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.dialAgain);
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
      this.attempts = 0;
      this.onLine("open", "");
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket === this.socket) this.onMessage(JSON.parse(data) as FromSite);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.closed || socket !== this.socket) return;
      if (code >= REFUSED_FROM || code === POLICY_VIOLATION) {
        this.closed = true;
        this.onLine("refused", reason);
        return;
      }
      this.onLine("lost", reason);
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.attempts);
      this.attempts += 1;
      this.timer = window.setTimeout(this.dialAgain, wait * (0.75 + Math.random() / 2));
    };
  }
}
