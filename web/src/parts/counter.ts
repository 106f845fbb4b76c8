// Counting: its progress, and the numbers at each depth as a plot.
import { count, el, svg } from "../dom";
import { type Answers, type Event, Refused, type Solver, Stopped } from "optimal-puzzles";

type Counting = "towers.counts" | "puzzle.count";

/** The element where a count shows its progress and its result. */
export class Counter {
  readonly element = el("div", { className: "plot" });
  private running = false;
  /** The number of the last count: the results of earlier ones are ignored. */
  private last = 0;

  constructor(private readonly solver: Solver) {}

  /** Resets the display; a running count is stopped. */
  clear() {
    if (this.running) this.solver.stop();
    this.running = false;
    this.last += 1;
    this.element.replaceChildren();
  }

  show(...result: Node[]) {
    this.element.replaceChildren(...result);
  }

  /** Counts. If the count is stopped or refused, that is shown, and the result is undefined. */
  async run<K extends Counting>(what: K, request: Record<string, unknown>): Promise<Answers[K] | undefined> {
    this.clear();
    const number = this.last;
    const status = el("p", { className: "status", role: "status" }, "Counting…");
    const bar = el("progress", { max: 1, ariaLabel: "Progress" });
    const stop = el("button", { type: "button", className: "stop", onclick: () => this.solver.stop() }, "Stop");
    this.show(status, bar, el("div", { className: "row" }, stop));
    const hear = (event: Event) => {
      if (event.event === "begin") {
        bar.max = Math.max(1, event.total);
        if (event.total > 0) bar.value = 0;
        else bar.removeAttribute("value");
      } else if (event.event === "update") {
        if (bar.max > 1) bar.value = event.done;
        else status.textContent = `Counting: depth ${event.done} is done.`;
      }
    };
    this.running = true;
    try {
      const answer = await this.solver.ask(what, request, { onEvent: hear });
      if (number !== this.last) return undefined;
      this.running = false;
      return answer;
    } catch (error) {
      if (number !== this.last) return undefined;
      this.running = false;
      const faults = error instanceof Refused ? error.faults.map((fault) => fault.message) : [(error as Error).message];
      if (error instanceof Stopped) this.show(el("p", { className: "status", role: "status" }, "Stopped."));
      else this.show(...faults.map((fault) => el("p", { className: "fault", role: "alert" }, fault)));
      return undefined;
    }
  }
}

export const sum = (layers: bigint[]) => layers.reduce((total, layer) => total + layer, 0n);

/** The words of a plot. */
interface Words {
  depth: string;
  one: string;
  many: string;
}

/** The numbers at each depth as bars, and the number at the depth that is pointed at. */
export function plot(layers: bigint[], { depth: label, one, many }: Words): HTMLElement {
  const [width, height, left, bottom] = [1100, 250, 6, 24];
  const most = layers.reduce((most, layer) => (layer > most ? layer : most), 0n);
  const step = (width - left) / layers.length;
  const readout = el("output", { className: "hint" });
  const widest = layers.indexOf(most);
  const text = (depth: number) => `${label} ${depth}: ${count(layers[depth]!)} ${layers[depth] === 1n ? one : many}`;
  const tell = (depth: number) => {
    readout.textContent = text(depth);
  };
  const bars = layers.map((layer, depth) => {
    const tall = (height - 10) * (Number(layer) / Number(most));
    return svg("rect", {
      class: depth === widest ? "bar widest" : "bar", x: left + depth * step, width: Math.max(step - (step > 4 ? 1 : 0), 0.6),
      y: height - tall, height: tall,
    }, svg("title", {}, text(depth)));
  });
  const every = Math.ceil(layers.length / 14 / 5) * 5 || 1;
  const ticks = layers.map((_, depth) => depth).filter((depth) => depth % every === 0)
    .map((depth) => svg("text", { x: left + (depth + 0.5) * step, y: height + 18 }, String(depth)));
  const chart = svg("svg", {
    viewBox: `0 0 ${width} ${height + bottom}`, role: "img",
    "aria-label": `${count(sum(layers))} ${many} at distances 0 to ${layers.length - 1}; most, ${count(most)}, at distance ${widest}`,
    onpointermove: (event: PointerEvent) => {
      const box = chart.getBoundingClientRect();
      const depth = Math.floor((((event.clientX - box.left) / box.width) * width - left) / step);
      if (depth >= 0 && depth < layers.length) tell(depth);
    },
  }, ...bars, svg("line", { x1: left, x2: width, y1: height, y2: height }), ...ticks);
  tell(widest);
  return el("div", {}, chart, readout);
}
