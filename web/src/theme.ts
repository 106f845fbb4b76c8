// The colours: those of the system, or those chosen by the user.

const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();
let chosen: Theme = THEMES.find((name) => name === localStorage.getItem("theme")) ?? "auto";

export const theme = (): Theme => chosen;

/** Calls `listener` when other colours are chosen, until the function that it returns is called. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lets a button choose the colours. */
export function themeButton(button: HTMLButtonElement) {
  const show = () => {
    document.documentElement.dataset.theme = chosen;
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[chosen];
    button.title = button.ariaLabel = `Colours: ${chosen}`;
    for (const listener of listeners) listener();
  };
  button.addEventListener("click", () => {
    chosen = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length]!;
    localStorage.setItem("theme", chosen);
    show();
  });
  show();
}
