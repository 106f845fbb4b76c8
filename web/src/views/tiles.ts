// Sliding tiles: boards from 2x2 to 5x5, by dragging or typing; shortest solutions; the parts of the heuristic.
import { remember } from "../address";
import { choice, el, seed, svg } from "../dom";
import type { View } from "../main";
import { type Explained, type Fault, Refused, type Solution, Solver } from "optimal-puzzles";
import { Player } from "../parts/player";
import { Search } from "../parts/search";

const SIZE = 80;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const HEURISTICS: [string, string][] = [
  ["korf96", "Korf & Taylor 1996"], ["pdb", "pattern databases"], ["lc", "linear conflict"], ["md", "Manhattan distance"],
];
const STEPS: Record<string, [number, number]> = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };
const KEYS: Record<string, string> = { ArrowUp: "D", ArrowDown: "U", ArrowLeft: "R", ArrowRight: "L" };

export function tilesView(state: URLSearchParams): View {
  const [quick, solver] = [new Solver({ threads: 1, tables: false }), new Solver()];
  const side = (name: string) => Math.min(5, Math.max(2, Number(state.get(name) ?? 4) || 4));
  let [rows, cols] = [side("rows"), side("cols")];
  let last = state.get("goal") !== "first";
  let heuristic = HEURISTICS.some(([name]) => name === state.get("heuristic")) ? state.get("heuristic")! : "korf96";
  let tiles: number[] = [];
  let legal = true;
  let player: Player | undefined;
  let explained: Explained | undefined;

  const search = new Search(solver);
  const faults = el("ul", { className: "faults", role: "alert" });
  const solution = el("div", { className: "solutions" });
  const parts = el("div", { className: "parts" });
  const board = svg("svg", {
    class: "tiles", role: "group", tabindex: 0,
    "aria-label": "Board. Arrow keys slide a tile into the blank.",
    onkeydown: (event: KeyboardEvent) => {
      const move = KEYS[event.key];
      if (move && slide(move)) event.preventDefault();
    },
  });
  const input = el("input", {
    id: "tiles-text", type: "text", spellcheck: false, autocomplete: "off", inputMode: "numeric",
    oninput: () => void read(),
    onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") void solve(); },
  });
  const go = el("button", { type: "button", className: "primary", onclick: () => void solve() }, "Solve");

  const goal = () => Array.from({ length: rows * cols }, (_, cell) => (last ? (cell + 1) % (rows * cols) : cell));
  const size = () => ({ rows, cols, goal: last ? "blank-last" : "blank-first" });
  const position = (cell: number) => `translate(${(cell % cols) * SIZE}px,${Math.floor(cell / cols) * SIZE}px)`;

  function keep() {
    remember("tiles", {
      rows, cols, tiles: input.value.trim().replace(/[\s,]+/g, "."), goal: last ? "" : "first",
      heuristic: heuristic === "korf96" ? "" : heuristic,
    });
  }

  function changed() {
    search.forget();
    search.clear();
    player?.pause();
    player = undefined;
    solution.replaceChildren();
  }

  // The drawn tiles, by number.
  const drawn = new Map<number, SVGGElement>();
  function draw() {
    board.setAttribute("viewBox", `-3 -3 ${cols * SIZE + 6} ${rows * SIZE + 6}`);
    board.style.maxWidth = `${cols * 92}px`;
    drawn.clear();
    const home = goal();
    const groups = tiles.map((tile, cell) => {
      if (tile === 0) return null;
      const group = svg("g", {
        class: `tile${home[cell] === tile ? " home" : ""}`, style: `transform:${position(cell)}`,
        onpointerdown: (event: PointerEvent) => drag(tile, event),
      }, svg("rect", { x: 3, y: 3, width: SIZE - 6, height: SIZE - 6, rx: 10 }),
      svg("text", { x: SIZE / 2, y: SIZE / 2 + 10 }, String(tile)),
      svg("text", { class: "distance", x: SIZE - 11, y: 20 }));
      drawn.set(tile, group);
      return group;
    });
    board.replaceChildren(
      svg("rect", { class: "tray", x: -3, y: -3, width: cols * SIZE + 6, height: rows * SIZE + 6, rx: 14 }),
      ...groups.filter((group) => group !== null));
    label();
  }

  function label() {
    for (const [tile, group] of drawn) {
      const cell = tiles.indexOf(tile);
      const distance = explained?.distances[cell];
      group.querySelector(".distance")!.textContent = distance ? String(distance) : "";
      const why = explained?.reasons.some((reason) => reason.tiles.includes(tile)) ?? false;
      group.classList.toggle("why", why);
    }
  }

  /** Moves the tiles to the places of another board. */
  function place(after: number[], milliseconds: number) {
    tiles = after;
    const home = goal();
    after.forEach((tile, cell) => {
      const group = drawn.get(tile);
      if (!group) return;
      group.style.transition = still.matches || milliseconds === 0 ? "none" : `transform ${milliseconds}ms ease-in-out`;
      group.style.transform = position(cell);
      group.classList.toggle("home", home[cell] === tile);
    });
    label();
  }

  /** The tiles after the blank has moved, if it stays on the board. */
  function moved(from: number[], move: string): number[] | undefined {
    const blank = from.indexOf(0);
    const [down, right] = STEPS[move]!;
    const [row, col] = [Math.floor(blank / cols) + down, (blank % cols) + right];
    if (row < 0 || row >= rows || col < 0 || col >= cols) return undefined;
    const after = [...from];
    [after[blank], after[row * cols + col]] = [from[row * cols + col]!, 0];
    return after;
  }

  function write(after: number[]) {
    input.value = after.join(" ");
    void read(false);
  }

  function slide(move: string): boolean {
    const after = moved(tiles, move);
    if (!after) return false;
    changed();
    place(after, 120);
    write(after);
    return true;
  }

  /** A clicked tile slides towards the blank; a dragged tile changes places with another. */
  function drag(tile: number, start: PointerEvent) {
    const group = drawn.get(tile)!;
    const scale = () => (cols * SIZE + 6) / board.getBoundingClientRect().width;
    const from = tiles.indexOf(tile);
    let [dx, dy] = [0, 0];
    start.preventDefault();
    board.focus({ preventScroll: true });
    group.setPointerCapture(start.pointerId);
    group.parentNode!.append(group);
    const move = (event: PointerEvent) => {
      [dx, dy] = [(event.clientX - start.clientX) * scale(), (event.clientY - start.clientY) * scale()];
      group.style.transition = "none";
      group.style.transform = `translate(${(from % cols) * SIZE + dx}px,${Math.floor(from / cols) * SIZE + dy}px)`;
    };
    const end = () => {
      group.removeEventListener("pointermove", move);
      group.removeEventListener("pointerup", end);
      group.removeEventListener("pointercancel", end);
      const [col, row] = [Math.round((from % cols) + dx / SIZE), Math.round(Math.floor(from / cols) + dy / SIZE)];
      const inside = row >= 0 && row < rows && col >= 0 && col < cols;
      const to = inside ? row * cols + col : from;
      const after = [...tiles];
      if (Math.hypot(dx, dy) < 8) {
        const found = Object.keys(STEPS).find((step) => moved(tiles, step)?.[from] === 0);
        if (found) slide(found);
        else place(after, 120);
      } else {
        [after[from], after[to]] = [after[to]!, after[from]!];
        changed();
        place(after, 120);
        write(after);
      }
    };
    group.addEventListener("pointermove", move);
    group.addEventListener("pointerup", end);
    group.addEventListener("pointercancel", end);
  }

  function blame(found: Fault[]) {
    faults.replaceChildren(...found.map((fault) => el("li", {}, fault.message)));
    const cells = found.flatMap((fault) => fault.at);
    for (const [tile, group] of drawn) group.classList.toggle("wrong", cells.some((cell) => tiles[cell] === tile));
    go.disabled = !legal;
  }

  let reading = 0;
  async function read(redraw = true) {
    changed();
    keep();
    const now = ++reading;
    const numbers = input.value.trim().split(/[\s,]+/).filter(Boolean).map(Number);
    try {
      const text = input.value;
      await quick.ask("tiles.read", { text, ...size() });
      explained = await quick.ask("tiles.explain", { text, ...size() });
      if (now !== reading) return;
      legal = true;
    } catch (error) {
      if (now !== reading) return;
      legal = false;
      explained = undefined;
      const found = error instanceof Refused ? error.faults : [{ message: String(error), at: [] }];
      const whole = numbers.length === rows * cols && new Set(numbers).size === numbers.length;
      if (whole && numbers.every((tile) => tile >= 0 && tile < rows * cols)) {
        tiles = numbers;
        if (redraw) draw();
      }
      label();
      blame(found);
      takeApart();
      return;
    }
    tiles = numbers;
    if (redraw) draw();
    label();
    blame([]);
    takeApart();
  }

  function takeApart() {
    if (!explained || explained.value === 0) {
      parts.replaceChildren();
      return;
    }
    const { manhattan, reasons, value } = explained;
    const light = (lit: number[]) => () => {
      for (const [tile, group] of drawn) group.classList.toggle("lit", lit.includes(tile));
    };
    const row = (moves: string, why: string, lit: number[]) => el("li", {}, el("button", {
      type: "button", className: "part", onmouseenter: light(lit), onmouseleave: light([]), onfocus: light(lit), onblur: light([]),
      onclick: light(lit),
    }, el("b", {}, moves), ` ${why}`));
    const far = tiles.filter((tile, cell) => tile !== 0 && explained!.distances[cell]! > 0);
    parts.replaceChildren(el("h2", {}, `At least ${value} moves`), el("ul", {},
      row(String(manhattan), "Manhattan distance: the small numbers on the board", far),
      ...reasons.map((reason) => row(`+${reason.moves}`, reason.why, reason.tiles))));
  }

  async function solve() {
    await read();
    if (!legal) return;
    const start = tiles;
    const request = { text: start.join(" "), ...size(), heuristic };
    await search.run("tiles.solve", request, (found) => show(found, start));
  }

  function show([found]: Solution[], start: number[]) {
    if (!found || found.moves === "") return;
    const positions = [...found.moves].reduce((list, move) => [...list, moved(list.at(-1)!, move)!], [start]);
    const words = [...found.moves].map((_, at) => String(positions[at]![positions[at + 1]!.indexOf(0)]));
    player?.pause();
    player = new Player(words, {
      show: (step) => still_place(positions[step]!, 0),
      move: async (step, back, milliseconds) => {
        still_place(positions[back ? step : step + 1]!, milliseconds * 0.8);
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
      },
    });
    solution.replaceChildren(el("p", { className: "hint" }, "The tiles to slide, in order:"), player.element);
  }

  /** Like `place`, but without the values of the heuristic, which are those of the start. */
  function still_place(after: number[], milliseconds: number) {
    const before = explained;
    explained = undefined;
    place(after, milliseconds);
    explained = before;
  }

  const resize = () => {
    const fits = input.value.trim().split(/[\s,]+/).length === rows * cols;
    if (!fits) input.value = goal().join(" ");
    tiles = goal();
    draw();
    void read();
  };
  const sides = (value: number, set: (value: number) => void, label: string) => choice(label,
    ["2", "3", "4", "5"].map((n): [string, string] => [n, n]), String(value), (chosen) => {
      set(Number(chosen));
      resize();
    });
  const random = async () => {
    const drawnTiles = await quick.ask("tiles.random", { seed: seed(), ...size() });
    input.value = drawnTiles.tiles.join(" ");
    await read();
  };

  const element = el("div", { className: "view" },
    el("h1", {}, "Sliding tiles"),
    el("div", { className: "columns" },
      el("section", { className: "card board", ariaLabel: "Board" }, board,
        el("p", { className: "hint" }, "Click a tile next to the blank to slide it; drag a tile onto another to swap them."), parts),
      el("section", { className: "card", ariaLabel: "Position and solution" },
        el("label", { className: "field wide", htmlFor: "tiles-text" }, el("span", {}, "Tiles by rows, 0 for the blank"), input),
        faults,
        el("div", { className: "row" }, go,
          el("button", { type: "button", onclick: () => void random() }, "Random"),
          el("button", { type: "button", onclick: () => { input.value = goal().join(" "); void read(); } }, "Goal")),
        el("div", { className: "row options" },
          sides(rows, (value) => { rows = value; }, "Rows"), sides(cols, (value) => { cols = value; }, "Columns"),
          choice("Goal", [["last", "blank last"], ["first", "blank first"]], last ? "last" : "first", (value) => {
            last = value === "last";
            void read();
          }),
          choice("Heuristic", HEURISTICS, heuristic, (value) => {
            heuristic = value;
            changed();
            keep();
          })),
        search.element, solution)));

  tiles = goal();
  const given = (state.get("tiles") ?? "").replaceAll(".", " ");
  input.value = given || tiles.join(" ");
  draw();
  void read();
  return {
    title: "Sliding tiles",
    element,
    leave() {
      player?.pause();
      quick.stop();
      solver.stop();
    },
  };
}
