// How fast the page is: the first answer to a scramble, and nodes a second. `npm run speed`, after the build; with
// CUBE_OPT=PROGRAM and TABLES=DIR, beside the native program on one thread with the same table, in turns; in Node.js 24
// and later, also beside the solvers with 64-bit addresses.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { browserPath, serve } from "./serve.mjs";
import { addresses } from "../../npm/dist/addresses.js";
import { WIDE, solvers } from "./solvers.mjs";

const FIRST = "R U R' F2 D L' B2 U2 R F' L D2 B";
const LONG = `${FIRST} U2 L F'`;
const ROUNDS = 5;
const site = await serve(join(import.meta.dirname, "../../target/web"));
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Seconds from opening the page to the answer, with nothing stored. */
async function first() {
  const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
  const page = await browser.newPage();
  const begun = performance.now();
  await page.goto(`${site.address}#cube?text=${encodeURIComponent(FIRST)}`);
  await page.click("text=Solve >> nth=0");
  await page.waitForSelector(".length", { timeout: 300_000 });
  const seconds = (performance.now() - begun) / 1000;
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime / 1000);
  await browser.close();
  return { seconds, paint };
}

const nodes = ({ iterations }) => iterations.reduce((total, { generated }) => total + generated, 0);

/** Million nodes in a second of processor time. */
function ofModule(ask) {
  const { facelets } = ask({ do: "cube.read", text: LONG });
  const begun = process.cpuUsage();
  const found = ask({ do: "cube.solve", facelets, heuristic: "square-0" });
  const { user, system } = process.cpuUsage(begun);
  return nodes(found) / (user + system);
}

/** The same of the native program on one thread; the time to load the table is counted too. */
function native() {
  const args = ["solve", LONG, "--heuristic", "square-0", "--threads", "1", "--json", "--quiet", "--fresh"];
  const script = 'TIMEFORMAT="%U %S"; time "$@"';
  const run = spawnSync("bash", ["-c", script, "bash", process.env.CUBE_OPT, ...args, "--tables", process.env.TABLES], { encoding: "utf8" });
  const [user, system] = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return nodes(JSON.parse(run.stdout)) / (user + system) / 1e6;
}

const [firsts, paints, modules, wides, natives] = [[], [], [], [], []];
// The module without the page, in this process: Node.js has Chromium's engine, and counts processor time.
const ask = await solvers();
const askWide = addresses() === 64 && existsSync(WIDE) ? await solvers(WIDE) : undefined;
// The first search also builds the table.
ofModule(ask);
if (askWide) ofModule(askWide);
for (let round = 0; round < ROUNDS; round += 1) {
  const { seconds, paint } = await first();
  firsts.push(seconds);
  paints.push(paint);
  modules.push(ofModule(ask));
  if (askWide) wides.push(ofModule(askWide));
  if (process.env.CUBE_OPT) natives.push(native());
}
site.close();
console.log(`first paint ${median(paints).toFixed(2)} s, first answer ${median(firsts).toFixed(1)} s, table included`);
console.log(`${median(modules).toFixed(1)} million nodes in a second of processor time`);
for (const [name, others] of [["with 64-bit addresses", wides], ["native", natives]]) {
  if (others.length === 0) continue;
  const ratios = others.map((other, round) => other / modules[round]);
  console.log(`${name} ${median(others).toFixed(1)}; ${median(ratios).toFixed(2)} times as many`);
}
