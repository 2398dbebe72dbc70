import { plural, t } from "@lingui/core/macro";
import { api } from "../../api/client";
import type { License, Schemas } from "../../api/types";
import type { BulkAction, BulkResult } from "../../ui/bulk/useBulkRun";
import { MODEL_TRAITS } from "../../ui/models";
import { TAG_UNDO } from "../../ui/tags/tagUndo";

export type BulkKind = Schemas["BulkAction"];

/** What a request says beside the action and its licenses. */
export type BulkGiven = Omit<Schemas["BulkLicensesRequest"], "action" | "ids" | "filter">;

interface LicenseAction extends BulkAction<License, BulkGiven, BulkKind> {
  /** What it is about to do, also as a question: "Suspend 2 licenses". */
  named: (count: number) => string;
  consequence: string;
  /** Whether a reason can be given. */
  takesReason?: boolean;
}

/** A license and whose it is: names given by a policy are alike. */
export const nameOf = ({ licenseName, issuedTo }: License): string =>
  issuedTo === null || licenseName.includes(issuedTo)
    ? licenseName
    : `${licenseName} · ${issuedTo}`;

/** What undoes a request, if it changed anything. */
const undoing = (requestId?: string): BulkGiven | null => (requestId ? { requestId } : null);

/** Whether a model has a balance, which undoing a conversion would count twice. */
const isMetered = (type: BulkGiven["type"]): boolean =>
  typeof type === "string" && MODEL_TRAITS[type].meter !== null;

export const BULK_ACTIONS: Record<BulkKind, LicenseAction> = {
  suspend: {
    label: t`Suspend`,
    key: "s",
    title: t`Suspending licenses`,
    named: (count) => plural(count, { one: "Suspend # license", other: "Suspend # licenses" }),
    done: (count) => plural(count, { one: "# license suspended", other: "# licenses suspended" }),
    consequence: t`Online applications are rejected immediately; existing license files keep working until their next refresh. You can reinstate the licenses later.`,
    takesReason: true,
    undo: { kind: "reinstate", given: ({ status }) => (status === "Suspended" ? null : {}) },
  },
  reinstate: {
    label: t`Reinstate`,
    fits: ({ status }) => status === "Suspended",
    title: t`Reinstating licenses`,
    named: (count) => plural(count, { one: "Reinstate # license", other: "Reinstate # licenses" }),
    done: (count) => plural(count, { one: "# license reinstated", other: "# licenses reinstated" }),
    consequence: t`Suspended licenses work again immediately. Other licenses are not changed.`,
    undo: {
      kind: "undo",
      given: ({ status }, _, request) => (status === "Suspended" ? undoing(request) : null),
    },
  },
  revoke: {
    label: t`Revoke`,
    title: t`Revoking licenses`,
    named: (count) => plural(count, { one: "Revoke # license", other: "Revoke # licenses" }),
    done: (count) => plural(count, { one: "# license revoked", other: "# licenses revoked" }),
    consequence: t`Revoked licenses can be restored for 24 hours. Live sessions end and online applications are rejected immediately; existing license files keep working until their next refresh.`,
    danger: true,
    takesReason: true,
    undo: { kind: "restore", given: ({ status }) => (status === "Revoked" ? null : {}) },
  },
  restore: {
    label: t`Restore`,
    title: t`Restoring licenses`,
    named: (count) => plural(count, { one: "Restore # license", other: "Restore # licenses" }),
    done: (count) => plural(count, { one: "# license restored", other: "# licenses restored" }),
    consequence: t`Licenses that were revoked within the last 24 hours work again. Other licenses are not changed.`,
    undo: {
      kind: "undo",
      given: ({ status }, _, request) => (status === "Revoked" ? undoing(request) : null),
    },
  },
  extend: {
    label: t`Extend`,
    key: "e",
    title: t`Extending licenses`,
    named: (count) => plural(count, { one: "Extend # license", other: "Extend # licenses" }),
    done: (count) => plural(count, { one: "# license extended", other: "# licenses extended" }),
    consequence: t`A period counts from the end of each license, or from now if it has expired. Expired licenses work again.`,
    undo: { kind: "undo", given: (_before, _given, request) => undoing(request) },
  },
  setRelease: {
    label: t`Change release`,
    title: t`Changing the release`,
    named: (count) =>
      plural(count, {
        one: "Change the release of # license",
        other: "Change the release of # licenses",
      }),
    done: (count) =>
      plural(count, {
        one: "Release of # license changed",
        other: "Release of # licenses changed",
      }),
    consequence: t`Applications with a higher major version than the release are rejected from their next validation.`,
    undo: {
      kind: "setRelease",
      given: ({ softwareReleaseId }, given) =>
        softwareReleaseId === given.softwareReleaseId ? null : { softwareReleaseId },
    },
  },
  applyPolicy: {
    label: t`Apply policy`,
    title: t`Applying the policy`,
    named: (count) =>
      plural(count, {
        one: "Apply the policy to # license",
        other: "Apply the policy to # licenses",
      }),
    done: (count) =>
      plural(count, {
        one: "Policy applied to # license",
        other: "Policy applied to # licenses",
      }),
    consequence: t`The licenses get the seats, modes, entitlement set and metadata of the policy. Terms, grace and balances stay. This cannot be undone.`,
  },
  setEntitlementSet: {
    label: t`Change entitlement set`,
    title: t`Changing the entitlement set`,
    named: (count) =>
      plural(count, {
        one: "Change the set of # license",
        other: "Change the set of # licenses",
      }),
    done: (count) =>
      plural(count, {
        one: "Entitlement set of # license changed",
        other: "Entitlement set of # licenses changed",
      }),
    consequence: t`Applications get the features of the set with their next validation. Existing license files keep the old ones until they are refreshed.`,
    undo: {
      kind: "setEntitlementSet",
      given: ({ entitlementSetId }, given) =>
        entitlementSetId === given.entitlementSetId ? null : { entitlementSetId },
    },
  },
  convert: {
    label: t`Convert`,
    title: t`Converting licenses`,
    named: (count) => plural(count, { one: "Convert # license", other: "Convert # licenses" }),
    done: (count) => plural(count, { one: "# license converted", other: "# licenses converted" }),
    consequence: t`License keys stay the same. Applications get the new terms with their next validation. Where a license has more devices than seats, the newest are over the limit: they are rejected, but stay listed and get their seats back when the license has more. This can be undone, but not for metered models and licenses with a user name: convert those back yourself.`,
    undo: {
      kind: "undo",
      given: ({ type, username }, given, request) =>
        isMetered(type) || isMetered(given.type) || username !== null ? null : undoing(request),
    },
  },
  addTag: {
    label: t`Add tag`,
    title: t`Tagging licenses`,
    named: (count) => plural(count, { one: "Tag # license", other: "Tag # licenses" }),
    done: (count) => plural(count, { one: "# license tagged", other: "# licenses tagged" }),
    consequence: t`Tags are for your team only; customers cannot see them.`,
    undo: TAG_UNDO.addTag,
  },
  removeTag: {
    label: t`Remove tag`,
    title: t`Removing the tag from licenses`,
    named: (count) =>
      plural(count, { one: "Remove tag from # license", other: "Remove tag from # licenses" }),
    done: (count) =>
      plural(count, { one: "# license without the tag", other: "# licenses without the tag" }),
    consequence: t`Licenses that do not have the tag stay as they are.`,
    undo: TAG_UNDO.removeTag,
  },
  // Nobody is asked before.
  undo: {
    label: t`Undo`,
    title: t`Undo`,
    named: String,
    done: (count) =>
      plural(count, { one: "# license is as before", other: "# licenses are as before" }),
    consequence: "",
  },
};

/** What has to be typed to revoke so many licenses. */
export function revokePhrase(count: number): string {
  const digits = String(count);
  return plural(count, { one: `revoke ${digits} license`, other: `revoke ${digits} licenses` });
}

/** Runs an action on up to 1,000 licenses, or finds out what it would do. */
export async function runBulk(
  kind: BulkKind,
  licenses: License[],
  given: BulkGiven,
  dryRun: boolean,
): Promise<BulkResult<License>> {
  const { data, response } = await api.POST("/api/licenses/bulk", {
    params: { query: { dryRun } },
    body: { ...given, action: kind, ids: licenses.map(({ id }) => id) },
  });
  const why = new Map(data?.refused.map((item) => [item.id, item.detail]));
  return {
    done: licenses.filter(({ id }) => !why.has(id)),
    refused: licenses.flatMap((license) => {
      const detail = why.get(license.id);
      return detail === undefined ? [] : [{ item: license, why: detail }];
    }),
    request: data?.changed ? (response.headers.get("X-Request-Id") ?? undefined) : undefined,
  };
}
