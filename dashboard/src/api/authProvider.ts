import type { AuthProvider } from "ra-core";
import { api } from "./client";
import { arrive, forget, isSignedIn } from "./session";

export const authProvider: AuthProvider = {
  // The pages in front of the sign-in begin the session themselves.
  login: () => Promise.resolve(),
  async logout() {
    if (isSignedIn()) await api.POST("/api/auth/logout");
    forget();
    return "/login";
  },
  async checkAuth() {
    if (isSignedIn()) return;
    // A server that cannot be reached signs nobody out; the page says what is wrong.
    const entrance = await arrive().catch(() => null);
    if (entrance === null || isSignedIn()) return;
    // react-admin goes where a rejection says.
    throw { redirectTo: entrance.required ? "/setup" : "/login", message: false };
  },
  // The session itself tells of its end: see `onEnd`.
  checkError: () => Promise.resolve(),
};
