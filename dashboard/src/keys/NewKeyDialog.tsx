import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import { useState } from "react";
import { api } from "../api/client";
import { IpListField } from "../ui/IpListField";
import { linesOf } from "../ui/ipRanges";
import { CopyField } from "../ui/CopyField";
import { FormField } from "../ui/Form";
import { FormDialog } from "../ui/FormDialog";
import { MarkdownEditor } from "../ui/MarkdownField";
import { useNotifyChanged } from "../ui/useNotifyChanged";
import { ExpiryField, momentOf, type Expiry } from "./ExpiryField";
import type { IssuedKey } from "./key";
import { curlExample, scopesOf } from "./scopes";
import { ScopesField, type Reaches } from "./ScopesField";

const FIRST: Reaches = {
  Licenses: "Read",
  Activations: "None",
  Products: "None",
  Releases: "None",
  Meter: "None",
  Statistics: "None",
  Webhooks: "None",
  Customers: "None",
};

interface NewKeyDialogProps {
  institutionId: string;
  onMade: (key: IssuedKey) => void;
  onClose: () => void;
}

/** Creates an API key with its scopes, expiration date and allowed addresses. */
export function NewKeyDialog({ institutionId, onMade, onClose }: NewKeyDialogProps) {
  const [now] = useState(Date.now);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [expiry, setExpiry] = useState<Expiry>("90");
  const [day, setDay] = useState("");
  const [reaches, setReaches] = useState(FIRST);
  const [addresses, setAddresses] = useState("");
  const notifyChanged = useNotifyChanged();
  const scopes = scopesOf(reaches);
  const create = async () => {
    const { data } = await api.POST("/api/api-keys", {
      body: {
        institutionId,
        name,
        description: description.trim() || null,
        expirationDate: momentOf(expiry, day, now),
        scopes,
        ipAllowList: linesOf(addresses),
      },
    });
    if (!data) return;
    notifyChanged(t`API key ${{ name: data.name }} created.`);
    onMade(data);
  };
  return (
    <FormDialog
      title={t`New API key`}
      action={t`Create API key`}
      disabled={scopes.length === 0}
      onSubmit={create}
      onClose={onClose}
    >
      <FormField
        name="name"
        label={t`Name`}
        required
        autoFocus
        helperText={t`The program that uses it, for example Web shop. Shown in the audit log.`}
        value={name}
        onValue={setName}
        slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
      />
      <MarkdownEditor
        message={undefined}
        name="description"
        label={t`Description`}
        value={description}
        onValue={setDescription}
        helperText={t`What it is for, and who looks after it.`}
      />
      <ExpiryField expiry={expiry} day={day} now={now} onExpiry={setExpiry} onDay={setDay} />
      <ScopesField value={reaches} onChange={setReaches} />
      {scopes.length === 0 && <Alert severity="warning">{t`Choose at least one scope.`}</Alert>}
      <IpListField label={t`Allowed addresses`} value={addresses} onValue={setAddresses} />
      <CopyField label={t`Example request`} value={curlExample(scopes)} block />
    </FormDialog>
  );
}
