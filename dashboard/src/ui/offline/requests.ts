import { t } from "@lingui/core/macro";
import { number } from "../formats";
import { CODE_LENGTH, mistypedGroup, symbolsOf } from "./codes";
import type { RequestKind } from "./wire";

/** A request has at most 2,048 bytes; an address and line breaks may be around it. */
const MAX_LENGTH = 8_192;

/** Returned where there is no request, with a sentence that says why. */
interface Unreadable {
  fault: string;
}

/** The text of a request or of a release code. */
export interface Readable {
  request: string;
  isCode: boolean;
}

/** What a request says of itself. Nobody has checked it. */
export interface Claims {
  kind: RequestKind;
  deviceName: string | null;
  hardwareId: string | null;
  appVersion: string | null;
}

type Json = Record<string, unknown>;

/** Returns a part of a signed token; null if it is none. */
function partOf(token: string, place: number): Json | null {
  try {
    const coded = token.split(".")[place] ?? "";
    const bytes = Uint8Array.from(atob(coded.replace(/-/g, "+").replace(/_/g, "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return null;
  }
}

function readCode(typed: string): Readable | Unreadable {
  const symbols = symbolsOf(typed);
  const wrong = mistypedGroup(symbols);
  const length = number(symbols.length);
  if (symbols.length !== CODE_LENGTH)
    return {
      fault: t`A release code has ${{ needed: number(CODE_LENGTH) }} characters without dashes. This one has ${length}.`,
    };
  if (wrong !== null) return { fault: t`Group ${{ group: number(wrong) }} is mistyped. Check it.` };
  return { request: symbols, isCode: true };
}

/** Finds the request in what a file, the clipboard or a QR code holds. */
export function readRequest(given: string): Readable | Unreadable {
  const content = given.slice(0, MAX_LENGTH + 1).replace(/\s/g, "");
  const text = content.slice(content.indexOf("#") + 1);
  if (text === "") return { fault: t`It contains no text.` };
  if (given.length > MAX_LENGTH)
    return { fault: t`This is too long for an offline request. Choose the .licetreq file.` };
  if (/^[\dA-Z]{20,}$/.test(symbolsOf(text))) return readCode(text);
  const header = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text) ? partOf(text, 0) : null;
  if (header === null)
    return {
      fault: t`This is not an offline request, or only a part of one. Copy all of its text, or choose the .licetreq file.`,
    };
  if (header["typ"] !== "licet-req+jwt")
    return {
      fault: t`This file is not an offline request. Choose the .licetreq file that the application saved.`,
    };
  return { request: text, isCode: false };
}

/** Whether a request says which license it is for; a code, and one for a short key, do not. */
export const namesLicense = ({ request, isCode }: Readable): boolean =>
  !isCode && partOf(request, 1)?.["licenseKeyHash"] !== undefined;

const KINDS: readonly unknown[] = ["Activate", "Refresh", "Release"] satisfies RequestKind[];

/** Returns what a request says of itself; of a release code, that it releases. */
export function claimsOf({ request, isCode }: Readable): Claims {
  const claims = (isCode ? null : partOf(request, 1)) ?? {};
  const textIn = (name: string) => (typeof claims[name] === "string" ? claims[name] : null);
  const { kind } = claims;
  return {
    kind: isCode ? "Release" : KINDS.includes(kind) ? (kind as RequestKind) : "Activate",
    deviceName: textIn("deviceName"),
    hardwareId: textIn("hardwareId"),
    appVersion: textIn("appVersion"),
  };
}
