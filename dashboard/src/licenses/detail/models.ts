import type { LicenseType } from "../../api/types";

/** What a model means, in a sentence. */
export const MODEL_SENTENCES: Record<LicenseType, string> = {
  Perpetual: "Bought once and valid for good, unless an end is set.",
  Trial:
    "For trying out: it ends on its last day, and can be extended or turned into a paid model.",
  Subscription: "Valid until the end of its term; each renewal extends it.",
  Floating: "A pool of seats: as many can work at the same time as there are seats.",
  Concurrent: "A number of devices: each activated device holds a seat until it is deactivated.",
  NodeLocked: "For one machine, to which the license is bound.",
  MeteredToken: "Prepaid credits: each use of a feature costs its price in credits.",
  MeteredCount: "Prepaid uses: each use takes as much from the counter as it says.",
};
