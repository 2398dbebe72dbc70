import { useLayoutEffect } from "react";
import { useMediaQuery } from "../useMediaQuery";
import { stored, useStored } from "../useStored";

/** What the user chose; `system` follows the operating system. */
export type Mode = "light" | "dark" | "system";
type Theme = "light" | "dark";

const DARK = "(prefers-color-scheme: dark)";

const themeOf = (mode: Mode, isDarkSystem: boolean): Theme =>
  mode === "system" ? (isDarkSystem ? "dark" : "light") : mode;

const put = (theme: Theme) => {
  document.documentElement.dataset["theme"] = theme;
};

/** Puts the theme on the page before anything is drawn. */
export function showTheme(): void {
  put(themeOf(stored<Mode>("theme", "system"), window.matchMedia(DARK).matches));
}

/** The chosen mode, the theme that it comes to, and what chooses another. */
export function useMode() {
  const [mode, choose] = useStored<Mode>("theme", "system");
  return { mode, theme: themeOf(mode, useMediaQuery(DARK)), choose } as const;
}

/** Keeps the page in its theme. */
export function useThemeOfPage(): void {
  const { theme } = useMode();
  useLayoutEffect(() => put(theme), [theme]);
}
