// Tests of the tab "Fewest moves". page.mjs runs them.
import assert from "node:assert/strict";
import { SOLVED, after, isFloppy } from "./cube.mjs";

const LONG = 180_000;
const SCRAMBLE = "R U F2 L' B D'";

const inverse = (moves) => moves.split(" ").filter(Boolean).reverse()
  .map((move) => (move.endsWith("2") ? move : move.endsWith("'") ? move[0] : `${move}'`)).join(" ");

// Solutions of nine moves, in which moves are missing that cycle three corners, once or twice, or swap two corners and two
// edges. The skeleton without them is
// typed with its last moves on the inverse.
const [P, Q, R] = ["R2 U' F", "D L2 B'", "U2 R F'"];
const CYCLES = ["R U' L' U R' U' L U", "D' F' U F D F' U' F"];
const SWAPS = "U R U2 B2 D L D' B2 U R'";
const OF_FOUR = inverse([P, SWAPS, Q, R].join(" "));
const OF_THREE = inverse([P, CYCLES[0], Q, R].join(" "));
const OF_FIVE = inverse([P, CYCLES[0], Q, CYCLES[1], R].join(" "));
const TYPED = `${P} D (${inverse(`L2 B' ${R}`)})`;

/** The lines of the best solutions by insertions. */
const insertions = async (page) => {
  await page.click("button:text-is('Insert')");
  await page.waitForSelector("#fewest-solved .line", { timeout: LONG });
  return page.locator("#fewest-solved .line").allTextContents();
};

/** The candidates on one side, once both sides are searched. */
const candidates = async (page, side) => {
  await page.waitForSelector("#fewest-scramble", { timeout: LONG });
  await page.waitForSelector("#fewest-inverse", { timeout: LONG });
  return (await page.locator(`#fewest-${side} .line`).allTextContents()).map((line) => line.split("  "));
};

/** The tests; `open` opens a page, `context` is a browser with nothing stored, `focusOn` presses Tab. */
export const fewest = ({ open, context, focusOn }) => ({
  async "a solution is built by steps on both sides, and stays in the address"(made) {
    const page = await open(made, `fewest?text=${encodeURIComponent(SCRAMBLE)}`);
    await page.click("button:text-is('EO')");
    const [onScramble, onInverse] = [await candidates(page, "scramble"), await candidates(page, "inverse")];
    for (const list of [onScramble, onInverse]) {
      assert.ok(list.length > 0);
      assert.equal(new Set(list.map(([length]) => length)).size, 1, "all candidates are shortest");
    }
    assert.deepEqual([onScramble[0][0], onInverse[0][0]], ["2", "4"]);
    const [, eo] = onInverse[0];
    await page.click("#fewest-inverse .line >> nth=0");
    assert.equal(await page.textContent(".steps li b"), "EO");
    assert.match(await page.textContent(".total"), /^Skeleton of \d+ moves?, to be continued\.$/);
    await page.click("button:text-is('Finish')");
    const [, finish] = (await candidates(page, "scramble"))[0];
    await page.click("#fewest-scramble .line >> nth=0");
    await page.waitForSelector(".total:has-text('Solution of')");
    const [, length, solution] = /^Solution of (\d+) moves: (.*)$/.exec(await page.textContent(".total"));
    assert.equal(solution.split(" ").length, Number(length));
    assert.equal(after(after(SOLVED, SCRAMBLE), solution), SOLVED);
    assert.equal(after(after(SOLVED, SCRAMBLE), `${finish} ${inverse(eo)}`), SOLVED);
    // Both sides are played.
    assert.deepEqual(await page.locator(".moves .move").allTextContents(), finish.split(" "));
    await page.selectOption(".field:has-text('Show') select", "inverse");
    await page.waitForFunction((moves) => [...document.querySelectorAll(".moves .move")].map((one) => one.textContent).join(" ") === moves, eo);
    await page.reload();
    await page.waitForSelector(".total:has-text('Solution of')");
    assert.equal(await page.locator(".steps li").count(), 2);
    await page.click("text=Prove the optimum");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "6");
    await page.click("[aria-label='Remove step 1']");
    await page.waitForSelector(".steps li", { state: "detached" });
    await page.fill("#fewest-text", SOLVED.replace("U", "R"));
    await page.waitForSelector(".faults li");
    assert.ok(await page.isDisabled("button:text-is('EO')"));
    await page.close();
  },

  async "insertions complete a skeleton, on both sides"(made) {
    const page = await open(made, `fewest?text=${encodeURIComponent(OF_FIVE)}`);
    await page.fill("#fewest-own", "R2 U' (F Q");
    await page.click("button:text-is('Add')");
    await page.waitForSelector(".faults li");
    await page.fill("#fewest-own", TYPED);
    await page.click("button:text-is('Add')");
    await page.waitForSelector(".total:has-text('Skeleton of 9 moves')");
    assert.deepEqual(await page.locator(".steps b").allTextContents(), ["Moves", "Moves"]);
    const lines = await insertions(page);
    assert.match(await page.textContent(".candidates .status"), /leaves 5 corners unsolved/);
    const lengths = lines.map((line) => Number(line.split(" ")[0]));
    assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b));
    assert.ok(lengths[0] <= 9 + 8 + 8 && lines[0].includes("; then after "), lines[0]);
    assert.ok(lines.some((line) => /\[.*, .*\]/.test(line)), "commutators are named");
    // A single insertion leaves three corners, which the next one solves.
    const steps = await page.locator("#fewest-steps .line").allTextContents();
    assert.ok(steps[0].endsWith("; leaves 3 corners"), steps[0]);
    await page.click("#fewest-steps .line >> nth=0");
    await page.waitForSelector(".steps li >> nth=2");
    const [last] = await insertions(page);
    assert.ok(!last.includes("; then ") || Number(last.split(" ")[0]) >= lengths[0], last);
    // Both at once.
    await page.click("[aria-label='Remove step 3']");
    await page.waitForSelector(".steps li >> nth=2", { state: "detached" });
    await insertions(page);
    await page.click("#fewest-solved .line >> nth=0");
    await page.waitForSelector(".total:has-text('Solution of')");
    const [, length, solution] = /^Solution of (\d+) moves: (.*)$/.exec(await page.textContent(".total"));
    assert.equal(Number(length), lengths[0]);
    assert.equal(after(after(SOLVED, OF_FIVE), solution), SOLVED);
    const side = async (name) => {
      await page.selectOption(".field:has-text('Show') select", name);
      await page.waitForFunction((name) => new URLSearchParams(location.hash.split("?")[1]).get("show") === (name === "inverse" ? name : null), name);
      await page.waitForTimeout(200);
      return (await page.locator(".moves .move").allTextContents()).join(" ");
    };
    const sides = [await side("scramble"), await side("inverse")];
    assert.equal(after(after(SOLVED, OF_FIVE), `${sides[0]} ${inverse(sides[1])}`), SOLVED, sides.join(" | "));
    await page.reload();
    await page.waitForSelector(".total:has-text('Solution of')");
    assert.equal(await page.locator(".steps li").count(), 4);
    assert.equal((await page.locator(".moves .move").allTextContents()).join(" "), sides[1]);
    // A cube without a skeleton has too many unsolved pieces.
    await page.click("[aria-label='Remove step 1']");
    await page.click("button:text-is('Insert')");
    await page.waitForSelector(".candidates .fault:has-text('at most 8')", { timeout: LONG });
    await page.close();
  },

  async "one insertion solves corners and edges, into moves on both sides"(made) {
    const page = await open(made, `fewest?text=${encodeURIComponent(OF_FOUR)}`);
    await page.fill("#fewest-own", TYPED);
    await page.click("button:text-is('Add')");
    await page.waitForSelector(".total:has-text('Skeleton of 9 moves')");
    const [best] = await insertions(page);
    assert.match(await page.textContent(".candidates .status"), /leaves 2 corners and 2 edges unsolved/);
    assert.ok(Number(best.split(" ")[0]) <= 9 + 10, best);
    await page.click("#fewest-solved .line >> nth=0");
    await page.waitForSelector(".total:has-text('Solution of')");
    const [, solution] = /^Solution of \d+ moves: (.*)$/.exec(await page.textContent(".total"));
    assert.equal(after(after(SOLVED, OF_FOUR), solution), SOLVED);
  },

  async "half turns are reduced to a floppy cube, on both sides"(made) {
    const scramble = "U2 R2 F2 D2 L2 U2";
    const page = await open(made, `fewest?text=${encodeURIComponent(scramble)}`);
    await page.click("button:text-is('FR')");
    for (const [side, start] of [["scramble", scramble], ["inverse", inverse(scramble)]]) {
      const list = await candidates(page, side);
      assert.ok(list.length > 0 && !isFloppy(after(SOLVED, start)));
      for (const [length, moves] of list) {
        assert.equal(moves.split(" ").length, Number(length));
        assert.ok(isFloppy(after(after(SOLVED, start), moves)), `${side}: ${moves}`);
      }
    }
    const [, moves] = (await candidates(page, "scramble"))[0];
    await page.click("#fewest-scramble .line >> nth=0");
    assert.equal(await page.textContent(".steps li b"), "FR");
    assert.match(page.url(), new RegExp(`steps=FR\\.scramble\\.${moves.split(" ")[0]}`));
  },

  async "the keyboard alone builds a solution, and the results are in view, on a screen and on a phone"() {
    for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
      const made = await context({ viewport });
      const page = await open(made, "fewest");
      const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
      const isInView = async (selector) => {
        await page.waitForTimeout(300);
        const { y, height } = await page.locator(selector).first().boundingBox();
        assert.ok(y >= 0 && y + Math.min(height, 60) <= viewport.height, `${selector} is at ${y} of ${viewport.height}`);
      };
      const press = async (selector) => {
        await focusOn(page, selector);
        await page.keyboard.press("Enter");
      };
      await focusOn(page, "#fewest-text");
      await page.keyboard.type("F R U");
      await page.waitForSelector("button:text-is('Finish'):not([disabled])");
      await press("[title='The solved cube']");
      await candidates(page, "inverse");
      if (viewport.width < 500) {
        // The input comes first, then the answer, then the cube.
        assert.ok((await top("#fewest-text")) < (await top("#fewest-scramble")));
        assert.ok((await top("#fewest-scramble")) < (await top(".stage")));
      }
      await isInView("#fewest-scramble .line");
      await press("#fewest-scramble .line");
      await page.waitForSelector(".total:has-text('Solution of 3 moves')");
      await isInView(".total");
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      // Three corners are left, and inserted.
      await focusOn(page, "#fewest-text");
      await page.keyboard.press("Control+a");
      await page.keyboard.type(OF_THREE);
      await page.waitForSelector(".steps li", { state: "detached" });
      await focusOn(page, "#fewest-own");
      await page.keyboard.type(TYPED);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".total:has-text('Skeleton of 9 moves')");
      await press("[title^='The best insertions']");
      await page.waitForSelector("#fewest-solved .line", { timeout: LONG });
      await isInView("#fewest-solved .line");
      await press("#fewest-solved .line");
      await page.waitForSelector(".total:has-text('Solution of')");
      await isInView(".total");
      const [, solution] = /^Solution of \d+ moves: (.*)$/.exec(await page.textContent(".total"));
      assert.equal(after(after(SOLVED, OF_THREE), solution), SOLVED);
      await press("[aria-label='To the end']");
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      await made.close();
    }
  },
});
