// The published report of the reproduction.
import { el } from "../dom";
import type { View } from "../main";
import { onTheme, theme } from "../theme";

/** Gives the report the colours of the page, which may differ from those of the system. */
function colour(frame: HTMLIFrameElement) {
  const report = frame.contentDocument;
  if (!report) return;
  const wanted = theme();
  const media = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[wanted];
  report.documentElement.style.colorScheme = wanted === "auto" ? "light dark" : wanted;
  for (const sheet of report.styleSheets) {
    for (const rule of sheet.cssRules) {
      // The rule belongs to the frame's window, so it is not an instance of this window's `CSSMediaRule`.
      if (!("media" in rule)) continue;
      // The first time, the rule is found by its condition; then by the property that remembers it.
      const dark = rule as CSSMediaRule & { isDark?: boolean };
      dark.isDark ??= dark.media.mediaText.includes("prefers-color-scheme");
      if (dark.isDark) dark.media.mediaText = media;
    }
  }
}

export function reportView(): View {
  const frame = el("iframe", {
    className: "report", src: "./report/index.html", title: "The reproduction of the papers", onload: () => colour(frame),
  });
  const forget = onTheme(() => colour(frame));
  const element = el("div", { className: "view" },
    el("h1", {}, "The papers, reproduced"),
    el("p", { className: "lead" }, "Every table and figure of the papers that this project implements, computed again, cell by cell. ",
      el("a", { href: "./report/index.html" }, "Open it on its own page"), "."),
    frame);
  return { title: "Report", element, leave: forget };
}
