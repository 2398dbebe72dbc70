/** What an offline request asks for. */
export type RequestKind = "Activate" | "Refresh" | "Release";

/** How far a request has come; `New` if it has not been answered or handed in. */
export type RequestState = "New" | "Waiting" | "Answered" | "Rejected" | "Released";

/** What is known of a request before it is answered. */
export interface RequestPreview {
  kind: RequestKind;
  productName: string;
  licenseName: string | null;
  deviceName: string | null;
  hardwareIdEnding: string | null;
  seatsUsed: number | null;
  seatsTotal: number | null;
  /** Whether the vendor has to approve it. */
  approval: boolean;
  state: RequestState;
  reason: string | null;
  needsLicenseKey: boolean;
  endsAt: string | null;
}

/** The answer to a request; everything else is null unless it is `Answered`. */
export interface RequestAnswer {
  state: "Answered" | "Waiting" | "Released";
  /** The content of license.bin in Base64. */
  file: string | null;
  fileName: string | null;
  /** The answer to type, where the machine has a base file. */
  code: string | null;
  endsAt: string | null;
}

/** A request that was handed in, as operators see it. */
export interface ListedRequest {
  id: string;
  kind: RequestKind;
  state: Exclude<RequestState, "New">;
  hardwareId: string;
  deviceName: string | null;
  appVersion: string | null;
  seq: number;
  askedAt: string;
  decidedAt: string | null;
  endsAt: string | null;
  reason: string | null;
}
