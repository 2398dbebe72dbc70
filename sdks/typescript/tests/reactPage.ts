/** What the tests of React call in a page. */

import { type ClientOptions, LicenseClient, LicenseFileError } from "licet";
import {
  LicenseProvider,
  type LicenseProviderProps,
  type LicenseState,
  useEntitlement,
  useLicense,
} from "licet/react";
import { createElement, StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";

interface Shown {
  readonly status: string | null;
  readonly error: string | null;
  readonly checking: boolean;
  readonly projects: number;
  readonly tier: string;
  readonly mayExport: boolean;
}

let root: Root | null = null;
let known: LicenseState | null = null;
const shown: Shown[] = [];

function Panel() {
  known = useLicense();
  const { result, error, checking } = known;
  shown.push({
    status: result?.status ?? null,
    error: error?.name ?? null,
    checking,
    projects: useEntitlement("Projects", { default: 1 }),
    tier: useEntitlement("projects", { default: "basic" }),
    mayExport: useEntitlement("projects", { default: false }),
  });
  return null;
}

/** Shows a license until the page goes away. */
export function mount(options: ClientOptions, everySeconds: number): void {
  render({ client: new LicenseClient(options), everySeconds });
}

/** Shows a license that cannot be read. */
export function mountBroken(): void {
  const validate = () => Promise.reject(new LicenseFileError("broken"));
  render({ client: { validate, watch: () => assertNever() } });
}

function render(props: LicenseProviderProps): void {
  root ??= createRoot(document.body.appendChild(document.createElement("main")));
  const provider = createElement(LicenseProvider, props, createElement(Panel));
  root.render(createElement(StrictMode, null, provider));
}

function assertNever(): never {
  throw new Error("a license without a result is not watched");
}

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

export function check(): void {
  known?.check();
}

export function unmount(): void {
  root?.unmount();
  root = null;
}

/** What was shown, without repetitions. */
export function history(): Shown[] {
  return shown.filter(
    (item, index) => JSON.stringify(item) !== JSON.stringify(shown[index - 1] ?? null),
  );
}

/** The message of a component that has no provider. */
export function withoutProvider(): Promise<string> {
  return new Promise((resolve) => {
    const lonely = createRoot(document.createElement("div"), {
      onUncaughtError: (error) => resolve(String(error)),
    });
    lonely.render(createElement(Panel));
  });
}
