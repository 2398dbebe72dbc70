import { t } from "@lingui/core/macro";
import type { LicenseType } from "../api/types";

interface ModelText {
  /** In three or four words. */
  brief: string;
  /** What a license of the model lets a customer do. */
  description: string;
  /** When to choose the model. */
  useCase: string;
}

/** Description and use case of each license model. */
export const MODEL_TEXT: Record<LicenseType, ModelText> = {
  Perpetual: {
    brief: t`No time limit`,
    description: t`Bought once and used without a time limit, on any number of devices.`,
    useCase: t`For one-time purchases.`,
  },
  Trial: {
    brief: t`Ends on a set date`,
    description: t`Expires on a set date. You can extend it or convert it to a paid license.`,
    useCase: t`For customers who want to try before they buy.`,
  },
  Subscription: {
    brief: t`Renewed each term`,
    description: t`Valid for a paid term. Each renewal extends it.`,
    useCase: t`For customers who pay monthly or yearly.`,
  },
  Floating: {
    brief: t`Seats in use at once`,
    description: t`Runs on any device, up to a maximum number of sessions at the same time.`,
    useCase: t`For teams that share seats.`,
  },
  Concurrent: {
    brief: t`One seat per device`,
    description: t`Each activated device holds a seat, whether the application is running or not.`,
    useCase: t`For a fixed number of devices.`,
  },
  NodeLocked: {
    brief: t`One device`,
    description: t`Bound to one device. All other devices are rejected.`,
    useCase: t`For a server, an instrument or one person's computer.`,
  },
  MeteredToken: {
    brief: t`Credits per feature`,
    description: t`A balance of credits shared by all devices. Each feature has a price in credits.`,
    useCase: t`For features with different prices.`,
  },
  MeteredCount: {
    brief: t`Counted uses`,
    description: t`A number of uses shared by all devices. Every use counts as one, whatever the feature.`,
    useCase: t`For a number of runs, documents or calls.`,
  },
};
