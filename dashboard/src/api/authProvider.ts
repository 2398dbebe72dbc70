import type { AuthProvider } from "ra-core";
import { api } from "./client";
import { loadSetupStatus, forget, isSignedIn } from "./session";

export const authProvider: AuthProvider = {
  // The sign-in pages start the session themselves.
  login: () => Promise.resolve(),
  async logout() {
    if (isSignedIn()) await api.POST("/api/auth/logout");
    forget();
    return "/login";
  },
  async checkAuth() {
    if (isSignedIn()) return;
    // An unreachable server does not sign the user out; the page shows the error.
    const entrance = await loadSetupStatus().catch(() => null);
    if (entrance === null || isSignedIn()) return;
    // react-admin redirects to where the rejection says.
    throw { redirectTo: entrance.required ? "/setup" : "/login", message: false };
  },
  // The session reports its own end: see `onSessionEnd`.
  checkError: () => Promise.resolve(),
};
