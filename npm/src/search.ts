// A search: a promise of its answer, and a sequence of the bounds and better solutions on the way.
import type { Answered, Event, Iteration, Solution } from "./protocol.js";
import type { RequestOptions } from "./solver.js";

/** The settings of a search. */
export interface SearchOptions {
  /** All shortest solutions instead of one. */
  all?: boolean;
  /** With `all`, also the solutions that have at most this many moves more. */
  extra?: number;
  /** The first good solution instead, with the lower bound proved by then. */
  quick?: boolean;
  /** Memory for tables in bytes. */
  memory?: number;
  /** Seconds after which the search ends with the bounds that it has by then. */
  timeLimit?: number;
  /** The {@link Search.checkpoint} of an earlier search for the same answer. */
  resume?: Checkpoint;
  /** Ends the search; its promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** The state of a search that was stopped: plain data, which may be stored as JSON. */
export interface Checkpoint {
  /** The proved lower bound. */
  bound: number;
  state: string;
}

/** The bounds at one moment of a search. */
export interface Step {
  /** No solution has fewer moves; `null` if there is no solution. */
  lower: number | null;
  /** The best solution so far; the referee has replayed it. */
  best: Solution | null;
  /** Whether it is proved that the best solution is shortest, or that no solution exists. */
  proved: boolean;
  /** The nodes generated. */
  nodes: number;
  /** The seconds since the beginning. */
  seconds: number;
}

/** The answer of a search. */
export interface Answer extends Step {
  /** The solutions, shortest first. */
  solutions: Solution[];
  /** Each bound that was searched. */
  iterations: Iteration[];
  /** The heuristic, if the search had one. */
  heuristic: string | null;
  /** The tables that it read, with their checksums. */
  tables: { name: string; checksum: string }[];
  /** The differences from the request. */
  remark: string | null;
}

/** The start of a search: it sends a request with these settings. */
export type Start = (options: RequestOptions, wish: Record<string, unknown>) => Promise<Answered>;

/** Ends the request of a search that keeps its bounds. */
const ENDED = Symbol("ended");

/**
 * A running search: `await` gives its answer, `for await` gives a {@link Step} for every proved bound and every
 * better solution, up to the last one.
 */
export class Search implements Promise<Answer>, AsyncIterable<Step> {
  readonly [Symbol.toStringTag] = "Search";
  /** The state from which `resume` continues: undefined at first, renewed every five seconds. */
  checkpoint?: Checkpoint;
  private readonly answer: Promise<Answer>;
  private readonly controller = new AbortController();
  private readonly steps: Step[] = [];
  private readonly begun = performance.now();
  private over = false;
  private lower = 0;
  private nodes = 0;
  private best: Solution | null = null;
  private woken: (() => void)[] = [];

  /** Starts a search. */
  constructor(start: Start, options: SearchOptions = {}) {
    const { all, extra, quick, memory, timeLimit, resume, signal } = options;
    this.checkpoint = resume;
    this.lower = resume?.bound ?? 0;
    const wish = { all, extra, quick, memory, resume: resume?.state };
    const both = signal ? AbortSignal.any([signal, this.controller.signal]) : this.controller.signal;
    const timer = timeLimit === undefined ? undefined : setTimeout(() => this.stop(), timeLimit * 1e3);
    this.answer = start({ signal: both, onEvent: (event) => this.hear(event) }, wish)
      .then((answered) => this.finished(answered), (error) => {
        if (error === ENDED) return this.bounded();
        throw error;
      })
      .finally(() => {
        clearTimeout(timer);
        this.over = true;
        this.wake();
      });
    // An iteration reports the failure, too.
    this.answer.catch(() => undefined);
  }

  /** Ends the search: its promise is resolved with the bounds that it has. */
  stop() {
    this.controller.abort(ENDED);
  }

  then<A = Answer, B = never>(
    done?: ((answer: Answer) => A | PromiseLike<A>) | null, failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.answer.then(done, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Answer | B> {
    return this.answer.catch(failed);
  }

  finally(done?: (() => void) | null): Promise<Answer> {
    return this.answer.finally(done);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Step, void, undefined> {
    for (let next = 0; ; next += 1) {
      while (next === this.steps.length && !this.over) await new Promise<void>((wake) => this.woken.push(wake));
      const step = this.steps[next];
      if (!step) break;
      yield step;
    }
    await this.answer;
  }

  private hear(event: Event) {
    if (event.event === "bound") {
      this.raise(event.bound);
    } else if (event.event === "nodes") {
      this.nodes = event.nodes;
    } else if (event.event === "better") {
      this.lower = Math.max(this.lower, event.bound);
      this.best = event.solution;
      this.add(this.step());
    } else if (event.event === "checkpoint") {
      this.checkpoint = { bound: event.bound, state: event.state };
    }
  }

  private raise(lower: number) {
    if (lower <= this.lower) return;
    this.lower = lower;
    this.add(this.step());
  }

  private step(): Step {
    const seconds = (performance.now() - this.begun) / 1e3;
    return { lower: this.lower, best: this.best, proved: false, nodes: this.nodes, seconds };
  }

  private add(step: Step) {
    this.steps.push(step);
    this.wake();
  }

  private wake() {
    const woken = this.woken;
    this.woken = [];
    for (const wake of woken) wake();
  }

  private finished(answered: Answered): Answer {
    const { ending, length, solutions, iterations, heuristic, tables, remark, seconds } = answered;
    this.best = solutions[0] ?? this.best;
    const nodes = iterations.reduce((sum, iteration) => sum + iteration.generated, 0);
    const proved = ending === "optimal" || ending === "exhausted";
    const step = { lower: length, best: this.best, proved, nodes, seconds };
    this.add(step);
    return { ...step, solutions, iterations, heuristic, tables, remark };
  }

  private bounded(): Answer {
    const step = this.step();
    this.add(step);
    return { ...step, solutions: this.best ? [this.best] : [], iterations: [], heuristic: null, tables: [], remark: null };
  }
}
