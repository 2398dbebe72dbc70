import { api } from "../api/client";
import { forget, isSignedIn } from "../api/session";
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
  clearStored(LASTING);
  location.assign(serviceUrl("/login"));
  return new Promise<never>(() => undefined);
}
