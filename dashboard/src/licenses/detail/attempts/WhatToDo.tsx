import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import type { License } from "../../../api/types";
import { Section } from "../../../ui/Section";
import { RevokeDialog } from "../actions/RevokeDialog";
import { isAddress } from "../facts";
import { ReviewAllButton } from "./ReviewButton";

/** What the attempts may mean, and what there is to do about them. */
export function WhatToDo({ license }: { license: License }) {
  const [revoking, setRevoking] = useState(false);
  return (
    <Section
      title="What to make of them"
      help="access-attempts"
      actions={
        <>
          {license.unreviewedAccessAttempts > 0 && <ReviewAllButton license={license} />}
          {isAddress(license.issuedTo) && (
            <Button
              size="small"
              variant="outlined"
              href={`mailto:${license.issuedTo}?subject=${encodeURIComponent(license.licenseName)}`}
            >
              Write to the customer
            </Button>
          )}
          {license.status !== "Revoked" && (
            <Button
              size="small"
              variant="outlined"
              color="error"
              onClick={() => {
                setRevoking(true);
              }}
            >
              Revoke license
            </Button>
          )}
        </>
      }
    >
      <Typography color="textSecondary" sx={{ maxWidth: 760 }}>
        A new computer is the usual reason: deactivate the old one under{" "}
        <Link component={RouterLink} to={`/licenses/${license.id}/activations`}>
          Activations
        </Link>
        , and the new one is let in. Many machines within a few days tell of a key that is passed
        on. Marking an attempt as reviewed takes the warning away and changes nothing else.
      </Typography>
      {revoking && (
        <RevokeDialog
          license={license}
          onClose={() => {
            setRevoking(false);
          }}
        />
      )}
    </Section>
  );
}
