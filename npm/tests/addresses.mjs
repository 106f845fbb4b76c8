// Tests of the solvers with 64-bit addresses beside those with 32, in Node.js; without the packed file. An engine without
// such addresses is asked for refusals alone.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importedMemory } from "../dist/binary.js";
import { addresses, create, Solver } from "../dist/index.js";

const SCRAMBLE = "R U R' F2 D L' B2 U2 R F' L D2 B";
const folder = mkdtempSync(join(tmpdir(), "optimal-puzzles-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const has = importedMemory(readFileSync(join(import.meta.dirname, "../wasm/optimal_puzzles_wasm.wasm"))) !== undefined;
/** The directory of the tables that the solvers with these addresses make. */
const tables = (bits) => join(folder, `${bits}`);

/** The lengths and the nodes of complete bounds, which no number of threads changes, and the tables with their checksums. */
async function solved(options) {
  const { cube, tiles, puzzle, solver } = create(options);
  const answers = [
    await cube.solve(SCRAMBLE, { heuristic: "square-0" }),
    await cube.solve("R U F2 D' L", { metric: "qtm", heuristic: "square-0" }),
    await cube.solve("R U F", { goal: "cross" }),
    await tiles.solve("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"),
    await puzzle.solve("pyraminx", "R U' L B R' U L'"),
  ];
  solver.stop();
  return answers.map(({ lower, proved, iterations, tables }) => {
    const complete = iterations.filter((iteration) => iteration.complete);
    return { lower, proved, nodes: complete.map(({ bound, generated }) => [bound, generated]), tables };
  });
}

const everywhere = {
  async "addresses are 32 or 64"() {
    for (const wrong of [16, "64", null]) assert.throws(() => new Solver({ addresses: wrong }), TypeError);
  },

  async "a table that needs 64-bit addresses is not searched with 32"() {
    const { cube, solver } = create({ addresses: 32, tables: false });
    await assert.rejects(cube.solve("R U", { heuristic: "square-8" }), /square-8: its table needs `addresses: 64`/);
    assert.ok((await cube.tables()).every(({ addresses }) => addresses === 32));
    solver.stop();
  },
};

const without = {
  async "without 64-bit addresses they are refused, and so are tables that need them"() {
    assert.throws(() => new Solver({ addresses: 64 }), /^TypeError: addresses: this engine has no .* Node\.js 24/);
    const { cube, solver } = create({ tables: false });
    await assert.rejects(cube.solve("R U", { heuristic: "square-8" }), /square-8: this engine has no .* Node\.js 24/);
    assert.equal((await cube.tables()).at(-1).heuristic, "square-7");
    assert.equal((await cube.solve("R U", { heuristic: "square-0" })).lower, 2);
    solver.stop();
  },
};

const both = {
  async "both prove the same lengths with the same nodes, on one thread and on several"() {
    const narrow = await solved({ addresses: 32, threads: 1, tables: tables(32) });
    assert.deepEqual(narrow.map(({ lower }) => lower).slice(0, 4), [13, 6, 2, 42]);
    assert.ok(narrow.every(({ proved }) => proved));
    for (const threads of [1, 3]) {
      assert.deepEqual(await solved({ addresses: 64, threads, tables: tables(64) }), narrow, `${threads} threads`);
    }
  },

  async "each reads the tables of the other, which have the same bytes"() {
    const names = readdirSync(tables(64));
    assert.deepEqual(names, readdirSync(tables(32)));
    assert.ok(names.includes("cube-square0-htm.table"), names.join());
    for (const name of names) {
      assert.ok(readFileSync(join(tables(64), name)).equals(readFileSync(join(tables(32), name))), name);
    }
    for (const [bits, other] of [[32, 64], [64, 32]]) {
      const { cube, solver } = create({ addresses: bits, threads: 2, tables: tables(other) });
      assert.ok((await cube.tables()).find(({ heuristic }) => heuristic === "square-0").kept);
      const { facelets } = await cube.read(SCRAMBLE);
      const notes = [];
      const onEvent = (event) => event.event === "note" && event.line.includes("table") && notes.push(event.line);
      assert.equal((await solver.ask("cube.solve", { facelets, heuristic: "square-0" }, { onEvent })).length, 13);
      assert.deepEqual(notes, [], `${bits}`);
      solver.stop();
    }
  },

  async "64-bit addresses are used for a table that needs them, and given up for one that does not"() {
    const { cube, solver } = create({ threads: 2, tables: tables(32) });
    assert.equal(solver.addresses, 32);
    // There is not enough memory for the table, so that a smaller one is used.
    const answer = await cube.solve("R U", { heuristic: "square-8", memory: 40_000_000 });
    assert.deepEqual([answer.lower, answer.heuristic, solver.addresses], [2, "square-0", 64]);
    assert.equal(answer.remark, "Not enough memory for the 7584 MB table: the 30 MB table was used.");
    await cube.read("R U");
    assert.equal(solver.addresses, 64, "a request without a table changes nothing");
    assert.equal((await cube.solve("R U F", { heuristic: "square-0" })).lower, 3);
    assert.equal(solver.addresses, 32);
    assert.equal((await cube.tables()).at(-1).addresses, 64);
    solver.stop();
  },
};

if (!has) console.log("the solvers were built without threads: there are none with 64-bit addresses to test");
else if (addresses() === 32) console.log("this engine has no 64-bit addresses: only their refusal is tested");
for (const [name, test] of Object.entries(has ? { ...everywhere, ...(addresses() === 64 ? both : without) } : {})) {
  await test();
  console.log(`ok   ${name}`);
}
