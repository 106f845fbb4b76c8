// The page's state is in its address: `#cube?text=R+U&metric=htm`.

export interface Place {
  view: string;
  state: URLSearchParams;
}

export function place(): Place {
  const [view = "", state = ""] = location.hash.slice(1).split("?", 2);
  return { view, state: new URLSearchParams(state) };
}

/** Writes the state of a view, leaving out empty fields. */
export function remember(view: string, state: Record<string, string | number | boolean>) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== "" && value !== false) params.set(name, value === true ? "1" : String(value));
  }
  const text = params.toString();
  history.replaceState(null, "", `#${view}${text ? `?${text}` : ""}`);
}
