/** The theme of the page: light, dark, or that of the system. */
export type Theme = "auto" | "light" | "dark";

export const THEME_LABELS: Readonly<Record<Theme, string>> = { auto: "System", light: "Light", dark: "Dark" };

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "auto";
}

/** Sets the theme and stores it. */
export function setTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  try {
    if (theme === "auto") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Storage may be forbidden. The choice then lasts until the page is closed.
  }
}
