// Tests of the packed file, as its users meet it: installed into an empty project for Node.js and into an empty project
// for Vite, of which the second is opened in Chromium. `npm test`, after `cargo xtask web` has compiled the solvers.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = import.meta.dirname;
const web = join(here, "../../web");
const installed = (path) => join(web, "node_modules", path);
const { chromium } = createRequire(join(web, "package.json"))("playwright-core");
const { browserPath, serve } = await import(join(web, "tests/serve.mjs"));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const folder = mkdtempSync(join(tmpdir(), "optimal-puzzles-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** An empty project with the packed file installed, and the files of `tests/NAME`. */
function project(name, packed) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  execFileSync(npm, ["install", "--no-audit", "--no-fund", "--offline", packed], { cwd: path, stdio: ["ignore", "ignore", "inherit"] });
  cpSync(join(here, name), path, { recursive: true });
  return path;
}

const tables = join(folder, "tables");
/** The output of a program; if it fails, the tests end with what it printed. */
function run(program, args, cwd) {
  const done = spawnSync(process.execPath, [program, ...args], { cwd, encoding: "utf8", env: { ...process.env, OPTIMAL_PUZZLES_TABLES: tables } });
  if (done.status === 0) return done.stdout;
  console.error(`${program}:\n${done.stdout}${done.stderr}`);
  process.exit(1);
}

/** A path in the repository, read as text. */
const text = (path) => readFileSync(join(here, "..", path), "utf8");

const pack = JSON.parse(execFileSync(npm, ["pack", "--json", "--pack-destination", folder], { cwd: join(here, ".."), encoding: "utf8" }))[0];
const packed = join(folder, pack.filename);
console.log(`    ${pack.filename}: ${(pack.size / 1e6).toFixed(2)} MB, unpacked ${(pack.unpackedSize / 1e6).toFixed(2)} MB`);
for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "dist/index.js", "dist/index.d.ts", "wasm/optimal_puzzles_wasm.wasm"]) {
  assert.ok(pack.files.some(({ path }) => path === name), `${name} is not in the package`);
}
const [, version] = /^version = "([^"]+)"/m.exec(text("../Cargo.toml"));
assert.equal(JSON.parse(text("package.json")).version, version, "the version of Cargo.toml");

// Node.js: the first answer from an empty directory of tables, then every kind of puzzle and every ending.
const node = project("node", packed);
const begun = performance.now();
console.log(run("first.mjs", [], node).trimEnd());
console.log(`    first answer of a new process after ${((performance.now() - begun) / 1e3).toFixed(1)} s, table included`);
assert.ok(readdirSync(tables).includes("cube-square0-htm.table"), "the table is stored");
console.log(run("all.mjs", [], node).trimEnd());

// The examples of the README, each as a program of its own, with the output that it states.
const examples = [...text("README.md").matchAll(/```js\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs)];
assert.ok(examples.length >= 4, "the README has examples");
for (const [at, [, code, printed]] of examples.entries()) {
  writeFileSync(join(node, `example${at}.mjs`), code);
  const output = run(`example${at}.mjs`, [], node);
  if (printed !== undefined) assert.equal(output, printed, `example ${at + 1} of the README`);
}
console.log(`ok   ${examples.length} examples of the README`);

// The declarations, as a strict project for Node.js and one for a bundler see them.
mkdirSync(join(node, "node_modules/@types"), { recursive: true });
for (const types of ["@types/node", "undici-types"]) symlinkSync(installed(types), join(node, "node_modules", types));
const strict = ["--noEmit", "--strict", "--target", "ES2022", "--types", "node"];
for (const [module, resolution] of [["NodeNext", "NodeNext"], ["ESNext", "Bundler"]]) {
  run(installed("typescript/bin/tsc"), [...strict, "--module", module, "--moduleResolution", resolution, "types.ts"], node);
}
console.log("ok   declarations");

// Vite, built and opened in Chromium.
const executablePath = browserPath();
if (!executablePath) {
  console.log("there is no Chromium: the package is not tested in a browser");
  process.exit(0);
}
const vite = project("vite", packed);
symlinkSync(installed("cubing"), join(vite, "node_modules/cubing"));
run(installed("vite/bin/vite.js"), ["build", "--logLevel", "error"], vite);
const assets = join(vite, "dist/assets");
assert.ok(readdirSync(assets).some((file) => file.endsWith(".wasm") && statSync(join(assets, file)).size > 1e6), "the bundle has the solvers");
for (const isolated of [true, false]) {
  const site = await serve(join(vite, "dist"), { isolated });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  page.on("pageerror", (error) => { throw error; });
  await page.goto(site.address);
  const handle = await page.waitForFunction(() => globalThis.done, null, { timeout: 180_000 });
  const { threads, played, by64, ...lengths } = await handle.jsonValue();
  assert.deepEqual(lengths, { cube: 13, board: 28, builtin: 4, kpuzzle: 3 });
  if (!by64) console.log("    there are no 64-bit addresses: they are not tested in a browser");
  else assert.deepEqual(by64, { length: 13, heuristic: "square-0", remark: "Not enough memory for the 7584 MB table: the 30 MB table was used." });
  assert.ok(played, "the player of cubing.js shows the solved cube after our solution");
  await browser.close();
  site.close();
  console.log(`ok   Vite and Chromium, ${isolated ? "isolated" : "not isolated"}: ${threads} ${threads === 1 ? "thread" : "threads"}`);
}
