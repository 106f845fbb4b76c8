// Any permutation puzzle: built in or dropped as a file; shortest solutions, random states, counts.
import { remember } from "../address";
import { PUZZLE_DOCS, choice, count, el, seconds, seed } from "../dom";
import type { View } from "../main";
import { type About, type Counted, type Order, Refused, type Solution, Solver } from "optimal-puzzles";
import { Counter, plot } from "../parts/counter";
import { Moves } from "../parts/moves";
import { Search, WANTED } from "../parts/search";

const MEMORY: [string, string][] = [["32", "32 MB"], ["128", "128 MB"], ["512", "512 MB"], ["1024", "1 GB"]];
/** The maximum length of a definition in the address, and of a file that is read. */
const MOST_IN_ADDRESS = 8000;
const MOST_BYTES = 10 << 20;

export function puzzleView(state: URLSearchParams): View {
  const [quick, solver, counting] = [new Solver({ threads: 1, tables: false }), new Solver(), new Solver()];
  const known = (options: [string, string][], name: string, other: string) =>
    options.some(([value]) => value === state.get(name)) ? state.get(name)! : other;
  let wanted = known(WANTED, "want", "one");
  let memory = known(MEMORY, "memory", "128");
  let legal = true;

  const search = new Search(solver, () =>
    (memory === "1024" ? "" : "Larger tables are faster, once they are built"));
  const counter = new Counter(counting);
  const faults = el("ul", { className: "faults", role: "alert" });
  const about = el("div", { className: "about" });
  const drawn = el("p", { className: "hint", role: "status" });
  const solutions = el("div", { className: "solutions" });
  const pattern = el("details", { ontoggle: () => void write() }, el("summary", {}, "The state as a KPuzzle pattern"));
  const field = (id: string, label: string, value: string, oninput: () => void, more: Record<string, unknown> = {}) => {
    const input = el("input", {
      id, type: "text", value, spellcheck: false, autocapitalize: "off", autocomplete: "off", oninput,
      onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") void solve(); }, ...more,
    });
    return { input, label: el("label", { className: "field", htmlFor: id }, el("span", {}, label), input) };
  };

  const name = field("puzzle-name", "Name, with numbers of your own", state.get("puzzle") ?? "2x2x2", () => {
    definition.value = "";
    void read();
  }, { size: 22 });
  const builtins = choice("Built-in puzzle", [["", "…"]], "", (value) => {
    if (value === "") return;
    name.input.value = value;
    definition.value = "";
    text.value = "";
    void read();
  });
  const definition = el("textarea", {
    id: "puzzle-definition", rows: 4, spellcheck: false, autocapitalize: "off", autocomplete: "off",
    placeholder: "a := (1,2,3,4); b := (1,2);", value: state.get("definition") ?? "", oninput: () => void read(),
  });
  const file = el("input", {
    id: "puzzle-file", type: "file", accept: ".json,.tws,.def,.g,.gap,.txt", onchange: () => void load(file.files?.[0]),
  });
  const text = el("textarea", {
    id: "puzzle-text", rows: 2, spellcheck: false, autocapitalize: "off", autocomplete: "off",
    placeholder: "R U R' F2 …", value: state.get("text") ?? "", oninput: () => void read(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        void solve();
      }
    },
  });
  const goalChanged = () => {
    changed();
    counter.clear();
    keep();
  };
  const goal = el("textarea", {
    id: "puzzle-goal", rows: 2, spellcheck: false, autocapitalize: "off", autocomplete: "off",
    placeholder: "the solved state", value: state.get("goal") ?? "", oninput: goalChanged,
  });
  const ignored = field("puzzle-ignored", "Ignore pieces at", state.get("ignored") ?? "", goalChanged, { placeholder: "EDGES CORNERS:0-3" });
  const unoriented = field("puzzle-unoriented", "Ignore orientations at", state.get("unoriented") ?? "", goalChanged);
  const alike = field("puzzle-alike", "Interchangeable: sets of places", state.get("alike") ?? "", goalChanged);
  const aim = () => ({
    states: goal.value, ignored: ignored.input.value, unoriented: unoriented.input.value, alike: alike.input.value,
  });
  const go = el("button", { type: "button", className: "primary", onclick: () => void solve() }, "Solve");
  const hint = el("button", { type: "button", title: "The first move of a shortest solution", onclick: () => void solve(true) }, "Hint");
  const moves = new Moves(state, () => void read());
  const depth = field("puzzle-depth", "Up to depth (empty: all)", state.get("depth") ?? "", () => {
    counter.clear();
    keep();
  }, { type: "number", min: "0", max: "99" });

  const source = () => ({
    puzzle: name.input.value.trim(), ...(definition.value.trim() ? { definition: definition.value } : {}), ...moves.asked(),
  });

  function keep() {
    const given = definition.value.trim();
    remember("puzzle", {
      puzzle: given ? "" : name.input.value.trim(), definition: given.length <= MOST_IN_ADDRESS ? given : "", ...moves.kept(),
      text: text.value.trim(), want: wanted === "one" ? "" : wanted, memory: memory === "128" ? "" : memory,
      depth: depth.input.value.trim(), goal: goal.value.trim(), ignored: ignored.input.value.trim(),
      unoriented: unoriented.input.value.trim(), alike: alike.input.value.trim(),
    });
  }

  function changed() {
    search.forget();
    search.clear();
    drawn.textContent = "";
    solutions.replaceChildren();
  }

  /** The source that was described last: its group and its counts stay while only the state changes. */
  let described = "";
  let reading = 0;
  async function read() {
    changed();
    keep();
    const now = ++reading;
    const from = source();
    const isNew = JSON.stringify(from) !== described;
    if (isNew) {
      described = JSON.stringify(from);
      counter.clear();
    }
    let found: string[] = [];
    try {
      const puzzle = await quick.ask("puzzle.read", { ...from, text: text.value });
      if (now !== reading) return;
      found = puzzle.faults.map((fault) => fault.message);
      moves.describe(puzzle);
      if (isNew || about.childElementCount === 0) describe(puzzle);
    } catch (error) {
      if (now !== reading) return;
      found = error instanceof Refused ? error.faults.map((fault) => fault.message) : [String(error)];
      about.replaceChildren();
    }
    legal = found.length === 0;
    go.disabled = hint.disabled = !legal;
    faults.replaceChildren(...found.map((fault) => el("li", {}, fault)));
    void write();
    if (isNew && about.childElementCount > 0) await group(from);
  }

  function describe(puzzle: About) {
    const names = puzzle.moves.slice(0, 40).join(" ") + (puzzle.moves.length > 40 ? " …" : "");
    const pieces = puzzle.orbits.map((orbit) =>
      `${orbit.name}: ${orbit.pieces} ${orbit.pieces === 1 ? "piece" : "pieces"}${orbit.orientations > 1 ? `, ${orbit.orientations} orientations` : ""}`);
    about.replaceChildren(
      el("p", {}, el("b", {}, puzzle.name), ` · ${puzzle.moves.length} ${puzzle.moves.length === 1 ? "move" : "moves"} that count: `, el("code", {}, names)),
      ...(puzzle.rotations.length > 0 ? [el("p", {}, "Free rotations: ", el("code", {}, puzzle.rotations.join(" ")))] : []),
      el("p", {}, pieces.join("; ")),
      ...puzzle.remarks.map((remark) => el("p", { className: "remark" }, remark)));
  }

  /** Writes the state as a pattern, if that is open. */
  async function write() {
    const now = reading;
    const [written] = pattern.open && legal
      ? await quick.ask("puzzle.patterns", { ...source(), texts: [text.value] }).catch(() => []) : [];
    if (now === reading) pattern.replaceChildren(pattern.firstElementChild!, el("p", { className: "word" }, written));
  }

  async function group(from: object) {
    const order = await quick.ask("puzzle.group", { ...from }).catch(() => null);
    if (JSON.stringify(from) !== described || about.childElementCount === 0) return;
    about.append(el("p", { className: "order" }, sizes(order)));
  }

  async function load(given: File | undefined) {
    if (!given) return;
    if (given.size > MOST_BYTES) {
      faults.replaceChildren(el("li", {}, `Puzzle: the file has ${count(given.size)} bytes, above the limit of ${count(MOST_BYTES)}`));
      return;
    }
    definition.value = await given.text();
    text.value = "";
    details.open = true;
    await read();
  }

  /** Shows shortest solutions, or the first move of one. */
  async function solve(isHint = false) {
    await read();
    if (!legal) return;
    const request = { ...source(), text: text.value, goal: aim(), memory: Number(memory) * 2 ** 20 };
    const all = { all: wanted !== "one", extra: Number(wanted) || 0 };
    if (isHint) await search.run("puzzle.solve", request, show, true);
    else await search.run("puzzle.solve", { ...request, ...all }, show);
  }

  function show(found: Solution[]) {
    const lines = found.filter((solution) => solution.moves !== "");
    if (lines.length === 0) return;
    const copy = el("button", {
      type: "button", onclick: () => void navigator.clipboard?.writeText(lines[0]!.moves),
    }, "Copy the moves");
    solutions.replaceChildren(el("p", { className: "word" }, lines[0]!.moves), el("div", { className: "row" }, copy));
    if (lines.length > 1) {
      solutions.append(el("h2", {}, `${lines.length} solutions`), el("ol", { className: "all" },
        ...lines.map((line) => el("li", { className: "line" }, `${line.length}  ${line.moves}`))));
    }
  }

  async function random() {
    try {
      const state = await quick.ask("puzzle.random", { ...source(), seed: seed() });
      text.value = state.text;
      await read();
      drawn.textContent = state.uniform
        ? "Each state that the moves lead to is equally likely."
        : "Reached by 100 random moves: states are not equally likely.";
    } catch {
      await read();
    }
  }

  async function counts() {
    const most = depth.input.value.trim();
    const found = await counter.run("puzzle.count", { ...source(), goal: aim(), max_depth: most === "" ? null : Number(most) });
    if (found) counter.show(...counted(found));
  }

  const details = el("details", { className: "more", open: definition.value !== "" },
    el("summary", {}, "A puzzle of your own: KPuzzle, .tws, .def, GAP"),
    el("label", { className: "field wide", htmlFor: "puzzle-definition" },
      el("span", {}, "Definition, instead of a puzzle by its name"), definition),
    el("label", { className: "field wide", htmlFor: "puzzle-file" }, el("span", {}, "or a file, which can be dropped here"), file));
  const goals = el("details", { className: "more", open: Object.values(aim()).some((value) => value !== "") },
    el("summary", {}, "Another goal than the solved state"),
    el("label", { className: "field wide", htmlFor: "puzzle-goal" },
      el("span", {}, "Target states, one per line; the nearest is reached"), goal),
    el("div", { className: "row" }, ignored.label, unoriented.label, alike.label));
  const element = el("div", {
    className: "view",
    ondragover: (event: DragEvent) => event.preventDefault(),
    ondrop: (event: DragEvent) => {
      event.preventDefault();
      void load(event.dataTransfer?.files[0]);
    },
  },
  el("h1", {}, "Any puzzle"),
  el("p", { className: "lead" }, "Finds a shortest solution of any permutation puzzle, and proves that none is shorter."),
  el("div", { className: "columns" },
    el("section", { className: "card", ariaLabel: "Puzzle" },
      el("div", { className: "row first" }, builtins, name.label), details, moves.element, about),
    el("section", { className: "card", ariaLabel: "State and solution" },
      el("label", { className: "field wide", htmlFor: "puzzle-text" },
        el("span", {}, "Scramble in the puzzle's notation, pattern or permutation"), text),
      faults, drawn,
      el("div", { className: "row" }, go, hint,
        el("button", { type: "button", onclick: () => void random() }, "Random"),
        el("button", { type: "button", onclick: () => { text.value = ""; void read(); } }, "Solved state")),
      pattern, goals,
      el("div", { className: "row options" },
        choice("Solutions", WANTED, wanted, (value) => {
          wanted = value;
          changed();
          keep();
        }),
        choice("Tables", MEMORY, memory, (value) => {
          memory = value;
          changed();
          keep();
        })),
      search.element, solutions,
      el("p", { className: "hint" }, el("a", { href: PUZZLE_DOCS }, "Documentation")))),
  el("section", { className: "card", ariaLabel: "Counts" },
    el("h2", {}, "How many positions are at each depth"),
    el("div", { className: "row" }, el("button", { type: "button", onclick: () => void counts() }, "Count them"), depth.label),
    counter.element));

  void quick.ask("puzzle.builtins").then((all) => {
    builtins.select.replaceChildren(el("option", { value: "" }, "choose…"),
      ...all.map((entry) => el("option", { value: entry.example }, `${entry.name}: ${entry.about}`)));
  }, () => undefined);
  void read();
  return {
    title: "Any puzzle",
    element,
    leave() {
      for (const one of [quick, solver, counting]) one.stop();
    },
  };
}

/** The number of positions, and the order of the group. */
function sizes(order: Order | null): string {
  if (!order) return "The puzzle is too large for the order of its group, or has rules that do not form shapes.";
  const least = order.proved ? "" : "at least ";
  const name = order.shapes === null ? "the group" : `the group of each of ${count(order.shapes)} shapes`;
  const group = `order of ${name}: ${least}${count(BigInt(order.order))} = ${order.factors}`;
  return order.positions ? `${count(BigInt(order.positions))} positions; ${group}` : `Positions: only a count finds their number; ${group}`;
}

/** A finished count: the plot, the numbers and the deepest positions. */
function counted(found: Counted): Node[] {
  const layers = found.layers.map(BigInt);
  const total = count(BigInt(found.positions));
  const deepest = layers.length - 1;
  const sentence = found.complete
    ? `${total} positions, at most ${deepest} moves from the nearest goal; counted in ${seconds(found.seconds)}.`
    : `${total} positions of at most ${deepest} moves; counted in ${seconds(found.seconds)}.`;
  const words = found.deepest.length === 0 ? [] : [
    el("p", {}, `Shortest words to positions ${deepest} moves away:`),
    el("ol", { className: "all" }, ...found.deepest.map((word) => el("li", { className: "line" }, word))),
  ];
  return [
    plot(layers, { depth: "Depth", one: "position", many: "positions" }),
    el("p", { className: "proof" }, sentence),
    ...(found.remark ? [el("p", { className: "status" }, found.remark)] : []),
    el("details", {}, el("summary", {}, "All numbers"), el("table", {},
      el("thead", {}, el("tr", {}, ...["Depth", "Positions"].map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, ...layers.map((layer, at) => el("tr", {}, el("td", {}, String(at)), el("td", {}, count(layer)))))), ...words),
  ];
}
