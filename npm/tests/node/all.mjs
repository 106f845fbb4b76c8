// Every kind of puzzle, and every way in which a search ends.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, cube, hanoi, puzzle, Refused, Solver, stop, Stopped, tiles } from "optimal-puzzles";

const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

const tests = {
  async "cubes"() {
    const { facelets } = await cube.read("R U");
    assert.deepEqual((await cube.solve(facelets)).best, { length: 2, moves: "U' R'", next: "U'" });
    assert.deepEqual((await cube.solve("R R", { metric: "qtm" })).best, { length: 2, moves: "R R", next: "R" });
    const all = await cube.solve("R L U2 D2", { all: true });
    assert.ok(all.solutions.length >= 1 && all.solutions.every(({ length }) => length === 4), JSON.stringify(all.solutions));
    assert.equal((await cube.solve("U R U' R'", { moves: "U R" })).lower, 4);
    assert.equal((await cube.solve("R U F", { goal: "cross" })).proved, true);
    assert.equal(await cube.random(7), await cube.random(7));
    assert.ok((await cube.tables()).find(({ heuristic }) => heuristic === "square-0").kept);
  },

  async "boards"() {
    assert.equal((await tiles.solve([8, 7, 6, 5, 4, 3, 2, 1, 0])).lower, 28);
    assert.equal((await tiles.solve("0 2 1 3 4 5", { rows: 2, cols: 3, heuristic: "md" }).catch(() => null)), null);
    const drawn = await tiles.random(3, 4, 1);
    const answer = await tiles.solve(drawn.tiles, { rows: 3, cols: 4 });
    assert.ok(answer.proved && answer.best.length === answer.lower);
    assert.equal((await tiles.explain("1 0 2 3 4 5 6 7 8")).manhattan, 1);
  },

  async "towers"() {
    const path = await hanoi.solve({ discs: 6, from: "000000", to: "333333" });
    assert.deepEqual([path.lower, path.best.length, path.proved], [17, 17, true]);
    const { states } = await hanoi.counts(4);
    assert.equal(states.reduce((sum, count) => sum + count, 0), 4 ** 4);
  },

  async "permutation puzzles"() {
    assert.deepEqual((await puzzle.solve("2x2x2", "R U R' F2")).best, { length: 4, moves: "F2 R U' R'", next: "F2" });
    const definition = {
      name: "three", orbits: [{ orbitName: "ROW", numPieces: 3, numOrientations: 1 }],
      defaultPattern: { ROW: { pieces: [0, 1, 2], orientation: [0, 0, 0] } },
      moves: { A: { ROW: { permutation: [1, 0, 2], orientationDelta: [0, 0, 0] } }, B: { ROW: { permutation: [0, 2, 1], orientationDelta: [0, 0, 0] } } },
    };
    for (const given of [definition, { definition: JSON.stringify(definition) }]) {
      assert.equal((await puzzle.solve(given, "A B A")).lower, 3);
    }
    assert.deepEqual((await puzzle.count(definition)).layers, ["1", "2", "2", "1"]);
    assert.equal((await puzzle.group("2x2x2")).proved, true);
    const unreachable = await puzzle.solve("2x2x2", "R", { moves: "U", rotations: "" });
    assert.deepEqual([unreachable.lower, unreachable.best, unreachable.proved], [null, null, true]);
  },

  async "bounds on the way"() {
    const lower = [];
    for await (const step of cube.solve("R U R' F2 D L' B2 U2 R F' L D2 B")) lower.push(step.lower);
    assert.deepEqual(lower, [...lower].sort((a, b) => a - b));
    assert.ok(lower.length >= 3 && lower.at(-1) === 13, lower.join());
    const late = cube.solve("R U F");
    await late;
    let last;
    for await (const step of late) last = step;
    assert.ok(last.proved && last.best.length === 3, "a late iteration gets all steps");
  },

  async "faults of an input"() {
    const refusal = await cube.solve("R X U Y").catch((error) => error);
    assert.ok(refusal instanceof Refused && refusal.faults.length === 2, String(refusal));
    await assert.rejects(async () => { for await (const _ of cube.solve("nothing")); }, Refused);
    await assert.rejects(puzzle.solve("no such puzzle", "R"), Refused);
    await assert.rejects(cube.solve("R", { heuristic: "square-99" }), /is not one of/);
    assert.throws(() => new Solver({ threads: 0 }), TypeError);
  },

  async "endings"() {
    const limited = await cube.solve(SUPERFLIP, { timeLimit: 1.5, heuristic: "square-0" });
    assert.ok(!limited.proved && limited.lower <= 20, JSON.stringify(limited));
    const controller = new AbortController();
    const aborted = cube.solve(SUPERFLIP, { signal: controller.signal, heuristic: "square-0" });
    // A request that waits behind it is answered all the same.
    const behind = cube.read("R");
    setTimeout(() => controller.abort(), 300);
    await assert.rejects(aborted, { name: "AbortError" });
    assert.equal((await behind).turns, "R");
    await assert.rejects(cube.solve("R", { signal: AbortSignal.abort() }), { name: "AbortError" });
    const stopped = cube.solve(SUPERFLIP, { heuristic: "square-0" });
    setTimeout(stop, 300);
    await assert.rejects(stopped, Stopped);
    assert.equal((await cube.solve("R U")).lower, 2);
  },

  async "a stopped search resumes from its checkpoint"() {
    const begin = (resume) => cube.solve(SUPERFLIP, { resume, heuristic: "square-0" });
    // Stops a search with its next checkpoint, however long that takes.
    const stopped = async (search) => {
      const earlier = search.checkpoint;
      while (search.checkpoint === earlier) await new Promise((wake) => setTimeout(wake, 50));
      search.stop();
      const { lower, proved } = await search;
      assert.ok(!proved && lower >= search.checkpoint.bound, `${lower}, ${search.checkpoint.bound}`);
      return JSON.parse(JSON.stringify(search.checkpoint));
    };
    const first = await stopped(begin());
    const second = await stopped(begin(first));
    assert.ok(second.bound >= first.bound, `${second.bound}, ${first.bound}`);
    // The iterations of the first search, to its seconds: none has been searched again.
    const seconds = ({ state }) => JSON.parse(state).iterations.map(({ seconds }) => seconds.toFixed(9));
    assert.deepEqual(seconds(second).slice(0, seconds(first).length), seconds(first));
  },

  async "tables: a damaged one is built again, a directory that cannot be written is done without"() {
    const folder = mkdtempSync(join(tmpdir(), "tables-"));
    writeFileSync(join(folder, "cube-square0-htm.table"), "no table");
    const own = create({ tables: [folder], threads: 1 });
    assert.equal((await own.cube.solve("R U F")).lower, 3);
    own.solver.stop();
    assert.deepEqual(readdirSync(folder).filter((file) => file.includes(".part")), []);
    const again = create({ tables: folder, threads: 1 });
    const notes = [];
    await again.solver.ask("cube.solve", { facelets: (await cube.read("R")).facelets, heuristic: "square-0" }, { onEvent: (event) => event.event === "note" && notes.push(event.line) });
    assert.ok(!notes.some((line) => /damaged|building/.test(line)), notes.join("; "));
    again.solver.stop();
    rmSync(folder, { recursive: true });
    const nowhere = create({ tables: "/dev/null/none", threads: 1 });
    assert.equal((await nowhere.cube.solve("R U F")).lower, 3);
    nowhere.solver.stop();
    const memory = create({ tables: false, threads: 1 });
    assert.equal((await memory.tiles.solve("1 0 2 3 4 5 6 7 8")).lower, 1);
    memory.solver.stop();
  },
};

for (const [name, test] of Object.entries(tests)) {
  const begun = performance.now();
  await test();
  console.log(`ok   ${name} (${((performance.now() - begun) / 1e3).toFixed(1)} s)`);
}
// The process ends by itself: no worker that has nothing to do keeps it.
