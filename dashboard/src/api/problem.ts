import { t } from "@lingui/core/macro";
import type { components } from "./schema";

type ProblemBody = components["schemas"]["Problem"] & {
  /** Of `StepUpRequired`: how the user can prove who they are. */
  methods: string[];
  /** Of `OtpRequired`: what a passkey needs, if the account has one. */
  passkey: components["schemas"]["PasskeyRequestOptions"] | null;
};

export type ErrorCode = components["schemas"]["ErrorCode"];

type Meaning = (code: ErrorCode) => string | null;
let meaningOf: Meaning = () => null;

/** Says what codes mean, in a language that the server does not speak. */
export function explainBy(explain: Meaning): void {
  meaningOf = explain;
}

/**
 * An error response of the server. The message begins with what it means in the user's language and
 * ends with the request ID for support.
 */
export class Problem extends Error {
  /** The HTTP status; 0 if the server was not reached. */
  readonly status: number;
  readonly code: ErrorCode | "Unreachable";
  readonly detail: string;
  /** What the code means; null where only the detail says it, as in English. */
  readonly meaning: string | null;
  readonly requestId: string | null;
  readonly fields: { field: string; message: string }[];
  readonly methods: string[];
  readonly passkey: components["schemas"]["PasskeyRequestOptions"] | null;

  constructor(status: number, body: Partial<ProblemBody>) {
    const detail = body.detail ?? t`The server responded with status ${String(status)}.`;
    const id = body.requestId ?? null;
    const fields = body.errors ?? [];
    const meaning = body.errorCode ? meaningOf(body.errorCode) : null;
    const said = meaning ? `${meaning} ${detail}` : detail;
    super(id ? t`${{ detail: said }} (Request ${id})` : said);
    this.status = status;
    this.code = body.errorCode ?? "Unreachable";
    this.detail = detail;
    this.meaning = meaning;
    this.requestId = id;
    this.fields = fields;
    this.methods = body.methods ?? [];
    this.passkey = body.passkey ?? null;
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get("x-request-id") ?? undefined;
  try {
    return new Problem(response.status, (await response.json()) as ProblemBody);
  } catch {
    return new Problem(response.status, requestId ? { requestId } : {});
  }
}

/** Converts anything thrown into a problem to show. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail =
    error instanceof TypeError
      ? t`Could not reach the server. Check your connection and try again.`
      : error instanceof Error
        ? error.message
        : t`Something went wrong.`;
  return new Problem(0, { detail });
}
