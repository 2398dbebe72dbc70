import AddIcon from "@mui/icons-material/Add";
import Button from "@mui/material/Button";
import { useState } from "react";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { SecretDialog } from "../ui/SecretDialog";
import { useCan, useInstitution } from "../ui/useInstitution";
import type { IssuedKey } from "./key";
import { KeyList } from "./KeyList";
import { NewKeyDialog } from "./NewKeyDialog";

/** The keys with which programs use the service in people's place. */
export default function ApiKeysPage() {
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
      New API key
    </Button>
  );
  return (
    <Page
      title="API keys"
      subtitle="For programs that use this service in your place. A key does no more than its scopes, and no more than its maker may."
      help="api-keys"
      actions={add}
    >
      {profile && !add && (
        <EmptyState
          title={manage ? "You work in no institution" : "API keys are for Owners and Admins"}
        >
          {manage
            ? "A key belongs to an institution, and does what its maker may do there. Found one, or be invited to one."
            : "Ask one of them for a key, and say what your program has to do."}
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
          title={`Secret of ${issued.name}`}
          label="API key"
          secret={issued.secret}
          fileName="api-key.txt"
          onClose={() => {
            setIssued(null);
          }}
        />
      )}
    </Page>
  );
}
