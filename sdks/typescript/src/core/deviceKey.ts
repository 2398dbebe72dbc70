/** The key of this device, and its proofs (DPoP, RFC 9449), which every request to the server carries. */

import { encodeBase64Url, randomToken, sha256, utf8 } from "./bytes.js";
import type { Json } from "./json.js";
import { reasonOf } from "./parts.js";
import { MINUTE, SECOND } from "./time.js";
import type { TransportReply, TransportRequest } from "./transport.js";

export const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Who this device is for the server. */
export interface DeviceIdentity {
  readonly hardwareId: string;
  /** The thumbprint of its key (RFC 7638); `null` if a key cannot be kept on this machine. */
  readonly jkt: string | null;
  /** What protects the key; `null` without one. */
  readonly level: "Software" | null;
}

/** A public key as a JWK, with the members of its thumbprint in their order. */
interface PublicJwk {
  readonly crv: string;
  readonly kty: string;
  readonly x: string;
  readonly y: string;
}

export interface DeviceKey {
  readonly privateKey: CryptoKey;
  readonly jwk: PublicJwk;
}

/** The places where a key is kept. */
export interface DeviceKeys {
  /**
   * The key at a place; `null` if there is none.
   *
   * @throws Error It cannot be read.
   */
  find(path: string): Promise<DeviceKey | null>;
  /**
   * Makes a key unless there is one by now, and returns the one that is there.
   *
   * @throws Error It cannot be stored.
   */
  make(path: string): Promise<DeviceKey | null>;
}

type Request = Omit<TransportRequest, "timeoutSeconds">;

/**
 * Proves that requests come from this device.
 *
 * Without a key that the next start finds again there are no proofs, which only some licenses need.
 */
export class Proofs {
  /** Why there is no key, in a sentence. */
  problem: string | null = null;
  #key: Promise<DeviceKey | null> | null = null;
  /** Milliseconds that the server's clock is ahead of this one, as far as that has been learned. */
  #ahead = 0;

  constructor(
    private readonly keys: DeviceKeys,
    readonly path: string,
    private readonly now: () => number,
  ) {}

  /** The thumbprint of the key; makes none. */
  async jkt(): Promise<string | null> {
    const key = await (this.#key ?? this.#attempt(() => this.keys.find(this.path)));
    return key && thumbprint(key);
  }

  /** The level of the key, which is made at its first use. */
  async level(): Promise<"Software" | null> {
    return (await this.#made()) && "Software";
  }

  /** The request with a new proof. */
  async sign<Sent extends Request>(request: Sent): Promise<Sent> {
    const key = await this.#made();
    const time = this.now() + this.#ahead;
    const DPoP = key && (await proofOf(key, request, time).catch(() => null));
    return DPoP ? { ...request, headers: { ...request.headers, DPoP } } : request;
  }

  /**
   * Whether a reply with this body refuses a proof that a new one may replace, with the time of the
   * server: of two copies that start at once, one may overtake the other.
   */
  signsAgain({ headers }: Request, reply: TransportReply, body: Json | null): boolean {
    const { errorCode, status } = body ?? {};
    if (!headers["DPoP"] || ![errorCode, status].includes("DeviceProofRequired")) return false;
    const ahead = Date.parse(reply.headers["date"] ?? "") - this.now();
    if (Math.abs(ahead - this.#ahead) >= MINUTE) this.#ahead = ahead;
    return true;
  }

  #made(): Promise<DeviceKey | null> {
    const { keys, path } = this;
    return (this.#key ??= this.#attempt(async () => (await keys.find(path)) ?? keys.make(path)));
  }

  async #attempt(work: () => Promise<DeviceKey | null>): Promise<DeviceKey | null> {
    try {
      return await work();
    } catch (error) {
      this.problem = `${this.path} cannot be used as the key of this device: ${reasonOf(error)}.`;
      return null;
    }
  }
}

/** The public members of a JWK alone. */
export function publicJwk({ crv, kty, x, y }: JsonWebKey): PublicJwk {
  return { crv, kty, x, y } as PublicJwk;
}

/** The thumbprint of a key (RFC 7638). */
export function thumbprint({ jwk }: DeviceKey): Promise<string> {
  return digest(JSON.stringify(jwk));
}

/** A proof that the sender of this request has the key, signed at `now`. */
export async function proofOf(
  key: DeviceKey,
  { method, url, body }: Pick<Request, "method" | "url" | "body">,
  now: number,
): Promise<string> {
  const claims = {
    jti: randomToken(16),
    htm: method,
    htu: url.replace(/[?#].*/, ""),
    iat: Math.floor(now / SECOND),
    bh: body === null ? undefined : await digest(body),
  };
  return signedBy(key, "dpop+jwt", claims);
}

/** A token that the device has signed, with its public key. */
export async function signedBy(
  { privateKey, jwk }: DeviceKey,
  typ: string,
  claims: object,
): Promise<string> {
  const text = [{ typ, alg: "ES256", jwk }, claims].map(encode).join(".");
  const signature = await crypto.subtle.sign(ES256, privateKey, utf8(text));
  return `${text}.${encodeBase64Url(new Uint8Array(signature))}`;
}

function encode(part: unknown): string {
  return encodeBase64Url(utf8(JSON.stringify(part)));
}

async function digest(text: string): Promise<string> {
  return encodeBase64Url(await sha256(utf8(text)));
}
