import type { AuthProvider } from "ra-core";
import { api } from "./client";
import { Problem } from "./problem";
import { begin, forget, isSignedIn, renew } from "./session";

export interface Credentials {
  email: string;
  password: string;
  otpCode?: string;
}

/** How a visitor without access token goes on. */
async function doorFor(): Promise<"in" | "/setup" | "/login"> {
  const { data } = await api.GET("/api/auth/setup");
  if (data?.required) return "/setup";
  return data?.session && (await renew()) ? "in" : "/login";
}

export const authProvider: AuthProvider = {
  async login(credentials: Credentials) {
    const { data } = await api.POST("/api/auth/login", { body: credentials });
    if (data) begin(data);
  },
  async logout() {
    if (isSignedIn()) await api.POST("/api/auth/logout").catch(() => undefined);
    forget();
    return "/login";
  },
  async checkAuth() {
    if (isSignedIn()) return;
    const door = await doorFor();
    // react-admin goes where a rejection says.
    if (door !== "in") throw { redirectTo: door, message: false };
  },
  checkError(error: unknown) {
    const ended = error instanceof Problem && error.code === "Unauthorized";
    if (!ended) return Promise.resolve();
    forget();
    return Promise.reject(new Error("Your session has ended. Sign in again."));
  },
  async getIdentity() {
    const { data } = await api.GET("/api/auth/me");
    return { id: data?.id ?? "", fullName: data?.fullName ?? data?.email ?? "" };
  },
};
