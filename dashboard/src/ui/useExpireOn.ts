import { api, at } from "../api/client";
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

/**
 * Returns a function that gives a license another end and tells of it. It can be undone unless the
 * end of before has passed, since no license is given an end in the past.
 */
export function useExpireOn() {
  const notifyChanged = useNotifyChanged();
  return async ({ licenseId, end, before, told }: End) => {
    await expireOn(licenseId, end);
    const hasPassed = before !== null && new Date(before) <= new Date();
    notifyChanged(told, hasPassed ? undefined : () => expireOn(licenseId, before));
  };
}
