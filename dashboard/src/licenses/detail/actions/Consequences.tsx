import { plural, t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { $api, api, at } from "../../../api/client";
import type { License } from "../../../api/types";
import { FormField } from "../../../ui/form/FormField";
import type { FieldProps } from "../../../ui/form/useApiForm";
import { date } from "../../../ui/formats";
import { Column } from "../../../ui/layout/layout";

/** Props of every dialog about a license. */
export interface LicenseDialogProps {
  license: License;
  onClose: () => void;
}

const ofLicense = (licenseId: string) => at({ licenseId });

export const revoke = (id: string, reason: string | null) =>
  api.POST("/api/licenses/{licenseId}/revoke", {
    ...ofLicense(id),
    body: { reason, asBefore: false },
  });

export const restore = (id: string) => api.POST("/api/licenses/{licenseId}/restore", ofLicense(id));

export const suspend = (id: string, reason: string | null) =>
  api.POST("/api/licenses/{licenseId}/suspend", {
    ...ofLicense(id),
    body: { reason, asBefore: false },
  });

/** Takes back that a license was restored: revoked since when, and for the reason, it was. */
export const revokeAgain = (id: string) =>
  api.POST("/api/licenses/{licenseId}/revoke", { ...ofLicense(id), body: { asBefore: true } });

/** Takes back that a license was reinstated: suspended since when, and for the reason, it was. */
export const suspendAgain = (id: string) =>
  api.POST("/api/licenses/{licenseId}/suspend", { ...ofLicense(id), body: { asBefore: true } });

export const reinstate = (id: string) =>
  api.POST("/api/licenses/{licenseId}/reinstate", ofLicense(id));

interface ConsequencesProps {
  lead?: ReactNode;
  /** The effect on online applications, and when. */
  online: ReactNode;
  /** The effect on existing license.bin files. */
  offline: ReactNode;
  /** Whether and how it can be undone. */
  undo: ReactNode;
}

/** The effects of an action on users of the license. */
export const Consequences = ({ lead, online, offline, undo }: ConsequencesProps) => (
  <Column gap="m">
    {lead && <div>{lead}</div>}
    <Column as="dl" gap="m">
      {[
        [t`Online applications`, online],
        [t`License files`, offline],
        [t`Undo`, undo],
      ].map(([name, text]) => (
        <div key={name as string}>
          <Typography component="dt" variant="subtitle2" color="textPrimary">
            {name}
          </Typography>
          <Typography component="dd" variant="body2">
            {text}
          </Typography>
        </div>
      ))}
    </Column>
  </Column>
);

/** How long existing license files keep working without the server, as a sentence. */
export function useOfflineValidity(license: License): string {
  const { data: product } = $api.useQuery(
    "get",
    "/api/products/{productId}",
    at({ productId: license.productId }),
  );
  const days = product?.settings.offlineFileLifetimeDays ?? null;
  const end = fileEnd(license);
  if (license.activationMode === "Online")
    return t`Existing files keep working offline only for the application's grace period, by default 7 days.`;
  if (days !== null)
    return plural(days, {
      other:
        "Existing files keep working offline until they must be refreshed, at most # days after they were created.",
    });
  if (end === null)
    return t`Existing files keep working offline indefinitely, because license files of this product never have to be refreshed.`;
  const day = date(end);
  return license.graceDays > 0
    ? t`Existing files keep working offline until the license ends, on ${day} with its grace.`
    : t`Existing files keep working offline until the license ends, on ${day}.`;
}

const DAY = 86_400_000;

/** The end of the term and of the grace after it, through which a license file holds. */
function fileEnd({ expirationDate, graceDays }: License): string | null {
  if (expirationDate === null) return null;
  return new Date(Date.parse(expirationDate) + graceDays * DAY).toISOString();
}

type ReasonFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { helperText?: string };

export const ReasonField = <Values extends FieldValues, Name extends Path<Values>>({
  helperText = t`Optional. Recorded in the audit log.`,
  ...field
}: ReasonFieldProps<Values, Name>) => (
  <FormField
    {...field}
    label={t`Reason`}
    multiline
    demand={{ maxLength: 500 }}
    helperText={helperText}
  />
);
