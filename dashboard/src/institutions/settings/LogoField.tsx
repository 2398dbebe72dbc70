import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { api } from "../../api/client";
import { asProblem } from "../../api/problem";
import type { Schemas } from "../../api/types";
import { putImage } from "../../ui/image";
import { ImagePicker } from "../../ui/ImagePicker";
import { notify } from "../../ui/toasts/toasts";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

/** The logo of the institution, which is saved as soon as it is chosen. */
export function LogoField({ appearance }: { appearance: Schemas["Appearance"] }) {
  const { institutionId, logoUrl } = appearance;
  const [isBusy, setBusy] = useState(false);
  const notifyChanged = useNotifyChanged();
  const change = async (work: () => Promise<unknown>, sentence: string) => {
    setBusy(true);
    try {
      await work();
      notifyChanged(sentence);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  const remove = () =>
    api.DELETE("/api/institutions/{institutionId}/logo", { params: { path: { institutionId } } });
  return (
    <ImagePicker
      label={logoUrl ? t`Replace logo` : t`Upload logo`}
      seenBy={t`Visible to everyone.`}
      preview={logoUrl}
      onPick={({ file }) => {
        const path = `/api/institutions/${institutionId}/logo`;
        void change(() => putImage(path, file), t`Logo updated.`);
      }}
    >
      {logoUrl && (
        <Button loading={isBusy} onClick={() => void change(remove, t`Logo removed.`)}>
          {t`Remove logo`}
        </Button>
      )}
    </ImagePicker>
  );
}
