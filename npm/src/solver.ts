// Requests to the worker, one after the other. Work is stopped by ending the worker and its threads; the next request
// starts new ones, which read the stored tables.
import { directories, spawn } from "#spawn";
import { type Addresses, addresses } from "./addresses.js";
import { type Threading, threading } from "./threading.js";
import type { Answers, Event, Fault, FromWorker, Port, Request } from "./protocol.js";

/** An input was refused; all its faults, with their places. */
export class Refused extends Error {
  override name = "Refused";
  constructor(readonly faults: Fault[]) {
    super(faults.map((fault) => fault.message).join("; "));
  }
}

/** All work was stopped by {@link Solver.stop}. */
export class Stopped extends Error {
  override name = "Stopped";
}

/** The settings of a {@link Solver}. */
export interface SolverOptions {
  /** The number of threads of a search; by default the number of cores, where threads can share memory. */
  threads?: number;
  /**
   * In Node.js, the directories of tables: they are read from all of them and written to the first that can be written;
   * by default those of `OPTIMAL_PUZZLES_TABLES`, else the cache directory of the programs. A browser keeps tables in
   * its origin private file system. With `false`, tables are kept in memory.
   */
  tables?: string | string[] | false;
  /**
   * The bits of the addresses of the solvers' memory. By default 32, and 64 for a table that needs them, where the engine
   * has them: see {@link addresses}. With `64` they are used for all searches, with `32` for none.
   */
  addresses?: Addresses;
}

/** The refusal of 64-bit addresses. */
const TOO_OLD = "this engine has no WebAssembly memory with 64-bit addresses: Chrome 133, Firefox 134, Node.js 24 and later have it";

/** The settings of one request. */
export interface RequestOptions {
  /** Called with every report of progress. */
  onEvent?: (event: Event) => void;
  /** Ends the request; its promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

interface Waiting {
  id: number;
  request: Request;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onEvent?: (event: Event) => void;
}

/** Called when the number of threads is known. */
const listeners = new Set<(threading: Threading) => void>();
/** Registers a function that is called when the number of threads of a search is known. */
export const onThreads = (listener: (threading: Threading) => void) => listeners.add(listener);

/** A worker with the solvers. Requests wait for each other. */
export class Solver {
  private worker?: Port;
  /** The additional threads. The main thread starts them, because a worker cannot start threads while it works. */
  private threads: Port[] = [];
  /** The requests; the first one is at work. */
  private queue: Waiting[] = [];
  /** Tables that could not be stored. */
  private readonly unstored = new Map<string, Uint8Array>();
  private readonly stored: string[] | false;
  private readonly count?: number;
  private readonly chosen?: Addresses;
  /** The bits of the widest addresses that may be used. */
  readonly widest: Addresses;
  /** The addresses of the worker. */
  private addresses: Addresses = 32;
  /** The heuristics of cubes that need 64-bit addresses, as far as they were asked for. */
  private readonly wide = new Set<unknown>();
  private last = 0;

  /**
   * The worker starts with the first request.
   *
   * @throws TypeError if `threads` is not a positive integer, `addresses` is not a width that the engine has, or `tables`
   * names a directory in a browser.
   */
  constructor({ threads, tables, addresses: chosen }: SolverOptions = {}) {
    if (threads !== undefined && !(Number.isInteger(threads) && threads > 0)) {
      throw new TypeError(`threads: ${threads} is not a positive integer`);
    }
    if (![undefined, 32, 64].includes(chosen)) throw new TypeError(`addresses: ${chosen} is neither 32 nor 64`);
    this.widest = chosen === 32 ? 32 : addresses();
    if (chosen === 64 && this.widest === 32) throw new TypeError(`addresses: ${TOO_OLD}`);
    this.chosen = chosen;
    this.count = threads;
    this.stored = tables === false ? false : directories(tables);
  }

  /** Sends a request by its name; the library's other functions are built on this one. */
  ask<K extends keyof Answers>(
    what: K,
    request: Record<string, unknown> = {},
    { onEvent, signal }: RequestOptions = {},
  ): Promise<Answers[K]> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.last;
    const asked = new Promise<Answers[K]>((resolve, reject) => {
      const waiting = { id, request: { ...request, do: what }, resolve: resolve as (value: unknown) => void, reject, onEvent };
      this.queue.push(waiting);
      if (this.queue.length === 1) this.begin();
    });
    if (!signal) return asked;
    const abort = () => this.abort(id, signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    return asked.finally(() => signal.removeEventListener("abort", abort));
  }

  /** Stops all work: the promises of all requests are rejected with {@link Stopped}. Later requests start anew. */
  stop() {
    this.fail(() => new Stopped("stopped"));
  }

  /** Gives the first request to the worker. */
  private begin() {
    const first = this.queue[0];
    if (!first) return;
    const wanted = this.wanted(first.request);
    if (wanted !== this.addresses) this.end();
    if (!this.worker) {
      this.addresses = wanted;
      this.worker = spawn("worker", (message) => this.receive(message), (message) => this.fail(() => new Error(message)));
      const threads = this.count ?? threading().count;
      this.worker.post({ kind: "begin", addresses: wanted, threads, stored: this.stored, tables: [...this.unstored] });
    }
    this.worker.hold(true);
    this.worker.post({ kind: "request", id: first.id, request: first.request });
  }

  /** The addresses for a request: those that its table needs, or any if it names none. */
  private wanted({ do: what, heuristic }: Request): Addresses {
    if (this.chosen) return this.chosen;
    if (what !== "cube.solve" || !heuristic) return this.worker ? this.addresses : 32;
    return this.wide.has(heuristic) ? 64 : 32;
  }

  private receive(data: FromWorker) {
    if (data.kind === "threads") {
      this.threads = data.rooms.map((room) => {
        const thread = spawn("thread", (message) => this.receive(message), (message) => this.fail(() => new Error(message)));
        thread.post({ shared: data.shared, room });
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
      this.unstored.set(data.name, data.bytes);
      return;
    }
    if (data.kind === "failed") {
      this.fail(() => new Error(data.message));
      return;
    }
    const first = this.queue[0];
    // A late report of a request that is over.
    if (first?.id !== data.id) return;
    if (data.kind === "event") {
      first.onEvent?.(data.event);
      return;
    }
    const { answer } = data;
    const { heuristic } = first.request;
    if ("addresses" in answer && answer.addresses <= this.widest) {
      this.wide.add(heuristic);
      this.begin();
      return;
    }
    this.queue.shift();
    this.worker?.hold(false);
    this.begin();
    if ("ok" in answer) first.resolve(answer.ok);
    else if ("addresses" in answer) first.reject(new Error(`${heuristic}: ${this.chosen ? "its table needs `addresses: 64`" : TOO_OLD}`));
    else if ("faults" in answer) first.reject(new Refused(answer.faults));
    else first.reject(new Error(answer.error));
  }

  /** Ends one request; the others are not affected. */
  private abort(id: number, reason: unknown) {
    const at = this.queue.findIndex((waiting) => waiting.id === id);
    const [ended] = this.queue.splice(at, Number(at >= 0));
    if (!ended) return;
    if (at === 0) {
      this.end();
      this.begin();
    }
    ended.reject(reason);
  }

  /** Drops a worker that failed or was stopped, with all requests. */
  private fail(reason: () => Error) {
    this.end();
    const waiting = this.queue;
    this.queue = [];
    for (const { reject } of waiting) reject(reason());
  }

  /** Ends the worker and its threads. */
  private end() {
    for (const port of [this.worker, ...this.threads]) port?.end();
    [this.worker, this.threads] = [undefined, []];
  }
}
