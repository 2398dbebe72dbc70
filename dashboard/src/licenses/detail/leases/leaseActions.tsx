import type { ReactNode } from "react";
import { api, at } from "../../../api/client";
import type { Schemas } from "../../../api/types";
import { useActions, type Action } from "../../../ui/useActions";

export type Lease = Schemas["Lease"];

/** What an action is called, what it does, and what is said afterwards. */
interface Words {
  label: string;
  title: string;
  consequence: ReactNode;
  done: string;
}

/** The words of what can be done with a lease. */
export interface LeaseWords {
  recall: Words;
  force: Words;
  acknowledge: Words;
}

/** Whether a device has what it took away. */
export const isAway = ({ state, endedAt }: Lease): boolean =>
  state === "Open" || (state === "Forked" && endedAt === null);

export const isUnacknowledged = ({ state, acknowledgedAt }: Lease): boolean =>
  state === "Forked" && acknowledgedAt === null;

/** What can be done with what devices took away, in the words of its kind. */
export const useLeaseActions = (wordsOf: (lease: Lease) => LeaseWords) =>
  useActions((lease: Lease): Action[] => {
    const { recall, force, acknowledge } = wordsOf(lease);
    const place = at({ leaseId: lease.id });
    const recalled = (isForced: boolean) =>
      api.POST("/api/leases/{leaseId}/recall", { ...place, body: { force: isForced } });
    return [
      {
        label: recall.label,
        isOffered: isAway(lease) && lease.recalledAt === null,
        confirm: { ...questionOf(recall), onConfirm: () => recalled(false) },
      },
      {
        label: force.label,
        isOffered: isAway(lease),
        isGrave: true,
        confirm: { ...questionOf(force), danger: true, onConfirm: () => recalled(true) },
      },
      {
        label: acknowledge.label,
        isOffered: isUnacknowledged(lease),
        confirm: {
          ...questionOf(acknowledge),
          onConfirm: () => api.POST("/api/leases/{leaseId}/acknowledge", place),
        },
      },
    ];
  });

const questionOf = ({ title, consequence, done }: Words) => ({ title, consequence, done });
