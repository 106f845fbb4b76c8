// Tests of the tab "Any puzzle". page.mjs runs them.
import assert from "node:assert/strict";

const LONG = 180_000;
const TWS = `Name Ring
Set PIECES 5 1
Solved
PIECES
1 2 3 4 5
End
Move R
PIECES
2 3 4 5 1
End
Move S
PIECES
2 1 3 4 5
End
`;

const solve = async (page) => {
  await page.click("text=Solve >> nth=0");
  await page.waitForSelector(".length", { timeout: LONG });
  return page.textContent(".length strong");
};

/** The tests; `open` opens a page, `context` is a browser with nothing stored, `searching` waits for a bound. */
export const puzzles = ({ open, context, searching }) => ({
  async "a built-in puzzle is chosen, solved with its proof, and kept in the address"(made) {
    const page = await open(made, "puzzle");
    await page.waitForSelector(".about b");
    assert.equal(await page.inputValue("#puzzle-name"), "2x2x2");
    await page.fill("#puzzle-text", "R U R' F2");
    await page.waitForSelector("text=3,674,160 positions");
    assert.equal(await solve(page), "4");
    assert.equal(await page.textContent(".solutions .word"), "F2 R U' R'");
    assert.equal(await page.textContent(".proof"), "Proved shortest: every way takes at least 4 moves, by the heuristic alone.");
    assert.match(await page.textContent(".search summary"), /heuristic near positions$/);
    assert.match(page.url(), /puzzle=2x2x2&text=R\+U/);
    await page.click("text=The state as a KPuzzle pattern");
    await page.waitForSelector(".word >> text=CORNERS");
    await page.reload();
    assert.equal(await page.inputValue("#puzzle-text"), "R U R' F2");
    assert.equal(await solve(page), "4");
    await page.getByLabel("Built-in puzzle").selectOption("skewb");
    await page.waitForSelector("text=3,149,280 positions");
    assert.equal(await page.inputValue("#puzzle-text"), "");
    await page.click("text=Random");
    await page.waitForSelector("text=equally likely");
    assert.ok(Number(await solve(page)) <= 11);
    await page.getByLabel("Solutions").selectOption("0");
    await page.fill("#puzzle-text", "R U R");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".length", { timeout: LONG });
    assert.equal(await page.textContent(".length strong"), "3");
    await page.click("text=Another goal than the solved state");
    await page.fill("#puzzle-goal", "R U");
    assert.equal(await solve(page), "1");
    assert.match(page.url(), /goal=R\+U/);
  },

  async "a dropped definition is solved with the moves that are chosen"(made) {
    const page = await open(made, "puzzle");
    await page.waitForSelector(".about b");
    await page.click("text=A puzzle of your own");
    await page.setInputFiles("#puzzle-file", { name: "ring.tws", mimeType: "text/plain", buffer: Buffer.from(TWS) });
    await page.waitForSelector(".about b >> text=Ring");
    assert.equal(await page.inputValue("#puzzle-definition"), TWS);
    await page.fill("#puzzle-text", "R2 S");
    assert.equal(await solve(page), "2");
    await page.click("text=Which moves count");
    await page.getByLabel("Metric").selectOption("generators");
    assert.equal(await solve(page), "4");
    assert.match(page.url(), /definition=Name\+Ring.*metric=generators/);
    await page.reload();
    assert.equal(await solve(page), "4");
    await page.fill("#puzzle-moves", "S");
    await page.click("text=Solve >> nth=0");
    await page.waitForSelector("text=No solution: the moves that count do not lead");
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["a := (1,2,3);"], "cycle.g"));
      return data;
    });
    await page.dispatchEvent(".view", "drop", { dataTransfer: dropped });
    await page.fill("#puzzle-moves", "");
    await page.waitForSelector("text=3 positions; order of the group: 3 = 3");
  },

  async "faults of a puzzle, its moves and its state are shown, and nothing is searched"(made) {
    const page = await open(made, "puzzle?puzzle=5x6");
    await page.waitForSelector('.faults >> text=Puzzle: "5x6" is no built-in puzzle');
    assert.ok(await page.isDisabled("text=Solve >> nth=0"));
    await page.fill("#puzzle-name", "pyraminx");
    await page.fill("#puzzle-text", "U Q");
    await page.waitForSelector(".faults >> text=State: ");
    await page.fill("#puzzle-text", "U");
    await page.click("text=Which moves count");
    await page.fill("#puzzle-moves", "X");
    await page.waitForSelector(".faults >> text=Choice of moves: ");
    await page.fill("#puzzle-moves", "");
    await page.waitForSelector(".faults:empty", { state: "attached" });
    assert.equal(await solve(page), "1");
  },

  async "positions are counted to the end and to a depth, and a count is stopped"(made) {
    const page = await open(made, "puzzle?puzzle=pancake-6");
    await page.waitForSelector(".about b");
    await page.click("text=Count them");
    await page.waitForSelector(".plot .proof", { timeout: LONG });
    assert.match(await page.textContent(".plot .proof"), /^720 positions, at most 7 moves from the nearest goal/);
    await page.fill("#puzzle-name", "3x3x3");
    await page.fill("#puzzle-depth", "4");
    await page.click("text=Count them");
    await page.waitForSelector(".plot .proof", { timeout: LONG });
    assert.match(await page.textContent(".plot .proof"), /^46,741 positions of at most 4 moves/);
    await page.click("text=All numbers");
    const rows = await page.locator(".plot tbody tr").evaluateAll((all) => all.map((row) => row.lastChild.textContent));
    assert.deepEqual(rows, ["1", "18", "243", "3,240", "43,239"]);
    await page.fill("#puzzle-depth", "");
    await page.click("text=Count them");
    await page.click(".plot >> text=Stop");
    await page.waitForSelector(".plot >> text=Stopped.");
  },

  async "a search of a puzzle is stopped and continues"() {
    const made = await context();
    const page = await open(made, `puzzle?puzzle=3x3x3&memory=32&text=${encodeURIComponent("R U F2 D' L B R2 U' F D2 L' B2 U R' F' D L2 B' U2 R")}`);
    await page.click("text=Solve >> nth=0");
    await searching(page);
    await page.click(".search >> text=Stop");
    await page.waitForSelector("text=/^Stopped: .*fewer than \\d+/ >> visible=true");
    await page.click("text=Continue");
    await searching(page);
    await made.close();
  },
});
