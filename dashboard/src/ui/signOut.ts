import { setPortalView } from "../api/portalView";
import { t } from "@lingui/core/macro";
import { api } from "../api/client";
import { asProblem } from "../api/problem";
import { forget, isSignedIn } from "../api/session";
import { notify } from "./toasts/toasts";
import { clearStored } from "./useStored";
import { serviceUrl } from "../api/address";

/** What stays in the browser for whoever signs in next. */
const LASTING = ["theme", "locale", "lastIssued"];

/**
 * Ends the session and reloads the page, so that no component keeps requesting or showing data.
 * Throws if the server could not be told; the user is then still signed in.
 */
export async function signOut(): Promise<never> {
  if (isSignedIn()) await api.POST("/api/auth/logout");
  forget();
  setPortalView(null);
  clearStored(LASTING);
  location.assign(serviceUrl("/login"));
  return new Promise<never>(() => undefined);
}

/** Signs out, or says why the user still is signed in. */
export async function leave(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    notify(`${t`You are still signed in.`} ${asProblem(error).message}`, { type: "error" });
  }
}
