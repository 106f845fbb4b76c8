// The cube: scramble, net, random; shortest solutions, played in space.
import { remember } from "../address";
import { bytes, choice, el, seed } from "../dom";
import type { View } from "../main";
import type { Answered, Fault } from "../protocol";
import { More } from "../parts/more";
import { Net } from "../parts/net";
import { Player } from "../parts/player";
import { Search } from "../parts/search";
import { SOLVED, type Turn, parseTurn, turned } from "../parts/facelets";
import { Solid } from "../parts/solid";
import { Refused, Solver } from "../solver";

/** The greatest size of a table in bytes: half of the memory, where the browser reports it. */
const room = ((navigator as { deviceMemory?: number }).deviceMemory ?? Infinity) * 2 ** 29;
const WANTED: [string, string][] = [["one", "one"], ["0", "all shortest"], ["1", "all up to one move longer"]];

const METRICS: [string, string][] = [
  ["htm", "HTM: a half turn is one move"], ["qtm", "QTM: a half turn is two moves"], ["stm", "STM: a slice turn is one move"],
];

export function cubeView(state: URLSearchParams): View {
  const [quick, solver] = [new Solver(true), new Solver()];
  let facelets = SOLVED;
  let legal = true;
  let metric = METRICS.some(([name]) => name === state.get("metric")) ? state.get("metric")! : "htm";
  let table = state.get("table") ?? "square-0";
  let wanted = WANTED.some(([name]) => name === state.get("want")) ? state.get("want")! : "one";
  let player: Player | undefined;

  const solid = new Solid();
  const net = new Net((painted) => {
    input.value = painted;
    void read();
  });
  const search = new Search(solver);
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
    go.disabled = !legal;
  }

  let reading = 0;
  async function read() {
    changed();
    keep();
    const text = input.value.trim();
    const now = ++reading;
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
    }
  }

  async function solve() {
    await read();
    if (!legal) return;
    // Unless it is said otherwise, slices among chosen moves count as one.
    const counted = metric === "htm" ? "" : metric;
    const request = { facelets, heuristic: table, metric: counted, ...more.asked(), all: wanted !== "one", extra: Number(wanted) || 0 };
    await search.run("cube.solve", request, (answer) => show(answer));
    void tables();
  }

  function show(answer: Answered) {
    const start = facelets;
    const play = (moves: string) => {
      const turns = moves.split(" ").filter(Boolean).map(parseTurn);
      const positions = turns.reduce((list, turn) => [...list, turned(list.at(-1)!, turn)], [start]);
      const undo = (turn: Turn): Turn => ({ ...turn, quarters: 4 - turn.quarters });
      player?.pause();
      player = new Player(moves.split(" ").filter(Boolean), {
        show: (step) => {
          solid.show(positions[step]!);
          net.show(positions[step]!);
        },
        move: async (step, back, milliseconds) => {
          const turn = turns[step]!;
          if (back) await solid.turn(positions[step + 1]!, undo(turn), milliseconds);
          else await solid.turn(positions[step]!, turn, milliseconds);
          net.show(positions[back ? step : step + 1]!);
        },
      });
      solid.show(start);
      net.show(start);
      return player.element;
    };
    const [first] = answer.solutions;
    if (!first || first.moves === "") return;
    const shown = el("div", {}, play(first.moves));
    const copy = el("button", {
      type: "button", onclick: () => void navigator.clipboard?.writeText(first.shown ?? first.moves),
    }, "Copy the moves");
    const sides = first.shown && el("p", { className: "sides" }, first.shown);
    solutions.replaceChildren(shown, ...(sides ? [sides] : []), el("div", { className: "row" }, copy));
    if (answer.solutions.length > 1) {
      const list = answer.solutions.map(({ length, moves, shown: sided }) => el("li", {}, el("button", {
        type: "button", className: "line", onclick: () => shown.replaceChildren(play(moves)),
      }, `${length}  ${sided ?? moves}`)));
      solutions.append(el("h2", {}, `${answer.solutions.length} solutions`), el("ol", { className: "all" }, ...list));
    }
  }

  const metrics = choice("Metric", METRICS, metric, (value) => {
    metric = value;
    changed();
    keep();
  });
  const sizes = choice("Table", [["square-0", "30 MB"]], table, (value) => {
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
    const choices = await solver.ask("cube.tables").catch(() => []);
    if (choices.length === 0) return;
    const fitting = choices.filter(({ heuristic, bytes: size }) => size <= room || heuristic === table);
    sizes.select.replaceChildren(...fitting.map(({ heuristic, bytes: size, kept }) => el("option", {
      value: heuristic, selected: heuristic === table,
    }, `${bytes(size)}${kept ? ", stored" : ""}`)));
  }

  const random = async () => {
    input.value = await quick.ask("cube.random", { seed: seed() });
    await read();
  };
  const clear = () => {
    input.value = "";
    void read();
  };

  const element = el("div", { className: "view" },
    el("h1", {}, "Rubik's cube"),
    el("div", { className: "columns" },
      el("section", { className: "card board", ariaLabel: "Cube" }, solid.element, net.element),
      el("section", { className: "card", ariaLabel: "Position and solution" },
        el("label", { className: "field wide", htmlFor: "cube-text" }, el("span", {}, "Scramble, or 54 facelets"), input),
        faults,
        el("div", { className: "row" }, go,
          el("button", { type: "button", onclick: () => void random() }, "Random"),
          el("button", { type: "button", onclick: clear }, "Solved cube")),
        el("div", { className: "row options" }, metrics, sizes, everything),
        more.element,
        search.element, solutions)));

  net.show(facelets);
  solid.show(facelets);
  void tables();
  // Until the text of the address is read, the net shows another cube: nobody may paint that one.
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
