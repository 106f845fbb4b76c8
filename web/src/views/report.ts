// The reproduction of the papers, as it is published.
import { el } from "../dom";
import type { View } from "../main";

export function reportView(): View {
  const element = el("div", { className: "view" },
    el("h1", {}, "The papers, reproduced"),
    el("p", { className: "lead" }, "Every table and figure of the papers that this project implements, computed again, cell by cell. ",
      el("a", { href: "./report/index.html" }, "Open it on its own page"), "."),
    el("iframe", { className: "report", src: "./report/index.html", title: "The reproduction of the papers" }));
  return { title: "Report", element, leave: () => undefined };
}
