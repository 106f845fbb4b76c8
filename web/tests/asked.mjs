// Tests of what else can be asked of a cube: chosen moves, goals, moves that are fixed. page.mjs runs them.
import assert from "node:assert/strict";
import { SOLVED, after, crossDistance, hasCross, isFloppy, looksSolved } from "./cube.mjs";

const LONG = 180_000;

/** The tests; `open` opens a page, `moves` and `net` read one. */
export const asked = ({ open, moves, net }) => ({
  async "chosen moves alone solve, and slices are played"(made) {
    const page = await open(made, `cube?text=${encodeURIComponent("U R F R' U2 F2")}`);
    assert.equal(await page.locator(".more").getAttribute("open"), null);
    await page.click(".more summary");
    await page.fill("#cube-moves", "U R F");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    const chosen = await moves(page);
    assert.ok(chosen.length <= 6 && chosen.every((move) => /^[URF][2']?$/.test(move)), chosen.join(" "));
    assert.equal(after(after(SOLVED, "U R F R' U2 F2"), chosen.join(" ")), SOLVED);
    assert.match(page.url(), /moves=U\+R\+F/);
    // The address brings it back.
    await page.reload();
    assert.equal(await page.inputValue("#cube-moves"), "U R F");
    await page.fill("#cube-moves", "U R");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector("text=The moves U R do not solve this cube");
    await page.fill("#cube-moves", "M E S");
    await page.fill("#cube-text", "M E2 S'");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    const slices = await moves(page);
    assert.ok(slices.every((move) => /^[MES][2']?$/.test(move)), slices.join(" "));
    // The page turns a cube that slices leave turned, so that its centres are at home.
    const start = await net(page);
    assert.ok(looksSolved(after(start, slices.join(" "))), slices.join(" "));
    await page.click("[aria-label='To the end']");
    assert.equal(await net(page), after(start, slices.join(" ")));
  },

  async "a goal by its name is solved, and the address has it"(made) {
    const text = "R F D' L2 U";
    const page = await open(made, `cube?text=${encodeURIComponent(text)}&goal=cross`);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    const start = after(SOLVED, text);
    const cross = await moves(page);
    assert.ok(hasCross(after(start, cross.join(" "))), cross.join(" "));
    assert.equal(cross.length, crossDistance(start));
    await page.selectOption(".more select >> nth=0", "eoline");
    await page.waitForFunction(() => location.hash.includes("goal=eoline"));
    await page.fill("#cube-text", "R F U D");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.deepEqual(await moves(page), ["U'", "D'", "F'"]);
  },

  async "half turns alone lead to the floppy reduction"(made) {
    const text = "U2 R2 F2 D2 L2 U2";
    const page = await open(made, `cube?text=${encodeURIComponent(text)}&goal=fr&bottom=any`);
    assert.equal(await page.inputValue(".more select >> nth=0"), "fr");
    await page.fill("#cube-moves", "U2 D2 R2 L2 F2 B2");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    const found = await moves(page);
    // As the command line answers, whose documentation has this cube.
    assert.equal(found.length, 4);
    assert.ok(found.every((move) => /^[URFDLB]2$/.test(move)), found.join(" "));
    assert.ok(isFloppy(after(after(SOLVED, text), found.join(" "))), found.join(" "));
    assert.ok(!isFloppy(after(SOLVED, text)));
  },

  async "moves are fixed at the ends, and what cannot be is said in words"(made) {
    const page = await open(made, `cube?text=${encodeURIComponent("F' L' D2 U' R'")}&pre=R+U&post=F`);
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal((await moves(page)).join(" "), "R U D2 L F");
    await page.fill("#cube-post", "");
    await page.fill("#cube-pre", "R U (F')");
    await page.fill("#cube-niss", "1");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".sides", { timeout: LONG });
    assert.equal(await page.textContent(".sides"), "R U D2 L (F')");
    await page.fill("#cube-pre", "R (U");
    await page.fill("#cube-moves", "U Q");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector(".search .fault", { timeout: LONG });
    const faults = await page.locator(".search .fault").allTextContents();
    assert.ok(faults.some((fault) => fault.startsWith("First moves: ")) && faults.some((fault) => fault.startsWith("Moves: ")), faults.join("; "));
  },
});
