import { matchPath } from "react-router";
import { $api } from "../api/client";
import { accessToken } from "../api/session";
import { queryClient } from "./queries";
import { ActMenu } from "../ui/menu/ActMenu";
import { preloadPalette } from "./palette/LazyPalette";
import { HomePage, PAGES, SERVICE_PAGES, Shell } from "./routes";

/**
 * Asks for what a page of the shell needs while the session is being resumed: its code, and who is
 * signed in. Each would otherwise be asked for when what needs it is drawn, one after the other.
 */
export function loadAhead(pathname: string): void {
  const page =
    pathname === "/"
      ? HomePage
      : [...PAGES, ...SERVICE_PAGES].find(([path]) => matchPath(path, pathname))?.[1];
  if (!page) return;
  void askWho().catch(() => undefined);
  Shell.preload();
  page.preload();
}

const SIGNS = ["pointermove", "pointerdown", "keydown"];

/** Loads what opens with a click or a key as soon as somebody moves: it is there when they choose. */
export function loadOnceUsed(): void {
  const load = () => {
    SIGNS.forEach((sign) => removeEventListener(sign, load));
    ActMenu.preload();
    preloadPalette();
  };
  SIGNS.forEach((sign) => addEventListener(sign, load, { passive: true }));
}

/** Whoever needs the answer asks again after a failure, and shows it. */
async function askWho(): Promise<void> {
  if ((await accessToken()) === null) return;
  await queryClient.prefetchQuery($api.queryOptions("get", "/api/auth/me", {}));
}
