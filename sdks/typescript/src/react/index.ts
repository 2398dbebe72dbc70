/**
 * Licenses in React.
 *
 *     <LicenseProvider client={client}>
 *       <Editor />
 *     </LicenseProvider>
 *
 * Needs React 18 or later. The client is that of the application, which also closes it.
 */

import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";

import type { Client } from "../core/client.js";
import type { EntitlementValue, LicenseResult } from "../core/result.js";

/** What is known about the license. */
export interface LicenseState {
  /** The last result; `null` before the first. */
  readonly result: LicenseResult | null;
  /** Why the last validation had no result: license.bin cannot be read, or an option is missing. */
  readonly error: Error | null;
  /** Whether the first validation, or one that `check()` began, is running. */
  readonly checking: boolean;
  /** Validates again now. */
  readonly check: () => void;
}

export interface LicenseProviderProps {
  readonly client: Pick<Client, "validate" | "watch">;
  /** Seconds between two validations in the background; an hour by default. */
  readonly everySeconds?: number | undefined;
  readonly children?: ReactNode;
}

type Asked = LicenseProviderProps["client"];
type Known = Omit<LicenseState, "check"> & { readonly client: Asked };

const Context = createContext<LicenseState | null>(null);

function unknown(client: Asked): Known {
  return { client, result: null, error: null, checking: true };
}

/** What is known, unless it is about the license of another client. */
function about(client: Asked, known: Known): Known {
  return known.client === client ? known : unknown(client);
}

/** Validates the license, watches it while it is mounted, and gives it to the components within. */
export function LicenseProvider(props: LicenseProviderProps): ReactElement {
  const { client, everySeconds, children } = props;
  const [last, setLast] = useState(() => unknown(client));
  const [round, setRound] = useState(0);
  const { result, error, checking } = about(client, last);

  useEffect(() => {
    let mounted = true;
    let stop: (() => void) | null = null;
    const show = (shown: LicenseResult) => {
      if (mounted) setLast({ client, result: shown, error: null, checking: false });
    };
    const fail = (reason: unknown) => {
      const failure = reason instanceof Error ? reason : new Error(String(reason));
      if (mounted) setLast((old) => ({ ...about(client, old), error: failure, checking: false }));
    };
    const begin = async () => {
      const since = await client.validate();
      show(since);
      if (!mounted) return;
      const watch = client.watch({ since, everySeconds, onChange: show });
      stop = () => watch.stop();
    };
    begin().catch(fail);
    return () => {
      mounted = false;
      stop?.();
    };
  }, [client, everySeconds, round]);

  const check = useCallback(() => {
    setLast((old) => ({ ...old, checking: true }));
    setRound((number) => number + 1);
  }, []);
  const value = useMemo(
    () => ({ result, error, checking, check }),
    [result, error, checking, check],
  );
  return createElement(Context.Provider, { value }, children);
}

/** The license, as the nearest `LicenseProvider` knows it. */
export function useLicense(): LicenseState {
  const state = useContext(Context);
  if (state === null) throw new Error("useLicense() needs a LicenseProvider around it.");
  return state;
}

/**
 * The value of a feature: a number or a text if the license grants the feature with one, and whether
 * it grants the feature if the default is a boolean. Ignores case.
 *
 * @param options `default` is the value while the license is not known, not valid, or does not grant
 *   the feature with a value of this type.
 */
export function useEntitlement(name: string, options: { readonly default: boolean }): boolean;
export function useEntitlement(name: string, options: { readonly default: number }): number;
export function useEntitlement(name: string, options: { readonly default: string }): string;
export function useEntitlement(
  name: string,
  { default: fallback }: { readonly default: EntitlementValue },
): EntitlementValue {
  const value = useLicense().result?.entitlement(name) ?? null;
  if (value === null) return fallback;
  if (typeof fallback === "boolean") return value !== false;
  return typeof value === typeof fallback ? value : fallback;
}
