// Tests of the tab "Fewest moves". page.mjs runs them.
import assert from "node:assert/strict";
import { SOLVED, after } from "./cube.mjs";

const LONG = 180_000;
const SCRAMBLE = "R U F2 L' B D'";

const inverse = (moves) => moves.split(" ").filter(Boolean).reverse()
  .map((move) => (move.endsWith("2") ? move : move.endsWith("'") ? move[0] : `${move}'`)).join(" ");

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

  async "the keyboard alone builds a solution on a phone"() {
    const made = await context({ viewport: { width: 390, height: 844 } });
    const page = await open(made, "fewest");
    await focusOn(page, "#fewest-text");
    await page.keyboard.type("F R U");
    await page.waitForSelector("button:text-is('Finish'):not([disabled])");
    await focusOn(page, "[title='The solved cube']");
    await page.keyboard.press("Enter");
    await candidates(page, "inverse");
    // The input comes first, then the answer, then the cube.
    const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
    assert.ok((await top("#fewest-text")) < (await top("#fewest-scramble")));
    assert.ok((await top("#fewest-scramble")) < (await top(".stage")));
    await focusOn(page, "#fewest-scramble .line");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".total:has-text('Solution of 3 moves')");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    await made.close();
  },
});
