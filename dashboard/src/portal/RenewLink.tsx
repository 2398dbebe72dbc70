import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { Schemas } from "../api/types";
import { isLink } from "../ui/links";

/** The button to where the vendor renews a license, for one that ends and whose vendor names a place. */
export function RenewLink({ license }: { license: Schemas["PortalLicense"] }) {
  const { renewUrl, status, expirationDate, updatesUntil } = license;
  const ends = expirationDate !== null || updatesUntil !== null;
  const isOpen = status === "Active" || status === "Expired";
  if (!isLink(renewUrl) || !ends || !isOpen) return null;
  return (
    <Button
      component="a"
      href={renewUrl}
      target="_blank"
      rel="noreferrer"
      variant={status === "Expired" ? "contained" : "outlined"}
    >
      {t`Renew`}
    </Button>
  );
}
