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
    brief: "No time limit",
    description: "Bought once and used without a time limit, on any number of machines.",
    useCase: "For one-time purchases.",
  },
  Trial: {
    brief: "Ends on a set date",
    description: "Expires on a set date. You can extend it or convert it to a paid license.",
    useCase: "For customers who want to try before they buy.",
  },
  Subscription: {
    brief: "Renewed each term",
    description: "Valid for a paid term. Each renewal extends it.",
    useCase: "For customers who pay monthly or yearly.",
  },
  Floating: {
    brief: "Seats in use at once",
    description: "Runs on any machine, up to a maximum number of sessions at the same time.",
    useCase: "For teams that share seats.",
  },
  Concurrent: {
    brief: "One seat per device",
    description: "Each activated device holds a seat, whether the application is running or not.",
    useCase: "For a fixed number of computers.",
  },
  NodeLocked: {
    brief: "One machine",
    description: "Bound to one machine. All other machines are rejected.",
    useCase: "For a server, an instrument or one person's computer.",
  },
  MeteredToken: {
    brief: "Credits per feature",
    description: "A balance of credits shared by all devices. Each feature has a price in credits.",
    useCase: "For features with different prices.",
  },
  MeteredCount: {
    brief: "Counted uses",
    description:
      "A number of uses shared by all devices. Every use counts as one, whatever the feature.",
    useCase: "For a number of runs, documents or calls.",
  },
};
