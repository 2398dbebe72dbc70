import { api, at } from "../api/client";
import { Problem } from "../api/problem";
import { useNotifyChanged } from "./useNotifyChanged";

interface End {
  licenseId: string;
  /** When it is to end; null for never. */
  end: string | null;
  before: string | null;
  told: string;
}

const expireOn = (licenseId: string, expirationDate: string | null) =>
  api.PUT("/api/licenses/{licenseId}", { ...at({ licenseId }), body: { expirationDate } });

/** Gives a license the term that it had before the request that extended it. */
async function takeBack(licenseId: string, requestId: string): Promise<void> {
  const { data } = await api.POST("/api/licenses/bulk", {
    body: { action: "undo", ids: [licenseId], requestId },
  });
  const [refused] = data?.refused ?? [];
  if (refused) throw new Problem(409, { errorCode: refused.errorCode, detail: refused.detail });
}

/** Whether a term ends later than it did. */
const isLonger = (before: string | null, after: string | null): boolean =>
  before !== null && (after === null || Date.parse(after) > Date.parse(before));

/**
 * Returns a function that gives a license another end and tells of it. It can be undone: a term that
 * was extended is again as it was, also if its end has passed.
 */
export function useExpireOn() {
  const notifyChanged = useNotifyChanged();
  return async ({ licenseId, end, before, told }: End) => {
    const { data, response } = await expireOn(licenseId, end);
    const requestId = response.headers.get("X-Request-Id");
    const isExtended = data !== undefined && isLonger(before, data.expirationDate);
    notifyChanged(told, () =>
      isExtended && requestId !== null
        ? takeBack(licenseId, requestId)
        : expireOn(licenseId, before),
    );
  };
}
