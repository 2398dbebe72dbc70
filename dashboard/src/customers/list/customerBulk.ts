import { plural, t } from "@lingui/core/macro";
import { api, at } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { Schemas } from "../../api/types";
import type { BulkAction, BulkResult } from "../../ui/bulk/useBulkRun";
import { type Cell, saveCsv } from "../../ui/csv";
import { isSameTag } from "../../ui/tags/knownTags";
import { TAG_UNDO } from "../../ui/tags/tagUndo";

export type Listed = Schemas["ListedCustomer"];

export type BulkKind = "addTag" | "removeTag" | "portalLink";

export interface BulkGiven {
  /** What is added or removed. */
  tag?: string;
}

interface CustomerAction extends BulkAction<Listed, BulkGiven, BulkKind> {
  /** On the button that starts it: "Tag 2 customers". */
  named: (count: number) => string;
  consequence: string;
}

export const BULK_ACTIONS: Record<BulkKind, CustomerAction> = {
  addTag: {
    label: t`Add tag`,
    title: t`Tagging customers`,
    named: (count) => plural(count, { one: "Tag # customer", other: "Tag # customers" }),
    done: (count) => plural(count, { one: "# customer tagged", other: "# customers tagged" }),
    consequence: t`Tags are for your team only; customers cannot see them.`,
    undo: TAG_UNDO.addTag,
  },
  removeTag: {
    label: t`Remove tag`,
    title: t`Removing the tag from customers`,
    named: (count) =>
      plural(count, { one: "Remove tag from # customer", other: "Remove tag from # customers" }),
    done: (count) =>
      plural(count, { one: "# customer without the tag", other: "# customers without the tag" }),
    consequence: t`Customers that do not have the tag stay as they are.`,
    fits: ({ tags }) => tags.length > 0,
    undo: TAG_UNDO.removeTag,
  },
  portalLink: {
    label: t`Send portal link`,
    title: t`Sending portal links`,
    named: (count) => plural(count, { one: "Send # portal link", other: "Send # portal links" }),
    done: (count) => plural(count, { one: "# portal link sent", other: "# portal links sent" }),
    consequence: t`Each customer gets an email with a link to the portal, where they see their licenses and devices.`,
  },
};

/** As many as a browser asks of a server at once. */
export const PART = 6;

async function act(kind: BulkKind, { id, tags }: Listed, { tag = "" }: BulkGiven) {
  const params = at({ customerId: id });
  if (kind === "portalLink") return api.POST("/api/customers/{customerId}/portal-link", params);
  const others = tags.filter((one) => !isSameTag(one, tag));
  if (others.length === tags.length && kind === "removeTag") return undefined;
  return api.PUT("/api/customers/{customerId}", {
    ...params,
    body: { tags: kind === "addTag" ? [...others, tag] : others, moveLicenses: true },
  });
}

/** Does it to some customers at once, each on its own. */
export async function sendEach(kind: BulkKind, customers: Listed[], given: BulkGiven) {
  const result: BulkResult<Listed> = { done: [], refused: [] };
  const answers = await Promise.allSettled(customers.map((one) => act(kind, one, given)));
  customers.forEach((item, place) => {
    const answer = answers[place];
    if (answer?.status === "rejected")
      result.refused.push({ item, why: asProblem(answer.reason).detail });
    else result.done.push(item);
  });
  return result;
}

/** Downloads the selected customers as CSV, with what the list says of them. */
export function saveSelected(customers: readonly Listed[]): void {
  const head: Cell[] = [
    t`Name`,
    t`Email`,
    t`Company`,
    t`Reference`,
    t`Tags`,
    t`Active`,
    t`Suspended`,
    t`Expired`,
    t`Revoked`,
    t`Next end`,
    t`Last seen`,
    t`Paid`,
    t`Created`,
  ];
  const rows = customers.map((one): Cell[] => [
    one.name,
    one.email,
    one.company,
    one.externalReference,
    one.tags.join(", "),
    one.activeLicenses,
    one.suspendedLicenses,
    one.expiredLicenses,
    one.revokedLicenses,
    one.nextEnd,
    one.lastSeenAt,
    (one.paid ?? []).map(({ net, currency }) => `${String(net)} ${currency}`).join(", "),
    one.createdAt,
  ]);
  saveCsv("customers", [head, ...rows]);
}
