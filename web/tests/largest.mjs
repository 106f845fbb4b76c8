// The tests of the largest tables, and the checksums of tables. page.mjs runs it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { SOLVED, after } from "./cube.mjs";
import { serve } from "./serve.mjs";

const SCRAMBLE = "R U R' F2 D L' B2 U2 R F' L D2 B";
/** The longest wait for an answer, in milliseconds: a table of 7.6 GB takes minutes. */
const PATIENCE = 1_800_000;

/** The checksums of tables, as `cube-opt solve --json` prints them; those of the native program where nothing else is said. */
export const NATIVE = {
  "square-0": "cube-square0-htm 8b601e2ba8693f08, cube-square0floor-htm 5376e271fae06704",
  // As `cube-opt tables build cube-square7first-htm cube-square7second-htm cube-square7floor-htm` makes them.
  "square-7": "cube-square7first-htm 68844bb55ebd0909, cube-square7second-htm f446481c7f22dec8, "
    + "cube-square7floor-htm 1f186b1322c85849",
  // Those of Node.js too; `cube-opt tables verify --contents` rebuilds the second and compares a sample of the first.
  "square-8": "cube-square8-htm 779702fd13cbefe4, cube-square8floor-htm 22d43e7f92deb26d",
};

/** The tests; `bounds` and `moves` read a page. Minutes, with LARGE=1 alone. */
export const largest = (page) => ({
  // 4 GB of memory and of disk.
  async "a table of 3.8 GB has the native one's bytes, in two halves, though 32 bits do not number its entries"() {
    await built(page, "square-7", "100", "3.8 GB table, stored");
  },

  // 8 GB of memory and of disk.
  async "a table of 7.6 GB has the known checksums, in memory with 64-bit addresses"() {
    await built(page, "square-8", "66", "7.6 GB table (with 16 GB of memory or more), stored");
  },
});

/** Builds and stores a table, compares its checksums, and reads it again. `nodes` are those of bound 12. */
async function built({ bounds, moves, hasThreads, folder, executablePath }, table, nodes, option) {
  if (!process.env.LARGE || !hasThreads) return;
  // A browser that keeps nothing on the disk has no room for so large a file.
  const other = await serve(folder, { isolated: true });
  const profile = mkdtempSync(join(tmpdir(), "page-"));
  const made = await chromium.launchPersistentContext(profile, {
    executablePath, args: ["--no-sandbox"], serviceWorkers: "block",
  });
  const page = await made.newPage();
  await page.goto(`${other.address}#cube?table=${table}&text=${encodeURIComponent(SCRAMBLE)}`);
  const begun = performance.now();
  await page.click("text=Solve >> nth=0");
  await page.waitForSelector(".length", { timeout: PATIENCE });
  console.log(`    first answer after ${((performance.now() - begun) / 1000).toFixed(1)} s, table included`);
  assert.equal(await page.locator(".search .status").count(), 0, "no smaller table serves");
  assert.deepEqual(await bounds(page), [["12", nodes]]);
  assert.equal(await page.textContent("details .tables"), `Checksums of the tables: ${NATIVE[table]}`);
  assert.equal(after(after(SOLVED, SCRAMBLE), (await moves(page)).join(" ")), SOLVED);
  await page.reload();
  await page.waitForSelector(`option:text-is('${option}')`, { state: "attached", timeout: 20_000 });
  const again = performance.now();
  await page.click("text=Solve >> nth=0");
  await page.waitForSelector(".length", { timeout: PATIENCE });
  console.log(`    with the stored table after ${((performance.now() - again) / 1000).toFixed(1)} s`);
  await made.close();
  other.close();
  rmSync(profile, { recursive: true });
}
