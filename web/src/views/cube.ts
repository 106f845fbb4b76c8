// The cube: scramble, net, random; shortest solutions, played in space.
import { remember } from "../address";
import { DOCS, bytes, choice, el, randomMoves } from "../dom";
import type { View } from "../main";
import { Cubes, type Fault, Refused, type Solution, Solver } from "optimal-puzzles";
import { More } from "../parts/more";
import { Net } from "../parts/net";
import { played } from "../parts/played";
import type { Player } from "../parts/player";
import { Search, WANTED } from "../parts/search";
import { BARE, SOLVED } from "../parts/facelets";
import { Solid } from "../parts/solid";

/** The memory in GiB, where the browser reports it: 8 may also mean more. */
const memory = (navigator as { deviceMemory?: number }).deviceMemory ?? Infinity;
/** Whether a table of this size in bytes takes at most half of the memory, as far as the browser reports it. */
const isFitting = (size: number) => memory >= 8 || size <= memory * 2 ** 29;
const USES: Record<string, string> = {
  "square-0": " (easy cubes)", "square-4": " (most cubes)", "square-8": " (with 16 GB of memory or more)",
};

/** The maximum number of lines of a pasted list that are read. */
const MOST_LINES = 200;

const METRICS: [string, string][] = [
  ["htm", "HTM: a half turn is one move"], ["qtm", "QTM: a half turn is two moves"], ["stm", "STM: a slice turn is one move"],
  ["axial", "Axial: turns of two opposite faces are one move"],
];

export function cubeView(state: URLSearchParams): View {
  const [quick, solver] = [new Solver({ threads: 1, tables: false }), new Solver()];
  const cubes = new Cubes(solver);
  let facelets = SOLVED;
  let legal = true;
  let metric = METRICS.some(([name]) => name === state.get("metric")) ? state.get("metric")! : "htm";
  let table = state.get("table") ?? "square-0";
  let wanted = WANTED.some(([name]) => name === state.get("want")) ? state.get("want")! : "one";
  let player: Player | undefined;

  const solid = new Solid();
  const net = new Net((painted, at) => {
    // Painting begins with an uncoloured cube if no position was entered.
    const isFirst = input.value.trim() === "" && BARE[at] === ".";
    input.value = isFirst ? BARE.slice(0, at) + painted[at]! + BARE.slice(at + 1) : painted;
    void read();
  });
  const search = new Search(solver, () => {
    const isSmall = table === "square-0" && ["htm", "qtm"].includes(metric);
    return isSmall ? "The 474 MB table (Speed) is about 16 times as fast, once it is built" : "";
  });
  const list = el("div", { className: "scrambles" });
  const more = new More(state, () => {
    changed();
    keep();
  });
  const faults = el("ul", { className: "faults", role: "alert" });
  const solutions = el("div", { className: "solutions" });
  const input = el("textarea", {
    id: "cube-text", rows: 2, spellcheck: false, autocapitalize: "off", autocomplete: "off",
    placeholder: "R U R' F2 … or 54 facelets", value: state.get("text") ?? "",
    oninput: () => void read(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        void solve();
      }
    },
  });
  const go = el("button", { type: "button", className: "primary", onclick: () => void solve() }, "Solve");
  const hint = el("button", { type: "button", title: "The first move of a shortest solution", onclick: () => void solve(true) }, "Hint");

  const changed = () => {
    search.forget();
    search.clear();
    player?.pause();
    player = undefined;
    solutions.replaceChildren();
  };

  function keep() {
    remember("cube", {
      text: input.value.trim(), ...more.asked(), metric: metric === "htm" ? "" : metric, table: table === "square-0" ? "" : table,
      want: wanted === "one" ? "" : wanted,
    });
  }

  function blame(found: Fault[]) {
    faults.replaceChildren(...found.map((fault) => el("li", {}, fault.message)));
    net.mark(found.flatMap((fault) => fault.at));
    go.disabled = hint.disabled = !legal;
  }

  let reading = 0;
  async function read() {
    changed();
    keep();
    const text = input.value.trim();
    const now = ++reading;
    list.replaceChildren();
    if (/^[URFDLB.]{54}$/.test(text) && text.includes(".")) {
      legal = false;
      facelets = text;
      net.show(facelets);
      solid.show(facelets);
      blame([]);
      const left = [...text].filter((colour) => colour === ".").length;
      list.replaceChildren(el("p", { className: "hint" }, `${left} stickers have no colour yet: choose one below the net, and click them.`));
      return;
    }
    try {
      const position = text ? await quick.ask("cube.read", { text }) : { facelets: SOLVED };
      if (now !== reading) return;
      legal = true;
      facelets = position.facelets;
      net.show(facelets);
      solid.show(facelets);
      blame([]);
    } catch (error) {
      if (now !== reading) return;
      legal = false;
      const painted = text.replace(/\s/g, "").toUpperCase();
      if (/^[URFDLB]{54}$/.test(painted)) {
        facelets = painted;
        net.show(facelets);
        solid.show(facelets);
      }
      blame(error instanceof Refused ? error.faults : [{ message: String(error), at: [] }]);
      await offer(text, now);
    }
  }

  /** Lets a person choose among the lines of a list, such as the export of a timer, if several are cubes. */
  async function offer(text: string, now: number) {
    const lines = text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean).slice(0, MOST_LINES);
    if (lines.length < 2) return;
    const found = await Promise.all(lines.map((line) => quick.ask("cube.read", { text: line }).catch(() => undefined)));
    const scrambles = found.flatMap((position) => (position?.turns ? [position.turns] : []));
    if (now !== reading || scrambles.length < 2) return;
    faults.replaceChildren();
    const choose = (turns: string) => {
      input.value = turns;
      void read();
    };
    list.replaceChildren(el("h2", {}, `${scrambles.length} scrambles: choose one`), el("ol", { className: "all" },
      ...scrambles.map((turns) => el("li", {}, el("button", {
        type: "button", className: "line", onclick: () => choose(turns),
      }, turns)))));
  }

  /** Shows shortest solutions, or the first move of one. */
  async function solve(isHint = false) {
    await read();
    if (!legal) return;
    // By default a slice among the chosen moves counts as one move.
    const counted = metric === "htm" ? "" : metric;
    const request = { facelets, heuristic: table, metric: counted, ...more.asked() };
    const all = { all: wanted !== "one", extra: Number(wanted) || 0 };
    if (isHint) await search.run("cube.solve", request, show, true);
    else await search.run("cube.solve", { ...request, ...all }, show);
    void tables();
  }

  function show(found: Solution[]) {
    const start = facelets;
    const play = (moves: string) => {
      player?.pause();
      player = played(solid, start, moves.split(" ").filter(Boolean), (reached) => net.show(reached));
      return player.element;
    };
    const [first] = found;
    if (!first || first.moves === "") return;
    const shown = el("div", {}, play(first.moves));
    const copy = el("button", {
      type: "button", onclick: () => void navigator.clipboard?.writeText(first.shown ?? first.moves),
    }, "Copy the moves");
    const sides = first.shown && el("p", { className: "sides" }, first.shown);
    solutions.replaceChildren(shown, ...(sides ? [sides] : []), el("div", { className: "row" }, copy));
    if (found.length > 1) {
      const list = found.map(({ length, moves, shown: sided }) => el("li", {}, el("button", {
        type: "button", className: "line", onclick: () => shown.replaceChildren(play(moves)),
      }, `${length}  ${sided ?? moves}`)));
      solutions.append(el("h2", {}, `${found.length} solutions`), el("ol", { className: "all" }, ...list));
    }
  }

  const metrics = choice("Metric", METRICS, metric, (value) => {
    metric = value;
    changed();
    keep();
  });
  const sizes = choice("Speed", [["square-0", "30 MB table (easy cubes)"]], table, (value) => {
    table = value;
    search.forget();
    keep();
  });
  const everything = choice("Solutions", WANTED, wanted, (value) => {
    wanted = value;
    changed();
    keep();
  });

  /** The tables to choose from: a larger one takes longer to build, once, and searches faster. */
  async function tables() {
    const choices = await cubes.tables().catch(() => []);
    if (choices.length === 0) return;
    const fitting = choices.filter(({ heuristic, bytes: size }) => isFitting(size) || heuristic === table);
    sizes.select.replaceChildren(...fitting.map(({ heuristic, bytes: size, kept }) => el("option", {
      value: heuristic, selected: heuristic === table,
    }, `${bytes(size)} table${USES[heuristic] ?? ""}${kept ? ", stored" : ""}`)));
  }

  const random = () => {
    input.value = randomMoves(25);
    void read();
  };
  const paint = () => {
    input.value = BARE;
    void read();
  };
  const clear = () => {
    input.value = "";
    void read();
  };

  const element = el("div", { className: "view" },
    el("h1", {}, "Rubik's cube"),
    el("p", { className: "lead" }, "Finds a shortest solution, and proves that none is shorter. Paste a scramble, or paint the stickers."),
    el("div", { className: "columns stacked" },
      el("div", { className: "side" },
        el("section", { className: "card board pinned", ariaLabel: "Cube" }, solid.element),
        el("section", { className: "card board unfold", ariaLabel: "Stickers" }, net.element)),
      el("div", { className: "side" },
        el("section", { className: "card asks", ariaLabel: "Position" },
        el("label", { className: "field wide", htmlFor: "cube-text" }, el("span", {}, "Scramble, or 54 facelets"), input),
          faults, list,
          el("div", { className: "row" }, go, hint,
            el("button", { type: "button", onclick: random, title: "25 random turns" }, "Random"),
            el("button", { type: "button", onclick: paint }, "Paint"),
            el("button", { type: "button", onclick: clear }, "Solved cube")),
          el("div", { className: "row options" }, metrics, sizes, everything),
          more.element,
          el("details", { className: "help" }, el("summary", {}, "Help"),
            el("p", {}, "Moves are written as R U2 F'. Lines of timers, links to players, and 54 facelets in the order U R F D L B are read too. Keys U R F D L B paint the sticker that has the focus; drag the cube to look around."),
            el("p", {}, "Easy cubes take seconds. A random cube takes minutes with the 30 MB table, much less with a larger one. "),
            el("p", {}, el("a", { href: DOCS }, "Documentation")))),
        el("section", { className: "card answer", ariaLabel: "Solution" }, search.element, solutions))));

  net.show(facelets);
  solid.show(facelets);
  void tables();
  // Until the text of the address has been read, the net shows another cube, which must not be painted.
  net.element.inert = true;
  void read().finally(() => { net.element.inert = false; });
  return {
    title: "Rubik's cube",
    element,
    leave() {
      player?.pause();
      quick.stop();
      solver.stop();
    },
  };
}
