// Requests to the worker. Work is stopped by ending the worker and its threads; the next request starts new ones, which
// read the stored tables.
import { type Threading, threading } from "./modules";
import type { Answers, Event, Fault, FromWorker, Request, ToThread, ToWorker } from "./protocol";

/** The faults of an input, with their places. */
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

/** Called when the number of threads is known. */
const listeners = new Set<(threading: Threading) => void>();
export const onThreads = (listener: (threading: Threading) => void) => listeners.add(listener);

export class Solver {
  private worker?: Worker;
  /** The additional threads. The page starts them, because a worker cannot start threads while it works. */
  private threads: Worker[] = [];
  private readonly waiting = new Map<number, Waiting>();
  /** Tables that could not be stored. */
  private readonly tables = new Map<string, Uint8Array>();
  private last = 0;

  /** `quick` is for requests that take almost no time; it has one thread. */
  constructor(private readonly quick = false) {}

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
    this.end(() => new Stopped("stopped"));
  }

  private post(message: ToWorker) {
    if (!this.worker) {
      this.worker = this.listen(new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module" }));
      const threads = this.quick ? 1 : threading().count;
      const begin: ToWorker = { kind: "begin", threads, tables: [...this.tables] };
      this.worker.postMessage(begin);
    }
    this.worker.postMessage(message);
  }

  private listen(worker: Worker): Worker {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = (event) => this.fail(event.message || "the worker cannot be started");
    return worker;
  }

  private receive(data: FromWorker) {
    if (data.kind === "threads") {
      this.threads = data.rooms.map((room) => {
        const thread = this.listen(new Worker(new URL("./worker/thread.ts", import.meta.url), { type: "module" }));
        thread.postMessage({ shared: data.shared, room } satisfies ToThread);
        return thread;
      });
      for (const listener of listeners) listener({ count: data.rooms.length + 1, why: "" });
      return;
    }
    if (data.kind === "alone") {
      for (const listener of listeners) listener({ count: 1, why: data.why });
      return;
    }
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

  /** Drops a failed worker: the next request starts a new one. */
  private fail(message: string) {
    this.end(() => new Error(message));
  }

  /** Ends the worker and its threads. */
  private end(reason: () => Error) {
    for (const worker of [this.worker, ...this.threads]) {
      if (!worker) continue;
      // Its earlier messages are ignored.
      worker.onmessage = null;
      worker.terminate();
    }
    [this.worker, this.threads] = [undefined, []];
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(reason());
  }
}
