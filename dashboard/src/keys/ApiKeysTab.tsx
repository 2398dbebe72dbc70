import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { AddIcon } from "../ui/icons";
import { EmptyState } from "../ui/EmptyState";
import { HelpLink } from "../ui/HelpLink";
import { SecretDialog } from "../ui/SecretDialog";
import { useCan, useInstitution } from "../ui/useInstitution";
import type { IssuedKey } from "./key";
import { KeyList } from "./KeyList";
import { NewKeyDialog } from "./NewKeyDialog";

/** The API keys of the current institution. */
export function ApiKeysTab() {
  const { institutionId, profile } = useInstitution();
  const { manage } = useCan();
  const [isNew, setNew] = useState(false);
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const add = manage && institutionId && (
    <Button
      variant="contained"
      startIcon={<AddIcon />}
      onClick={() => {
        setNew(true);
      }}
    >
      {t`New API key`}
    </Button>
  );
  return (
    <>
      <Stack
        direction={{ xs: "column", md: "row" }}
        sx={{ gap: 1.5, mb: 2.5, alignItems: { md: "flex-start" } }}
      >
        <Typography color="textSecondary" sx={{ flex: 1, minWidth: 0 }}>
          <Trans>
            For programs that use the API on your behalf. A key can do what its scopes allow, and no
            more than the person who created or last rotated it.
          </Trans>{" "}
          <HelpLink topic="api-keys" />
        </Typography>
        {add}
      </Stack>
      {profile && !add && (
        <EmptyState
          title={
            manage ? t`You have no institution yet` : t`Only Owners and Admins can manage API keys`
          }
        >
          {manage
            ? t`An API key belongs to an institution. Create an institution, or ask to be invited to one.`
            : t`Ask one of them for a key and tell them what your program needs to do.`}
        </EmptyState>
      )}
      {add && <KeyList institutionId={institutionId} add={add} onRotated={setIssued} />}
      {isNew && institutionId && (
        <NewKeyDialog
          institutionId={institutionId}
          onMade={setIssued}
          onClose={() => {
            setNew(false);
          }}
        />
      )}
      {issued && (
        <SecretDialog
          title={t`Secret for ${{ name: issued.name }}`}
          label={t`API key`}
          secret={issued.secret}
          fileName="api-key.txt"
          onClose={() => {
            setIssued(null);
          }}
        />
      )}
    </>
  );
}
