// How fast the page solves cubes: scrambles from a file, one per line, with one table, in Chromium. After the build:
// `npm run cubes -- FILE [TABLE] [THREADS]`, the table square-0 and all threads by default. The first search builds
// the table, unless the folder $PROFILE is a browser's that has it. The time of a cube is that of its search.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { browserPath, serve } from "./serve.mjs";

const [file, table = "square-0", threads] = process.argv.slice(2);
const scrambles = readFileSync(file, "utf8").split("\n").map((line) => line.trim()).filter(Boolean);
const profile = process.env.PROFILE ?? mkdtempSync(join(tmpdir(), "page-"));
const port = Number(process.env.PORT ?? 4175);
// Tables belong to an address, so it is always the same.
const site = await serve(join(import.meta.dirname, "../../target/web"), { isolated: true, port });
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath(), args: ["--no-sandbox"], serviceWorkers: "block",
});
if (threads) {
  await browser.addInitScript((count) => {
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => count });
  }, Number(threads));
}
const page = await browser.newPage();
page.on("pageerror", (error) => console.log(error.message));
const number = (text) => Number(text.replaceAll(",", ""));

/** Milliseconds until an answer or a fault. */
async function solve(scramble) {
  await page.fill("#cube-text", scramble);
  const begun = performance.now();
  await page.click("text=Solve >> nth=0");
  await page.waitForSelector(".length, .search .fault", { timeout: 0 });
  const milliseconds = performance.now() - begun;
  const fault = page.locator(".search .fault");
  if (await fault.count() > 0) throw new Error(await fault.first().textContent());
  return milliseconds;
}

await page.goto(`${site.address}#cube?table=${table}`);
console.log(await page.textContent("#threads"));
console.log(`table, built or read: ${((await solve("R U F")) / 1000).toFixed(1)} s`);
const all = { nodes: 0, seconds: 0 };
for (const scramble of scrambles) {
  await solve(scramble);
  const rows = await page.locator("details tbody tr").evaluateAll((lines) =>
    lines.map((row) => [...row.children].map((cell) => cell.textContent)));
  const nodes = rows.reduce((sum, row) => sum + number(row[1]), 0);
  const seconds = rows.reduce((sum, row) => sum + number(row[2]), 0);
  all.nodes += nodes;
  all.seconds += seconds;
  const length = await page.textContent(".length strong");
  console.log(`${length} moves, ${nodes} nodes, ${seconds.toFixed(3)} s, ${(nodes / seconds / 1e6).toFixed(1)} million nodes per second: ${scramble}`);
}
console.log(await page.textContent("#threads"));
console.log(`${scrambles.length} cubes: ${all.nodes} nodes, ${all.seconds.toFixed(1)} s, ${(all.nodes / all.seconds / 1e6).toFixed(1)} million nodes per second`);
await browser.close();
site.close();
if (!process.env.PROFILE) rmSync(profile, { recursive: true });
