// The page's end of the worker: questions with their promises, updates, and errors.
import type { Found, Limits, Position } from "./found.ts";
import type { Answered, Asked, Device, Loaded, Progress } from "./messages.ts";

export interface LoadOptions {
  /** Called as bytes arrive. */
  onProgress?: (progress: Progress) => void;
  /** `auto` (default): the graphics processor if it is right and faster. */
  device?: Device | "auto";
  /** Ends the loading. */
  signal?: AbortSignal;
}

/** The part of a `Worker` that is used. */
export interface Port {
  postMessage(asked: Asked): void;
  terminate(): void;
  onmessage: ((message: { data: Answered }) => void) | null;
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null;
}

interface Question {
  id: number;
  resolve: (found: Found) => void;
  reject: (error: Error) => void;
  onUpdate: ((found: Found) => void) | undefined;
}

export class EngineError extends Error {
  /** Whether loading again may help. */
  readonly retry: boolean;
  constructor(words: string, retry = false) {
    super(words);
    this.retry = retry;
  }
}

function aborted(words: string): Error {
  return Object.assign(new Error(words), { name: "AbortError" });
}

export class Connection {
  private readonly worker: Port;
  private asked = 0;
  private question: Question | null = null;
  private closed: Error | null = null;
  private loading: { resolve: (loaded: Loaded) => void; reject: (error: Error) => void } | null = null;
  private onProgress: ((progress: Progress) => void) | undefined;

  constructor(worker: Port) {
    this.worker = worker;
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.end(new EngineError(`The engine stopped${event.message ? ` (${event.message})` : ""}: load it again.`, true));
    };
  }

  load(manifestUrl: string, { onProgress, device = "auto", signal }: LoadOptions): Promise<Loaded> {
    this.onProgress = onProgress;
    return new Promise<Loaded>((resolve, reject) => {
      this.loading = { resolve, reject };
      const onAbort = () => this.end(aborted("The loading of the engine was ended."));
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", () => this.loading && onAbort(), { once: true });
      this.worker.postMessage({ kind: "load", manifestUrl, device });
    });
  }

  think(position: Position, limits: Limits, onUpdate?: (found: Found) => void): Promise<Found> {
    this.question?.reject(aborted("A newer question ended this search."));
    this.question = null;
    if (this.closed) return Promise.reject(this.closed);
    return new Promise((resolve, reject) => {
      const id = ++this.asked;
      this.question = { id, resolve, reject, onUpdate };
      this.worker.postMessage({ kind: "think", id, position: { ...position, actions: [...position.actions] }, limits });
    });
  }

  stop(): void {
    if (this.question) this.worker.postMessage({ kind: "stop", id: this.question.id });
  }

  close(): void {
    this.end(aborted("The engine was closed."));
  }

  private end(error: Error): void {
    if (this.closed) return;
    this.closed = error;
    this.worker.terminate();
    this.loading?.reject(error);
    this.question?.reject(error);
    this.loading = this.question = null;
  }

  private hear(answer: Answered): void {
    if (answer.kind === "progress") this.onProgress?.(answer.progress);
    else if (answer.kind === "loaded") {
      this.loading?.resolve(answer);
      this.loading = null;
    } else if (answer.kind === "failed" && this.loading) this.end(new EngineError(answer.words, answer.retry));
    else if (answer.id === this.question?.id) this.take(this.question, answer);
  }

  private take(question: Question, answer: Extract<Answered, { id: number }>): void {
    if (answer.kind === "found" && !answer.isLast) return question.onUpdate?.(answer.found);
    this.question = null;
    if (answer.kind === "found") question.resolve(answer.found);
    else question.reject(new EngineError(answer.words, answer.retry));
  }
}
