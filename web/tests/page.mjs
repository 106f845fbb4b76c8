// Tests of the built page in Chromium. `npm test`, after `npm run build`; or `cargo xtask web --test`.
// With SHOTS=FOLDER, pictures of each view at 1280 and 390 pixels are written there.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { importedMemory } from "../../npm/dist/binary.js";
import { asked } from "./asked.mjs";
import { SOLVED, after } from "./cube.mjs";
import { browserPath, serve } from "./serve.mjs";
import { MODULE } from "./solvers.mjs";
import { NATIVE, largest } from "./largest.mjs";
import { fewest } from "./fewest.mjs";
import { puzzles } from "./puzzles.mjs";

const folder = join(import.meta.dirname, "../../target/web");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const executablePath = browserPath();
if (!executablePath) {
  console.log("there is no Chromium: the page is not tested");
  process.exit(0);
}

const SCRAMBLE = "R U R' F2 D L' B2 U2 R F' L D2 B";
const LONG = 180_000;
/** The threads of a search in these tests, whatever the machine has. */
const THREADS = 3;
const hasThreads = importedMemory(readFileSync(MODULE)) !== undefined;
if (!hasThreads) console.log("the page was built without threads: they are not tested");
const site = await serve(folder);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const said = [];

/** A browser with nothing stored; with the page's service worker, unless it is blocked. */
async function context(options = {}) {
  const made = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await made.addInitScript((count) => {
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => count });
  }, THREADS);
  made.on("page", (page) => {
    page.on("console", (message) => {
      const isBlocked = message.text().includes("registration blocked");
      if (["error", "warning"].includes(message.type()) && !isBlocked) said.push(message.text());
    });
    page.on("pageerror", (error) => said.push(error.message));
  });
  if (options.serviceWorkers !== "block") await visit(made);
  return made;
}

/**
 * The first visit: the service worker is installed, and the page loads itself again. Nothing is asked of it until then,
 * because a script of a test counts as someone who is at work on it.
 */
async function visit(made) {
  const page = await made.newPage();
  let loads = 0;
  page.on("request", (request) => { loads += Number(request.isNavigationRequest()); });
  await page.goto(`${site.address}#hanoi`).catch(() => undefined);
  await until(() => loads >= 2, "the page loads itself again");
  await page.waitForFunction(() => navigator.serviceWorker.controller && crossOriginIsolated);
  await page.close();
}

/** A page of a server of its own, which isolates it; its workers run a script first. */
async function prepared(inWorkers, hash) {
  const other = await serve(folder, { isolated: true, inWorkers });
  const made = await context({ serviceWorkers: "block" });
  const page = await made.newPage();
  await page.goto(`${other.address}#${hash}`);
  const close = async () => {
    await made.close();
    other.close();
  };
  return { page, close };
}

const threads = (page) => page.textContent("#threads");
/** Each bound and its nodes; the last one, where a solution is found, depends on the threads. */
async function bounds(page) {
  await page.click(".search summary");
  const rows = await page.locator("details tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)));
  return rows.slice(0, -1);
}
const open = async (made, hash) => {
  const page = await made.newPage();
  await page.goto(`${site.address}#${hash}`);
  return page;
};
const moves = (page) => page.locator(".moves .move").allTextContents();
/** What the net shows, read as a person with a screen reader does. */
const COLOURS = { white: "U", red: "R", green: "F", yellow: "D", orange: "L", blue: "B" };
const net = async (page) => {
  const labels = await page.locator(".net .sticker").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  return labels.map((label) => COLOURS[label.split(" ")[1].replace(",", "")]).join("");
};

/** Solves, and gives every line of status on the way: some are replaced before a frame is drawn. */
async function solveInStages(page) {
  await page.waitForSelector(".search", { state: "attached" });
  await page.evaluate(() => {
    globalThis.stages = [];
    new MutationObserver(() => stages.push(document.querySelector(".status")?.textContent ?? ""))
      .observe(document.querySelector(".search"), { subtree: true, childList: true, characterData: true });
  });
  await page.click("text=Solve >> nth=0");
  await page.waitForSelector(".length", { timeout: LONG });
  return page.evaluate(() => globalThis.stages);
}

/** Waits until a search reports that no solution has fewer than `least` moves. It may have found one by then. */
const searching = (page, least = 0, timeout = LONG) =>
  page.waitForFunction((least) => {
    const status = document.querySelector(".search .status")?.textContent ?? "";
    const bound = /^Searching for (\d+) |none has fewer than (\d+); still searching/.exec(status);
    return bound && Number(bound[1] ?? bound[2]) >= least;
  }, least, { timeout });

/** Moves the focus by Tab alone. */
const focusOn = async (page, selector) => {
  for (let i = 0; i < 60; i += 1) {
    if (await page.evaluate((what) => document.activeElement?.matches(what), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no way to ${selector} by Tab`);
};

async function until(is, what) {
  for (let attempt = 0; !is(); attempt += 1) {
    assert.ok(attempt < 100, what);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const tests = {
  async "a scramble is pasted, solved, and its solution replayed"(made) {
    const begun = performance.now();
    const page = await open(made, "cube");
    await page.fill("#cube-text", SCRAMBLE);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    console.log(`    first answer after ${((performance.now() - begun) / 1000).toFixed(1)} s, table included`);
    assert.equal(await page.textContent(".length strong"), "13");
    assert.equal(await page.textContent(".proof"), "Proved shortest: all ways of 12 moves or fewer were searched (14,261 nodes).");
    const solution = await moves(page);
    assert.equal(solution.length, 13);
    const start = after(SOLVED, SCRAMBLE);
    assert.equal(after(start, solution.join(" ")), SOLVED);
    // Every bound has the nodes that the native program counts: the vector instructions are right.
    await page.click(".search summary");
    const rows = await page.locator("details tbody tr").evaluateAll((all) => all.map((row) => row.textContent));
    assert.deepEqual(rows.slice(0, 3).map((row) => row.replace(/0\.\d+$/, "")), ["1050", "111,124", "1213,087"]);
    // And the table has the native one's bytes.
    assert.equal(await page.textContent("details .tables"), `Checksums of the tables: ${NATIVE["square-0"]}`);
    // The animation goes through the positions of the solution.
    assert.equal(await net(page), start);
    await page.locator(".speed input").fill("10");
    await page.click("[aria-label='One move forward']");
    await page.waitForFunction(() => document.querySelector(".place").textContent === "1 / 13");
    assert.equal(await net(page), after(start, solution[0]));
    await page.click("[aria-label='Play']");
    await page.waitForFunction(() => document.querySelector(".place").textContent === "13 / 13", null, { timeout: 20_000 });
    assert.equal(await net(page), SOLVED);
  },

  async "a reload keeps the state and the table"(made) {
    const page = await open(made, `cube?text=${encodeURIComponent(SCRAMBLE)}`);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    await page.reload();
    assert.equal(await page.inputValue("#cube-text"), SCRAMBLE);
    await page.waitForSelector("option:has-text('30 MB table (easy cubes), stored')", { state: "attached", timeout: 20_000 });
    const begun = performance.now();
    const stages = await solveInStages(page);
    const status = await page.evaluate(() => document.querySelector(".search").textContent);
    assert.ok(!status.includes("Building") && !stages.some((stage) => stage.includes("Building")), stages.join("; "));
    console.log(`    with the stored table after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  },

  async "a damaged table is built again"(made) {
    const first = await open(made, `cube?text=${encodeURIComponent(SCRAMBLE)}`);
    await first.click("text=Solve >> nth=0");
    await first.waitForSelector(".length", { timeout: LONG });
    await first.close();
    const page = await open(made, "report");
    // The file system is the origin's: any of its pages can spoil a table.
    const spoiled = await page.evaluate(async () => {
      const directory = await (await navigator.storage.getDirectory()).getDirectoryHandle("tables");
      let count = 0;
      for await (const entry of directory.values()) {
        const file = await entry.getFile();
        if (file.size < 1e5) continue;
        const writable = await entry.createWritable({ keepExistingData: true });
        await writable.write({ type: "write", position: file.size - 50_000, data: new Uint8Array([1, 2, 3, 4, 5]) });
        await writable.close();
        count += 1;
      }
      return count;
    });
    assert.ok(spoiled >= 2, `${spoiled} tables`);
    await page.goto(`${site.address}#cube?text=${encodeURIComponent(SCRAMBLE)}`);
    await page.reload();
    const stages = await solveInStages(page);
    assert.ok(stages.some((stage) => stage.includes("Building the table")), stages.join("; "));
    assert.equal(await page.textContent(".length strong"), "13");
  },

  async "a search is stopped, says what is proved, and continues"(made) {
    // Twenty moves away: hours of work with the small table.
    const superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    const page = await open(made, `cube?text=${encodeURIComponent(superflip)}`);
    await page.click("text=Solve >> nth=0");
    await searching(page, 10);
    await page.waitForFunction(() => /million nodes per second/.test(document.querySelector(".numbers")?.textContent ?? ""), null, { timeout: 30_000 });
    // One worker for quick answers.
    if (hasThreads) assert.equal(page.workers().length, THREADS + 1);
    await page.click("text=Stop");
    await page.waitForSelector("text=Stopped");
    // The one for quick answers, and another that looks for tables.
    await until(() => page.workers().length === 2, "all threads end");
    const proved = async () => Number(/fewer than (\d+)/.exec(await page.textContent(".status"))[1]);
    const bound = await proved();
    assert.ok(bound >= 10 && bound <= 20, `${bound}`);
    await page.click("text=Continue");
    await searching(page, bound - 1, 60_000);
    // Another position: the search of the first one is of no interest any more.
    await page.fill("#cube-text", "R U");
    await page.waitForFunction(() => document.querySelector(".search").textContent === "");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.deepEqual(await moves(page), ["U'", "R'"]);
  },

  async "a good solution is shown with both bounds, and played, while the search goes on"(made) {
    const superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    const page = await open(made, `cube?text=${encodeURIComponent(superflip)}`);
    await page.click("text=Solve >> nth=0");
    const bounds = async () => /^(Stopped: )?(\d+) moves; none has fewer than (\d+)(; still searching)?\.$/.exec(await page.textContent(".status"));
    await page.waitForSelector(".status:has-text('still searching')", { timeout: LONG });
    const [, , upper, lower] = await bounds();
    assert.ok(Number(lower) < Number(upper) && Number(lower) >= 10, `${lower}..${upper}`);
    const [start, solution] = [after(SOLVED, superflip), await moves(page)];
    assert.ok(solution.length <= Number(upper));
    assert.equal(after(start, solution.join(" ")), SOLVED);
    await page.click("[aria-label='To the end']");
    assert.equal(await net(page), SOLVED);
    assert.ok((await bounds())?.[4], "it is searching");
    await page.click("text=Stop");
    await page.waitForSelector("text=Stopped");
    const [, stopped, last] = await bounds();
    assert.ok(stopped && Number(last) <= Number(upper));
    assert.equal((await moves(page)).length, Number(last));
  },

  async "a search continues within the bound from its checkpoint"(made) {
    const board = "0.5.17.18.10.22.15.23.1.4.14.20.16.9.6.12.3.11.19.21.7.2.8.24.13";
    const page = await open(made, `tiles?rows=5&cols=5&tiles=${board}&heuristic=korf96`);
    await page.click("text=Solve >> nth=0");
    await searching(page);
    // Two checkpoints.
    await page.waitForTimeout(12_000);
    await page.click("text=Stop");
    await page.waitForSelector("text=Stopped");
    await page.evaluate(() => {
      globalThis.lines = [];
      new MutationObserver(() => lines.push(document.querySelector(".search [role=status]")?.textContent ?? ""))
        .observe(document.querySelector(".search"), { subtree: true, childList: true, characterData: true });
    });
    await page.click("text=Continue");
    await page.waitForFunction(() => globalThis.lines.some((line) => /^resuming with bound \d+, after [1-9]/.test(line)), null, { timeout: 30_000 });
    await page.click("text=Stop");
  },

  async "a twisted corner is shown at its corner"(made) {
    const page = await open(made, "cube");
    // The corner of U, R and F, turned clockwise: facelets 8, 9 and 20.
    const twisted = [...SOLVED];
    [twisted[8], twisted[9], twisted[20]] = ["F", "U", "R"];
    await page.fill("#cube-text", twisted.join(""));
    await page.waitForSelector(".faults li");
    assert.match(await page.textContent(".faults"), /A corner is twisted; the marked one fits\./);
    const wrong = () => page.locator(".net .sticker").evaluateAll((all) => all.flatMap((one, at) => (one.classList.contains("wrong") ? [at] : [])));
    assert.deepEqual(await wrong(), [8, 9, 20]);
    assert.ok(await page.isDisabled("text=Solve >> nth=0"));
    // Painted right again, sticker by sticker.
    for (const [at, colour] of [[8, "U"], [9, "R"], [20, "F"]]) {
      await page.click(`.palette label:has([value=${colour}])`);
      await page.locator(".net .sticker").nth(at).click();
    }
    await page.waitForSelector(".faults li", { state: "detached" });
    assert.deepEqual(await wrong(), []);
    assert.equal(await page.inputValue("#cube-text"), SOLVED);
  },

  async "the keyboard alone paints, solves and plays"(made) {
    const page = await open(made, "cube?text=R");
    await page.waitForSelector(".unfolded:not([inert])");
    await focusOn(page, ".net .sticker");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("b");
    await page.waitForSelector(".faults li");
    await page.keyboard.press("f");
    await page.waitForSelector(".faults li", { state: "detached" });
    await focusOn(page, "#cube-text");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("F U");
    await focusOn(page, "button.primary");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.deepEqual(await moves(page), ["U'", "F'"]);
    await focusOn(page, "[aria-label='To the end']");
    await page.keyboard.press("Enter");
    assert.equal(await page.textContent(".place"), "2 / 2");
  },

  async "all solutions are listed, and longer ones"(made) {
    const page = await open(made, "cube?text=R2+L2+U2+D2+F2+B2&want=1");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".all", { timeout: LONG });
    const lines = await page.locator(".all .line").allTextContents();
    const solutions = lines.map((line) => line.slice(1).trim());
    const start = after(SOLVED, "R2 L2 U2 D2 F2 B2");
    for (const solution of solutions) assert.equal(after(start, solution), SOLVED, solution);
    assert.deepEqual(lines.map((line) => Number(line[0])), solutions.map((solution) => solution.split(" ").length));
    assert.equal(new Set(solutions).size, solutions.length);
    // As many as the native program lists.
    assert.equal(solutions.length, 6);
  },

  async "a cube is painted from an empty one, without faults until all stickers have a colour"(made) {
    const page = await open(made, "cube");
    await page.waitForSelector(".unfolded:not([inert])");
    await page.click(".palette label:has([value=R])");
    for (const at of [0, 1, 2]) await page.locator(".net .sticker").nth(at).click();
    await page.waitForSelector("text=45 stickers have no colour yet");
    assert.equal(await page.locator(".faults li").count(), 0);
    assert.equal(await page.locator(".net .sticker.wrong").count(), 0);
    assert.ok(await page.isDisabled("text=Solve >> nth=0"));
    await page.fill("#cube-text", after(SOLVED, "R U").replace(/^./, "."));
    await page.waitForSelector("text=1 stickers have no colour yet");
    await page.fill("#cube-text", after(SOLVED, "R U"));
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "2");
  },

  async "a random cube is a scramble for the hand, and a list of scrambles is offered"(made) {
    const page = await open(made, "cube");
    await page.click("text=Random");
    assert.match(await page.inputValue("#cube-text"), /^([URFDLB][2']? ?){25}$/);
    await page.waitForSelector(".faults li", { state: "detached" });
    const session = "Generated By csTimer on 2026-11-27\nsolves/total: 2/2\n\n1. 12.34   R U R'   @2026-11-27 10:00:00\n2. 10.01   F2 D   @2026-11-27 10:01:00";
    await page.fill("#cube-text", session);
    await page.waitForSelector("text=2 scrambles: choose one");
    assert.equal(await page.locator(".faults li").count(), 0);
    await page.click("text=F2 D >> nth=-1");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.deepEqual(await moves(page), ["D'", "F2"]);
  },

  async "on a phone the input comes first, the answer is in view, and the cube stays above the player"() {
    const made = await context({ viewport: { width: 390, height: 844 } });
    const page = await open(made, `cube?text=${encodeURIComponent("R U F2 L D'")}`);
    const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
    assert.ok((await top("button.primary")) < 500);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    await page.waitForTimeout(500);
    assert.ok((await top(".length")) < 844, "the answer is in view");
    await page.locator("[aria-label='Play']").scrollIntoViewIfNeeded();
    const cube = await top(".stage");
    assert.ok(cube >= 0 && cube < 300, `the cube is at ${cube}`);
    await made.close();
  },

  async "on a phone the input and the answer of tiles and towers come before the board, which is in view when it plays"() {
    const made = await context({ viewport: { width: 390, height: 844 } });
    for (const [hash, stage] of [["tiles?rows=3&cols=3&tiles=8.6.7.2.5.4.3.0.1", ".tiles"], ["hanoi?discs=8", ".towers"]]) {
      const page = await open(made, hash);
      const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
      assert.ok((await top("button.primary")) < 500, hash);
      assert.ok((await top("button.primary")) < (await top(stage)), `${hash}: the input comes first`);
      await page.click("text=Solve >> nth=0");
      await page.waitForSelector(".length", { timeout: LONG });
      await page.waitForSelector("[aria-label='Play']");
      await page.waitForTimeout(500);
      assert.ok((await top(".length")) >= 0 && (await top(".length")) < 844, `${hash}: the answer is in view`);
      assert.ok((await top("[aria-label='Play']")) < (await top(stage)), `${hash}: the answer comes before the board`);
      await page.click("[aria-label='One move forward']");
      await page.waitForFunction(() => document.querySelector(".place").textContent.startsWith("1 /"));
      const { y, height } = await page.locator(stage).first().boundingBox();
      assert.ok(y >= 0 && y + height <= 845, `${hash}: the board is from ${y} to ${y + height}`);
      const play = await page.locator("[aria-label='Play']").boundingBox();
      assert.ok(play.y >= 0 && play.y + play.height <= 844, `${hash}: Play is at ${play.y}`);
      await page.close();
    }
    await made.close();
  },

  async "the report has the colours that were chosen"() {
    const made = await context({ colorScheme: "dark" });
    const page = await open(made, "report");
    const colour = () => page.frameLocator("iframe").locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    await page.frameLocator("iframe").locator("h1").first().waitFor();
    const dark = await colour();
    await page.click("#theme");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    assert.notEqual(await colour(), dark);
    await made.close();
  },

  ...asked({ open, moves, net }),

  async "tiles are slid, explained and solved"(made) {
    const page = await open(made, "tiles?rows=3&cols=3&tiles=8.6.7.2.5.4.3.0.1");
    await page.waitForSelector(".part");
    const parts = (await page.locator(".part b").allTextContents()).map(Number);
    const least = Number(/\d+/.exec(await page.textContent(".parts h2"))[0]);
    assert.equal(parts.reduce((sum, part) => sum + part, 0), least);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    // One of the two boards that are 31 moves from the goal, the most of all.
    assert.equal(await page.textContent(".length strong"), "31");
    let board = [8, 6, 7, 2, 5, 4, 3, 0, 1];
    for (const tile of (await moves(page)).map(Number)) {
      const [from, to] = [board.indexOf(tile), board.indexOf(0)];
      const far = Math.abs((from % 3) - (to % 3)) + Math.abs(Math.floor(from / 3) - Math.floor(to / 3));
      assert.equal(far, 1, `tile ${tile} is beside the blank`);
      [board[from], board[to]] = [0, tile];
    }
    assert.deepEqual(board, [1, 2, 3, 4, 5, 6, 7, 8, 0]);
    await page.fill("#tiles-text", "1 2 3 4 5 6 8 7 0");
    await page.waitForSelector("text=unsolvable");
    await page.fill("#tiles-text", "1 2 3 4 5 6 7 8 0");
    await page.waitForSelector("text=unsolvable", { state: "detached" });
    await page.focus(".tiles");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.inputValue("#tiles-text"), "1 2 3 4 5 0 7 8 6");
    assert.match(page.url(), /tiles=1\.2\.3\.4\.5\.0\.7\.8\.6/);
  },

  async "large boards have a solution with both bounds"(made) {
    const page = await open(made, "tiles?rows=7&cols=7");
    await page.click("text=Random");
    await page.waitForFunction(() => location.hash.includes("tiles=") && !location.hash.includes("tiles=1.2.3.4.5.6.7."));
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".status:has-text('still searching')", { timeout: LONG });
    await page.click("text=Stop");
    await page.waitForSelector("text=Stopped");
    const [, upper, lower] = /^Stopped: (\d+) moves; none has fewer than (\d+)\.$/.exec(await page.textContent(".status"));
    assert.ok(Number(lower) > 100 && Number(lower) < Number(upper), `${lower}..${upper}`);
    const board = (await page.inputValue("#tiles-text")).split(" ").map(Number);
    const slid = (await moves(page)).map(Number);
    assert.equal(slid.length, Number(upper));
    for (const tile of slid) {
      const [from, to] = [board.indexOf(tile), board.indexOf(0)];
      assert.equal(Math.abs((from % 7) - (to % 7)) + Math.abs(Math.floor(from / 7) - Math.floor(to / 7)), 1, `tile ${tile}`);
      [board[from], board[to]] = [0, tile];
    }
    assert.deepEqual(board, [...Array(49).keys()].map((cell) => (cell + 1) % 49));
    // The first good solution alone.
    await page.selectOption(".field:has-text('Solution') select", "quick");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".status:has-text('none has fewer than')", { timeout: LONG });
    await page.waitForSelector("button:has-text('Stop')", { state: "detached", timeout: LONG });
    assert.match(await page.textContent(".status"), /^\d+ moves; none has fewer than \d+\.$/);
    assert.match(page.url(), /want=quick/);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  },

  async "several tiles slide as one move"(made) {
    const page = await open(made, "tiles?rows=3&cols=3&tiles=1.2.3.0.4.5.7.8.6&metric=multi");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "2");
    assert.deepEqual(await moves(page), ["5", "6"]);
    await page.click("[aria-label='To the end']");
    await page.selectOption(".field:has-text('A move slides') select", "single");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length strong:text-is('3')", { timeout: LONG });
    // A board that is too large for the metric.
    await page.goto(`${site.address}#tiles?rows=6&cols=6&metric=multi`);
    await page.waitForSelector(".faults:has-text('at most 5 rows and columns')");
  },

  async "a hint is the first move of a shortest solution"(made) {
    for (const [hash, length, move] of [
      [`cube?text=${encodeURIComponent("R U F2")}`, "3", "F2"],
      ["tiles?rows=3&cols=3&tiles=1.2.3.0.4.5.7.8.6", "3", "4"],
      ["hanoi?discs=1", "1", "1 0→3"],
      [`puzzle?puzzle=2x2x2&text=${encodeURIComponent("R U")}`, "2", undefined],
    ]) {
      const page = await open(made, hash);
      await page.click("button:text-is('Hint'):not([disabled])");
      await page.waitForSelector(".length", { timeout: LONG });
      assert.equal(await page.textContent(".length strong"), length, hash);
      if (move) assert.deepEqual(await moves(page), [move], hash);
      else assert.match(await page.textContent(".solutions .word"), /^\S+$/);
    }
  },

  async "towers are solved, played and counted"(made) {
    const page = await open(made, "hanoi?discs=8");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "33");
    const pegs = Array.from({ length: 4 }, () => []);
    pegs[0] = [8, 7, 6, 5, 4, 3, 2, 1];
    for (const move of await moves(page)) {
      const [disc, from, to] = /^(\d+) (\d)→(\d)$/.exec(move).slice(1).map(Number);
      assert.equal(pegs[from].pop(), disc);
      assert.ok((pegs[to].at(-1) ?? 99) > disc);
      pegs[to].push(disc);
    }
    assert.deepEqual(pegs[3], [8, 7, 6, 5, 4, 3, 2, 1]);
    await page.click("text=Count them");
    await page.waitForSelector(".plot svg", { timeout: LONG });
    assert.match(await page.textContent(".plot .proof"), /^65,536 states, at most 33 moves away/);
    await page.fill("#hanoi-from", "0123");
    await page.waitForSelector("text=has 4 discs, not 8");
  },

  async "no view scrolls sideways on a phone, in light and dark, or has serious faults of access"() {
    const hashes = [`cube?text=${encodeURIComponent(SCRAMBLE)}`, "tiles?rows=5&cols=5", "hanoi?discs=13", `fewest?text=${encodeURIComponent("R U F")}`, `puzzle?puzzle=skewb&text=${encodeURIComponent("R U B")}`, "report"];
    // One browser, so that a table is built once.
    const made = await context();
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [390, 1280]) {
        for (const hash of hashes) {
          const page = await made.newPage();
          await page.setViewportSize({ width, height: 844 });
          await page.emulateMedia({ colorScheme });
          await page.goto(`${site.address}#${hash}`);
          await page.waitForTimeout(400);
          if (hash === "tiles?rows=5&cols=5" || /^(hanoi|puzzle)/.test(hash)) {
            await page.click("text=Solve >> nth=0");
            await page.waitForSelector(".length", { timeout: LONG });
          }
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${hash} at ${width}: ${wide} pixels too wide`);
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => axe.run(document, { iframes: false }));
          const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
          const lines = serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" | ")}`);
          assert.deepEqual(lines, [], `${hash} at ${width} in ${colorScheme}`);
          if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${hash.split("?")[0]}-${width}-${colorScheme}.png`), fullPage: true });
          await page.close();
        }
      }
    }
    await made.close();
  },

  async "without room for tables it solves all the same"() {
    const refuse = "StorageManager.prototype.getDirectory = async () => { throw new DOMException('no', 'QuotaExceededError'); };";
    const { page, close } = await prepared(refuse, "tiles?rows=3&cols=3&tiles=8.6.7.2.5.4.3.0.1");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "31");
    await close();
  },

  async "threads prove what one thread does, and the page says how many there are"(made) {
    const hash = `cube?text=${encodeURIComponent(SCRAMBLE)}`;
    const found = async (page) => {
      await page.click("text=Solve >> nth=0");
      await page.waitForSelector(".length", { timeout: LONG });
      return { bounds: await bounds(page), solution: await moves(page) };
    };
    const blocked = await context({ serviceWorkers: "block" });
    const alone = await open(blocked, hash);
    const why = hasThreads ? "reload the page to use all cores" : "the solvers were built without threads";
    await alone.waitForSelector(`#threads:text-is("Searches run on one thread: ${why}.")`);
    const one = await found(alone);
    assert.equal(alone.workers().length, 2);
    await blocked.close();
    assert.ok(one.bounds.length >= 3 && one.solution.length === 13, JSON.stringify(one));
    if (!hasThreads) return;
    const page = await open(made, hash);
    assert.equal(await threads(page), `Searches run on ${THREADS} threads.`);
    assert.deepEqual(await found(page), one);
    assert.equal(page.workers().length, THREADS + 1);
  },

  async "where the browser refuses shared memory, one thread searches"() {
    if (!hasThreads) return;
    const refuse = "const Whole = WebAssembly.Memory; WebAssembly.Memory = function (size) { if (size.shared) throw new RangeError('could not allocate memory'); return new Whole(size); };";
    const { page, close } = await prepared(refuse, "tiles?rows=3&cols=3&tiles=8.6.7.2.5.4.3.0.1");
    assert.match(await threads(page), /threads/);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "31");
    assert.equal(await threads(page), "Searches run on one thread: RangeError: could not allocate memory.");
    await close();
  },

  async "without memory for a table the search uses a smaller one, and says so"() {
    if (!hasThreads) return;
    // Enough for the smallest table and what builds it, but not for the next one of 119 MB. 64-bit addresses take more.
    const limit = "const Whole = WebAssembly.Memory; WebAssembly.Memory = function (size) { return new Whole({ ...size, maximum: size.address ? 2400n : 1600 }); };";
    for (const [table, size] of [["square-2", 119], ["square-8", 7584]]) {
      const { page, close } = await prepared(limit, `cube?table=${table}&text=${encodeURIComponent("R U F2 L")}`);
      await page.click("text=Solve >> nth=0");
      await page.waitForSelector(".length", { timeout: LONG });
      assert.equal(await page.textContent(".length strong"), "4");
      await page.waitForSelector(`text=Not enough memory for the ${size} MB table: the 30 MB table was used.`);
      assert.match(await page.textContent(".search summary"), /heuristic square-0$/);
      await close();
    }
  },

  ...fewest({ open, context, focusOn }),
  ...puzzles({ open, context, searching }),

  ...largest({ bounds, moves, hasThreads, folder, executablePath }),

  async "the page works off line, and isolated from other origins"(made) {
    const page = await open(made, "hanoi?discs=6");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    assert.ok(await page.evaluate(() => crossOriginIsolated), "the service worker sets the headers");
    await made.setOffline(true);
    await page.reload();
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "17");
    await page.click("nav >> text=Report");
    await page.frameLocator("iframe").locator("h1").first().waitFor();
    await made.setOffline(false);
  },

  async "the solvers with 64-bit addresses are kept for use off line once a table needs them"(made) {
    if (!hasThreads) return;
    const page = await open(made, `cube?text=${encodeURIComponent("R U F2 L")}`);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    await page.waitForSelector("option:text-is('7.6 GB table (with 16 GB of memory or more)')", { state: "attached" });
    const file = readdirSync(join(folder, "assets")).find((name) => name.includes("wasm64"));
    const isKept = () => page.evaluate(async (file) => Boolean(await caches.match(`./assets/${file}`)), file);
    assert.equal(await isKept(), false);
    // As the worker loads them.
    const load = () => page.evaluate(async (file) => (await (await fetch(`./assets/${file}`)).arrayBuffer()).byteLength, file);
    const length = await load();
    assert.equal(length, statSync(join(folder, "assets", file)).size);
    assert.equal(await isKept(), true);
    await made.setOffline(true);
    assert.equal(await load(), length);
    await made.setOffline(false);
  },
};

const only = process.argv[2];
const shared = await context();
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  const begun = performance.now();
  said.length = 0;
  try {
    await test(shared);
    assert.deepEqual(said, [], "the console");
    console.log(`ok   ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
  await Promise.all(shared.pages().map((page) => page.close()));
}
await browser.close();
site.close();
if (failed > 0) {
  console.log(`${failed} failed`);
  process.exit(1);
}
