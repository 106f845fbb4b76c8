// Towers of Hanoi: shortest paths between any two states, played; the number of states at each distance.
import { remember } from "../address";
import { choice, count, countMoves, el, seconds, seed, svg } from "../dom";
import type { View } from "../main";
import { Refused, type Solution, Solver } from "optimal-puzzles";
import { Counter, plot, sum } from "../parts/counter";
import { Player } from "../parts/player";
import { Search } from "../parts/search";

const MOST: Record<number, number> = { 3: 12, 4: 13 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The drawing of a state: the peg of each disc, the largest first. */
class Towers {
  readonly element: SVGSVGElement;
  private pegs: number[] = [];
  private discs: SVGRectElement[] = [];
  private wide = 0;

  /** `pick` is called with the disc that was clicked, 0 being the largest. */
  constructor(label: string, private readonly count: () => number, private readonly pick?: (disc: number) => void) {
    this.element = svg("svg", { class: "towers", role: "img", "aria-label": label });
  }

  show(pegs: number[]) {
    const towers = this.count();
    const discs = pegs.length;
    const [width, height, unit] = [560 / towers, Math.max(8, Math.min(22, 190 / discs)), 0];
    this.wide = width;
    this.element.setAttribute("viewBox", `0 0 560 ${discs * height + 46 + unit}`);
    const floor = discs * height + 30;
    const posts = Array.from({ length: towers }, (_, peg) => svg("g", { class: "post" },
      svg("rect", { x: (peg + 0.5) * width - 3, y: 10, width: 6, height: floor - 10, rx: 3 }),
      svg("text", { x: (peg + 0.5) * width, y: floor + 15 }, String(peg))));
    this.discs = pegs.map((_, disc) => {
      const size = width * (0.9 - (0.72 * disc) / Math.max(1, discs));
      return svg("rect", {
        class: this.pick ? "disc active" : "disc", x: -size / 2, y: 0, width: size, height: height - 2, rx: Math.min(7, height / 2 - 1),
        style: `fill:hsl(${200 + (130 * disc) / discs} 55% ${48 + (disc % 2) * 6}%)`,
        onclick: () => this.pick?.(disc),
      });
    });
    this.element.replaceChildren(svg("rect", { class: "floor", x: 4, y: floor, width: 552, height: 3, rx: 1.5 }), ...posts, ...this.discs);
    this.pegs = [];
    this.move(pegs, 0);
  }

  /** Moves the discs to their places in another state. */
  move(pegs: number[], milliseconds: number) {
    const discs = pegs.length;
    const height = Math.max(8, Math.min(22, 190 / discs));
    const stacked = new Map<number, number>();
    pegs.forEach((peg, disc) => {
      const below = stacked.get(peg) ?? 0;
      stacked.set(peg, below + 1);
      const shape = this.discs[disc]!;
      shape.style.transition = still.matches || milliseconds === 0 ? "none" : `transform ${milliseconds}ms ease-in-out`;
      shape.style.transform = `translate(${(peg + 0.5) * this.wide}px,${(discs - below - 1) * height + 30}px)`;
    });
    this.pegs = pegs;
  }

  get state() {
    return this.pegs;
  }
}

export function hanoiView(state: URLSearchParams): View {
  const [quick, solver] = [new Solver({ threads: 1, tables: false }), new Solver()];
  let pegs = state.get("pegs") === "3" ? 3 : 4;
  let discs = Math.min(MOST[pegs]!, Math.max(1, Number(state.get("discs") ?? 8) || 8));
  let player: Player | undefined;
  let legal = true;

  const all = (peg: number) => String(peg).repeat(discs);
  const digits = (text: string) => [...text].map(Number);
  const isState = (text: string) => text.length === discs && [...text].every((digit) => digit >= "0" && digit < String(pegs));
  const search = new Search(solver);
  const faults = el("ul", { className: "faults", role: "alert" });
  const solution = el("div", { className: "solutions" });
  const counter = new Counter(solver);
  const go = el("button", { type: "button", className: "primary", onclick: () => void solve() }, "Solve");
  const hint = el("button", { type: "button", title: "The first move of a shortest path", onclick: () => void solve(true) }, "Hint");
  const presumed = el("p", { className: "hint" });

  const end = (id: string, label: string) => {
    const input = el("input", {
      id, type: "text", inputMode: "numeric", spellcheck: false, autocomplete: "off", oninput: () => void read(),
      onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") void solve(); },
    });
    const towers = new Towers(`${label} state`, () => pegs, (disc) => {
      const now = digits(input.value);
      now[disc] = (now[disc]! + 1) % pegs;
      input.value = now.join("");
      void read();
    });
    const field = el("label", { className: "field wide", htmlFor: id }, el("span", {}, `${label}: the peg of each disc, the largest first`), input);
    return { input, towers, field };
  };
  const [from, to] = [end("hanoi-from", "Start"), end("hanoi-to", "Goal")];

  function keep() {
    remember("hanoi", {
      pegs: pegs === 4 ? "" : pegs, discs, from: from.input.value === all(0) ? "" : from.input.value,
      to: to.input.value === all(pegs - 1) ? "" : to.input.value,
    });
  }

  function changed() {
    search.forget();
    search.clear();
    player?.pause();
    player = undefined;
    solution.replaceChildren();
  }

  let reading = 0;
  async function read() {
    changed();
    keep();
    const now = ++reading;
    for (const { input, towers } of [from, to]) if (isState(input.value)) towers.show(digits(input.value));
    try {
      const read = await quick.ask("towers.read", { discs, pegs, from: from.input.value, to: to.input.value });
      if (now !== reading) return;
      legal = true;
      faults.replaceChildren();
      presumed.textContent = `Moving all discs from one peg to another takes ${countMoves(read.presumed)}.`;
    } catch (error) {
      if (now !== reading) return;
      legal = false;
      const found = error instanceof Refused ? error.faults : [{ message: String(error) }];
      faults.replaceChildren(...found.map((fault) => el("li", {}, fault.message)));
    }
    go.disabled = hint.disabled = !legal;
  }

  /** Shows a shortest path, or its first move. */
  async function solve(isHint = false) {
    await read();
    if (!legal) return;
    const start = digits(from.input.value);
    const request = { discs, pegs, from: from.input.value, to: to.input.value };
    await search.run("towers.solve", request, (found) => show(found, start), isHint);
  }

  function show([found]: Solution[], start: number[]) {
    const moves = found?.moves.split(" ").filter(Boolean) ?? [];
    if (moves.length === 0) return;
    const positions = moves.reduce((list, move) => {
      const [disc, ends] = move.split(":");
      const after = [...list.at(-1)!];
      after[discs - Number(disc)] = Number(ends!.split(">")[1]);
      return [...list, after];
    }, [start]);
    player?.pause();
    player = new Player(moves.map((move) => move.replace(":", " ").replace(">", "→")), {
      stage: from.towers.element,
      show: (step) => from.towers.move(positions[step]!, 0),
      move: async (step, back, milliseconds) => {
        from.towers.move(positions[back ? step : step + 1]!, milliseconds * 0.8);
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
      },
    });
    solution.replaceChildren(el("p", { className: "hint" }, "Each move: the disc, 1 the smallest, and its pegs."), player.element);
  }

  async function counts() {
    const found = await counter.run("towers.counts", { discs, pegs });
    if (!found) return;
    const states = found.states.map(BigInt);
    counter.show(plot(states, { depth: "Distance", one: "state", many: "states" }), el("p", { className: "proof" },
      `${count(sum(states))} states, at most ${states.length - 1} moves away from all discs on one peg; counted in ${seconds(found.seconds)}.`));
  }

  const reset = () => {
    discs = Math.min(discs, MOST[pegs]!);
    from.input.value = all(0);
    to.input.value = all(pegs - 1);
    counter.clear();
    sizes.select.replaceChildren(...options());
    void read();
  };
  const options = () => Array.from({ length: MOST[pegs]! }, (_, at) =>
    el("option", { value: String(at + 1), selected: at + 1 === discs }, String(at + 1)));
  const sizes = choice("Discs", [], "", (value) => {
    discs = Number(value);
    reset();
  });
  sizes.select.replaceChildren(...options());
  const random = async () => {
    from.input.value = await quick.ask("towers.random", { discs, pegs, seed: seed() });
    to.input.value = await quick.ask("towers.random", { discs, pegs, seed: seed() });
    await read();
  };

  const element = el("div", { className: "view" },
    el("h1", {}, "Towers of Hanoi"),
    el("p", { className: "lead" }, "Finds a shortest path between any two states, and proves that none is shorter."),
    el("div", { className: "columns stacked" },
      el("section", { className: "card board unfold", ariaLabel: "States" },
        el("h2", {}, "Start"), from.towers.element, el("h2", {}, "Goal"), to.towers.element,
        el("p", { className: "hint" }, "Click a disc to put it on the next peg.")),
      el("div", { className: "side" },
        el("section", { className: "card asks", ariaLabel: "Position" },
          from.field, to.field, faults,
          el("div", { className: "row" }, go, hint,
            el("button", { type: "button", onclick: () => void random() }, "Random"),
            el("button", { type: "button", onclick: reset }, "All discs, peg to peg")),
          el("div", { className: "row options" }, sizes,
            choice("Pegs", [["3", "3"], ["4", "4"]], String(pegs), (value) => {
              pegs = Number(value);
              reset();
            })),
          presumed),
        el("section", { className: "card answer", ariaLabel: "Solution" }, search.element, solution))),
    el("section", { className: "card", ariaLabel: "Counts" },
      el("h2", {}, "How many states are at each distance"),
      el("div", { className: "row" }, el("button", { type: "button", onclick: () => void counts() }, "Count them")),
      counter.element));

  from.input.value = state.get("from") ?? all(0);
  to.input.value = state.get("to") ?? all(pegs - 1);
  from.towers.show(digits(all(0)));
  to.towers.show(digits(all(pegs - 1)));
  void read();
  return {
    title: "Towers of Hanoi",
    element,
    leave() {
      player?.pause();
      quick.stop();
      solver.stop();
    },
  };
}
