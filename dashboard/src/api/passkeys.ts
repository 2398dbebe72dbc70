import { t } from "@lingui/core/macro";
import type { components } from "./schema";

type Schemas = components["schemas"];

/** Whether this browser can create and use passkeys. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** A failure of the browser or its user, in words. */
export class PasskeyFailure extends Error {}

/** Has the browser create a passkey; what it returns goes to the server. */
export async function createPasskey(options: Schemas["PasskeyCreationOptions"]) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await asked(navigator.credentials.create({ publicKey }), options.rp.id);
  return made.toJSON() as Schemas["NewPasskeyCredential"];
}

/** Has the browser use a passkey; what it returns goes to the server. */
export async function answerPasskey(options: Schemas["PasskeyRequestOptions"]) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const used = await asked(navigator.credentials.get({ publicKey }), options.rpId);
  return used.toJSON() as Schemas["PasskeyCredential"];
}

async function asked(answer: Promise<Credential | null>, host: string) {
  const credential = await answer.catch((error: unknown) => {
    throw new PasskeyFailure(sentenceOf(error, host));
  });
  if (credential instanceof PublicKeyCredential) return credential;
  throw new PasskeyFailure(t`No passkey was used.`);
}

function sentenceOf(error: unknown, host: string): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "SecurityError" || location.hostname !== host)
    return t`Passkeys of this service work at ${host} only. Open the dashboard at that name.`;
  if (name === "InvalidStateError") return t`This device already has a passkey for your account.`;
  if (name === "NotAllowedError")
    return t`No passkey was used: it was canceled, took too long, or there is none on this device.`;
  return t`The browser could not use a passkey. Try again, or use another way.`;
}
