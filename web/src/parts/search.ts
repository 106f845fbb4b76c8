// A search: its progress, its end, and the bound that it proved.
import { count, countMoves, el, seconds } from "../dom";
import { type Answered, type Answers, type Event, Refused, type Solution, type Solver, Stopped } from "optimal-puzzles";

/** Shows solutions, the shortest first. */
type Show = (solutions: Solution[]) => void;
type Solving = { [K in keyof Answers]: Answers[K] extends Answered ? K : never }[keyof Answers];

/** The choices of the solutions that are wanted: one, or all up to a number of moves longer. */
export const WANTED: [string, string][] = [["one", "one"], ["0", "all shortest"], ["1", "all up to one move longer"]];

/** The number of seconds after which a search may give advice. */
const PATIENCE = 10;

/** The first move of the best solution, as a solution of its own. */
function hint([best]: Solution[]): Solution[] {
  return best?.next ? [{ length: 1, moves: best.next, next: best.next }] : [];
}

/** The element where a search shows its progress. */
export class Search {
  readonly element = el("section", { className: "search", ariaLabel: "Search" });
  private readonly status = el("p", { className: "status" });
  private readonly numbers = el("p", { className: "numbers" });
  private readonly bar = el("progress", { max: 1, ariaLabel: "Progress" });
  private readonly buttons = el("div", { className: "row" });
  private readonly live = el("p", { className: "visually-hidden", role: "status" });
  /** The bound proved when the search is stopped. */
  private bound = 0;
  private state: string | null = null;
  /** The first bound of the checkpoint's search; it belongs to the checkpoint. */
  private from = 0;
  /** The best solution that is known while the search runs. */
  private best?: Solution;
  private note = "";
  private first?: { nodes: number; seconds: number };
  /** The nodes and the seconds of searches that were stopped and continued. */
  private earlier = { nodes: 0, seconds: 0 };
  private latest = { nodes: 0, seconds: 0 };
  private running = false;
  /** The number of the last search: the results of earlier ones are ignored. */
  private last = 0;

  /** `advice` is shown if a search takes long. */
  constructor(private readonly solver: Solver, private readonly advice: () => string = () => "") {
    this.element.append(this.live);
  }

  /** Resets the display: there is no search yet, or the next one is of another position. */
  clear() {
    // A running worker keeps its tables in memory.
    if (this.running) this.solver.stop();
    this.running = false;
    this.last += 1;
    this.element.replaceChildren(this.live);
    this.live.textContent = "";
  }

  /**
   * Searches, and passes each better solution to `show` while the search runs, then the solutions of the answer; or, for
   * a hint, only the first move of a shortest solution.
   */
  async run(what: Solving, request: Record<string, unknown>, show: Show, isHint = false) {
    if (this.running) this.solver.stop();
    const stop = el("button", { type: "button", className: "stop", onclick: () => this.solver.stop() }, "Stop");
    this.status.textContent = "Starting…";
    this.numbers.textContent = "";
    this.note = "";
    this.first = undefined;
    this.latest = { nodes: 0, seconds: 0 };
    this.bar.removeAttribute("value");
    this.buttons.replaceChildren(stop);
    this.element.replaceChildren(this.status, this.bar, this.numbers, this.buttons, this.live);
    this.live.textContent = "Searching";
    this.element.scrollIntoView({ block: "nearest" });
    if (this.state === null) this.from = this.bound;
    const resumed = { ...request, at_least: this.from, resume: this.state };
    this.running = true;
    const number = ++this.last;
    try {
      const answer = await this.solver.ask(what, resumed, { onEvent: (event) => this.hear(event, isHint ? () => undefined : show) });
      if (number !== this.last) return;
      this.running = false;
      const shown = isHint ? undefined : this.best?.moves;
      this.forget();
      this.element.replaceChildren(...proof(answer), this.live);
      this.live.textContent = answer.ending === "optimal" ? `Solved in ${countMoves(answer.length ?? 0)}` : open(answer) ?? "Not solved";
      // The player of a solution that is already shown is not replaced.
      if (answer.solutions.length !== 1 || answer.solutions[0]!.moves !== shown) show(isHint ? hint(answer.solutions) : answer.solutions);
      this.element.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (number !== this.last) return;
      this.running = false;
      if (error instanceof Stopped) this.stopped(() => void this.run(what, request, show, isHint));
      else this.failed(error as Error);
    }
  }

  /** The next search is of another position. */
  forget() {
    this.bound = 0;
    this.state = null;
    this.best = undefined;
    this.earlier = { nodes: 0, seconds: 0 };
  }

  /** Both bounds, once a solution is known. */
  private bounds(): string | undefined {
    if (!this.best) return undefined;
    const length = countMoves(this.best.length);
    return this.best.length > this.bound ? `${length}; none has fewer than ${this.bound}` : `${length}, proved shortest`;
  }

  /** The bounds during the search. */
  private searching(): string | undefined {
    const bounds = this.bounds();
    return bounds && `${bounds}; still searching.`;
  }

  private begin(what: string, total: number) {
    this.status.textContent = what;
    this.bar.max = Math.max(1, total);
    if (total > 0) this.bar.value = 0;
    else this.bar.removeAttribute("value");
  }

  private stopped(resume: () => void) {
    const lower = this.bound > 0 ? `no solution has fewer than ${countMoves(this.bound)}` : undefined;
    const known = this.bounds() ?? lower;
    const text = known ? `Stopped: ${known}.` : "Stopped.";
    this.earlier = { nodes: this.earlier.nodes + this.latest.nodes, seconds: this.earlier.seconds + this.latest.seconds };
    const button = el("button", { type: "button", onclick: resume }, "Continue");
    this.element.replaceChildren(el("p", { className: "status" }, text), el("div", { className: "row" }, button), this.live);
    this.live.textContent = text;
  }

  private failed(error: Error) {
    const faults = error instanceof Refused ? error.faults.map((fault) => fault.message) : [error.message];
    this.element.replaceChildren(this.live, ...faults.map((fault) => el("p", { className: "fault" }, fault)));
    this.live.textContent = faults.join("; ");
  }

  private hear(event: Event, show: Show) {
    if (event.event === "begin") {
      const what = this.note ? `${this.note}: ${event.what}` : `${event.what.charAt(0).toUpperCase()}${event.what.slice(1)}…`;
      this.begin(this.searching() ?? what, event.total);
    } else if (event.event === "bound") {
      this.bound = event.bound;
      const bound = `Searching for ${countMoves(this.bound)}: no solution has fewer than ${this.bound}.`;
      this.begin(this.searching() ?? bound, event.total);
    } else if (event.event === "update") {
      if (this.bar.max > 1) this.bar.value = event.done;
    } else if (event.event === "nodes") {
      // A table may have been built before the first report.
      this.first ??= event;
      const [nodes, time] = [event.nodes - this.first.nodes, event.seconds - this.first.seconds];
      const rate = time > 0.2 ? `, ${(nodes / time / 1e6).toFixed(1)} million nodes per second` : "";
      this.latest = { nodes: event.nodes, seconds: event.seconds };
      const all = this.earlier.nodes + event.nodes;
      const spent = this.earlier.seconds + event.seconds;
      const advice = spent > PATIENCE ? this.advice() : "";
      this.numbers.textContent = `${count(all)} nodes${rate}, ${seconds(spent)}${advice && `. ${advice}`}`;
    } else if (event.event === "better") {
      this.bound = Math.max(this.bound, event.bound);
      if (this.best && this.best.length <= event.solution.length) return;
      this.best = event.solution;
      this.status.textContent = this.live.textContent = this.searching()!;
      show([event.solution]);
    } else if (event.event === "note" && event.line.startsWith("resuming")) {
      this.live.textContent = event.line;
    } else if (event.event === "note" && /table/.test(event.line)) {
      this.note = event.line.includes("building the table") ? "Building the table (only once)" : "";
      if (!this.note) this.status.textContent = event.line;
    } else if (event.event === "checkpoint") {
      this.bound = event.bound;
      this.state = event.state;
    }
  }
}

/** Both bounds of a solution that is not proved shortest. */
function open({ length, solutions: [best] }: Answered): string | undefined {
  return best && `${countMoves(best.length)}; none has fewer than ${length ?? 0}.`;
}

/** A description of the proof. */
function proof(answer: Answered): HTMLElement[] {
  if (answer.ending === "exhausted") {
    return [el("p", { className: "status" }, answer.remark ?? "There is no solution.")];
  }
  if (answer.ending !== "optimal") {
    return [el("p", { className: "status" }, open(answer) ?? `Every solution has at least ${countMoves(answer.length ?? 0)}.`)];
  }
  const nodes = answer.iterations.reduce((sum, iteration) => sum + iteration.generated, 0);
  const searched = answer.iterations.reduce((sum, iteration) => sum + iteration.seconds, 0);
  const length = answer.length ?? 0;
  const lines = [el("p", { className: "length" }, el("strong", {}, String(length)), length === 1 ? " move" : " moves")];
  if (!answer.heuristic) {
    const states = nodes > 0 ? `: ${count(nodes)} states searched in ${seconds(searched)}` : "";
    return [...lines, el("p", { className: "proof" }, `Proved shortest${states}.`)];
  }
  if (length === 0) return [...lines, el("p", { className: "proof" }, "This is the goal.")];
  const below = answer.iterations.filter((iteration) => iteration.bound < length);
  const before = below.reduce((sum, iteration) => sum + iteration.generated, 0);
  const why = before > 0
    ? `Proved shortest: all ways of ${countMoves(length - 1)} or fewer were searched (${count(before)} nodes).`
    : `Proved shortest: every way takes at least ${countMoves(length)}, by the heuristic alone.`;
  const rate = searched > 0.05 ? `, ${(nodes / searched / 1e6).toFixed(1)} million nodes per second` : "";
  if (answer.remark) lines.push(el("p", { className: "status" }, answer.remark));
  const rows = answer.iterations.map((iteration) => el("tr", {},
    el("td", {}, String(iteration.bound)), el("td", {}, count(iteration.generated)),
    el("td", {}, iteration.seconds.toFixed(3))));
  const table = el("table", {}, el("thead", {}, el("tr", {},
    ...["Bound", "Nodes", "Seconds"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, ...rows));
  return [
    ...lines,
    el("p", { className: "proof" }, why),
    el("details", {}, el("summary", {}, `${count(nodes)} nodes in ${seconds(searched)}${rate}, heuristic ${answer.heuristic}`), table,
      el("p", { className: "tables" }, `Checksums of the tables: ${answer.tables.map(({ name, checksum }) => `${name} ${checksum}`).join(", ")}`)),
  ];
}
