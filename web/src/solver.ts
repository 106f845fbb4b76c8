// Requests to the worker. Work is stopped by ending the worker; the next request starts another, which reads the
// tables that are stored.
import type { Answers, Event, Fault, FromWorker, Request, ToWorker } from "./protocol";

/** What is wrong with an input, at its places. */
export class Refused extends Error {
  constructor(readonly faults: Fault[]) {
    super(faults.map((fault) => fault.message).join("; "));
  }
}

/** The work was stopped. */
export class Stopped extends Error {}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onEvent?: (event: Event) => void;
}

export class Solver {
  private worker?: Worker;
  private readonly waiting = new Map<number, Waiting>();
  /** Tables that could not be stored. */
  private readonly tables = new Map<string, Uint8Array>();
  private last = 0;

  ask<K extends keyof Answers>(
    what: K,
    request: Record<string, unknown> = {},
    onEvent?: (event: Event) => void,
  ): Promise<Answers[K]> {
    const id = ++this.last;
    return new Promise<Answers[K]>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, onEvent });
      this.post({ kind: "request", id, request: { do: what, ...request } as Request });
    });
  }

  /** Stops all work. */
  stop() {
    this.worker?.terminate();
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(new Stopped("stopped"));
  }

  private post(message: ToWorker) {
    if (!this.worker) {
      this.worker = new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module" });
      this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
      this.worker.onerror = (event) => this.fail(event.message || "the worker cannot be started");
      if (this.tables.size > 0) {
        this.worker.postMessage({ kind: "tables", tables: [...this.tables] } satisfies ToWorker);
      }
    }
    this.worker.postMessage(message);
  }

  private receive(data: FromWorker) {
    if (data.kind === "table") {
      this.tables.set(data.name, data.bytes);
      return;
    }
    const waiting = this.waiting.get(data.id);
    if (data.kind === "event") {
      waiting?.onEvent?.(data.event);
      return;
    }
    if (data.kind === "failed") {
      this.fail(data.message);
      return;
    }
    this.waiting.delete(data.id);
    const { answer } = data;
    if ("ok" in answer) waiting?.resolve(answer.ok);
    else if ("faults" in answer) waiting?.reject(new Refused(answer.faults));
    else waiting?.reject(new Error(answer.error));
  }

  /** The worker is of no more use: a new one for the next request. */
  private fail(message: string) {
    this.worker?.terminate();
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(new Error(message));
  }
}
