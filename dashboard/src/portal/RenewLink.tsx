import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { Schemas } from "../api/types";
import { isLink } from "../ui/links";
import { MODEL_TRAITS } from "../ui/models";

/** What the vendor's page is opened for: a longer term, or more of a balance; null for neither. */
function purposeOf(license: Schemas["PortalLicense"]): string | null {
  const { status, expirationDate, updatesUntil } = license;
  const { meter } = MODEL_TRAITS[license.type];
  if (status === "Active" && meter)
    return meter === "uses" ? t`Get more uses` : t`Get more credits`;
  const ends = expirationDate !== null || updatesUntil !== null;
  return ends && (status === "Active" || status === "Expired") ? t`Renew` : null;
}

/** The button to where the vendor renews a license, if the vendor names a place. */
export function RenewLink({ license }: { license: Schemas["PortalLicense"] }) {
  const { renewUrl, status, meterBalance } = license;
  const purpose = purposeOf(license);
  if (!isLink(renewUrl) || purpose === null) return null;
  return (
    <Button
      component="a"
      href={renewUrl}
      target="_blank"
      rel="noreferrer"
      variant={status === "Expired" || meterBalance === 0 ? "contained" : "outlined"}
    >
      {purpose}
    </Button>
  );
}
