import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { useState } from "react";
import { KeyIcon } from "../ui/icons";
import { EmptyState } from "../ui/EmptyState";
import { SecretDialog } from "../ui/SecretDialog";
import { TabHeading } from "../ui/Section";
import { useCan } from "../ui/useInstitution";
import type { IssuedKey } from "./key";
import { KeyList } from "./KeyList";
import { NewKeyDialog } from "./NewKeyDialog";
import { AddButton } from "../ui/AddButton";

/** The API keys of an institution. */
export function ApiKeysTab({ institutionId }: { institutionId: string }) {
  const { manage } = useCan(institutionId);
  const [isNew, setNew] = useState(false);
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  if (!manage)
    return (
      <Card>
        <EmptyState icon={<KeyIcon />} title={t`Only Owners and Admins can manage API keys`}>
          {t`Ask one of them for a key and tell them what your program needs to do.`}
        </EmptyState>
      </Card>
    );
  return (
    <>
      <TabHeading
        title={t`API keys`}
        help="api-keys"
        action={<AddButton onClick={() => setNew(true)}>{t`New API key`}</AddButton>}
      >
        {t`For programs that use the API on your behalf. A key can do what its scopes allow, and no more than the person who created or last rotated it.`}
      </TabHeading>
      <KeyList institutionId={institutionId} onRotated={setIssued} />
      {isNew && (
        <NewKeyDialog
          institutionId={institutionId}
          onMade={setIssued}
          onClose={() => setNew(false)}
        />
      )}
      {issued && (
        <SecretDialog
          title={t`Secret for ${{ name: issued.name }}`}
          label={t`API key`}
          secret={issued.secret}
          fileName="api-key.txt"
          onClose={() => setIssued(null)}
        />
      )}
    </>
  );
}
