import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import type { IssueForm } from "./useIssueForm";

type Release = Schemas["Release"];

const isNewer = (one: Release, other: Release) =>
  (one.publishedAt ?? "") > (other.publishedAt ?? "");

/** The releases of the chosen product, and the newest published one, which is the default. */
export function useReleases(productId: string | null) {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/releases",
    {
      params: {
        path: { productId: productId ?? "" },
        query: { pageSize: 100, sort: "-createdAt" },
      },
    },
    { enabled: productId !== null },
  );
  const releases = (data?.items ?? []).filter((release) => release.status !== "Yanked");
  const newest = releases
    .filter((release) => release.status === "Published")
    .reduce<Release | null>((best, item) => (best && !isNewer(item, best) ? best : item), null);
  return { releases, newest, isRead: data !== undefined };
}

const named = ({ version, channel, status }: Release) =>
  status === "Published" ? `${version} ${channel}` : t`${version} ${channel} (draft)`;

/** The release the license is for. */
export function ReleaseField({ form }: { form: IssueForm }) {
  const { releases, newest, isRead } = useReleases(form.draft.productId);
  return (
    <FormField
      {...form.field("softwareReleaseId")}
      select
      label={t`Release`}
      disabled={!isRead}
      helperText={
        isRead && !newest
          ? t`The product has no published release. Publish one first, or choose a draft.`
          : t`Applications with a higher major version than this release are rejected.`
      }
      slotProps={{ select: { displayEmpty: true } }}
    >
      <MenuItem value="">
        {newest
          ? t`Newest published (${{ release: named(newest) }})`
          : isRead
            ? t`None published`
            : t`Loading…`}
      </MenuItem>
      {releases.map((release) => (
        <MenuItem key={release.id} value={release.id}>
          {named(release)}
        </MenuItem>
      ))}
    </FormField>
  );
}
