// The page: its views, and the colours.
import "./style.css";
import { place } from "./address";
import { onThreads, type Threading, threading } from "optimal-puzzles";
import { themeButton } from "./theme";
import { cubeView } from "./views/cube";
import { fewestView } from "./views/fewest";
import { hanoiView } from "./views/hanoi";
import { puzzleView } from "./views/puzzle";
import { reportView } from "./views/report";
import { tilesView } from "./views/tiles";

/** A view: its elements, and the function that ends its work when another view replaces it. */
export interface View {
  title: string;
  element: HTMLElement;
  leave(): void;
}

const views: Record<string, (state: URLSearchParams) => View> = {
  cube: cubeView,
  fewest: fewestView,
  tiles: tilesView,
  hanoi: hanoiView,
  puzzle: puzzleView,
  report: reportView,
};

const main = document.querySelector<HTMLElement>("#main")!;
let shown: View | undefined;

function show() {
  const { view, state } = place();
  if (view === "main") return;
  const name = view in views ? view : "cube";
  shown?.leave();
  shown = views[name]!(state);
  document.title = `${shown.title} · Optimal puzzles`;
  main.replaceChildren(shown.element);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

themeButton(document.querySelector<HTMLButtonElement>("#theme")!);

document.querySelector<HTMLAnchorElement>(".skip")!.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", show);
show();

const threads = document.querySelector<HTMLElement>("#threads")!;
const say = ({ count, why }: Threading) => {
  threads.textContent = count > 1 ? `Searches run on ${count} threads.` : `Searches run on one thread: ${why}.`;
};
say(threading());
onThreads(say);

// The service worker sets the headers that isolate the page from others, which threads need, on hosts that do not.
// They have an effect when the page is loaded the next time: at once, unless the page is already in use.
async function isolate() {
  await navigator.serviceWorker.register("./sw.js");
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  }
  const inWork = navigator.userActivation?.hasBeenActive ?? true;
  if (crossOriginIsolated || inWork || sessionStorage.getItem("loaded") !== null) return;
  // Only once, whether it helps or not.
  sessionStorage.setItem("loaded", "again");
  location.reload();
}
if ("serviceWorker" in navigator && import.meta.env.PROD) isolate().catch(() => undefined);
