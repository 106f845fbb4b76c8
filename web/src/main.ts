// The page: its views, and the colours.
import "./style.css";
import { place } from "./address";
import { cubeView } from "./views/cube";
import { hanoiView } from "./views/hanoi";
import { reportView } from "./views/report";
import { tilesView } from "./views/tiles";

/** A view: its elements, and what ends its work when another takes its place. */
export interface View {
  title: string;
  element: HTMLElement;
  leave(): void;
}

const views: Record<string, (state: URLSearchParams) => View> = {
  cube: cubeView,
  tiles: tilesView,
  hanoi: hanoiView,
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

const themes = ["auto", "light", "dark"] as const;
const button = document.querySelector<HTMLButtonElement>("#theme")!;
function theme(name: string) {
  document.documentElement.dataset.theme = name;
  button.textContent = { auto: "◐", light: "☀", dark: "☾" }[name] ?? "◐";
  button.setAttribute("aria-label", `Colours: ${name}`);
  button.title = `Colours: ${name}`;
}
let chosen: string = localStorage.getItem("theme") ?? "auto";
theme(chosen);
button.addEventListener("click", () => {
  chosen = themes[(themes.indexOf(chosen as (typeof themes)[number]) + 1) % themes.length]!;
  localStorage.setItem("theme", chosen);
  theme(chosen);
});

document.querySelector<HTMLAnchorElement>(".skip")!.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", show);
show();

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}
