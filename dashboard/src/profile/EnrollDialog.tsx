import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { useQuery } from "@tanstack/react-query";
import { OtpRequest } from "../api/checks";
import { api } from "../api/client";
import type { Schemas } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";
import styles from "./profile.module.css";

interface EnrollDialogProps {
  offered: Schemas["OfferedFactor"];
  onCodes: (codes: string[]) => Promise<void>;
  onClose: () => void;
}

/** Sets up an authenticator app and confirms it with a first code. */
export function EnrollDialog({ offered, onCodes, onClose }: EnrollDialogProps) {
  const form = useApiForm({
    values: { otpCode: "" },
    checks: OtpRequest,
    send: async (body) => {
      const { data } = await api.POST("/api/auth/totp/confirm", { body });
      // The codes take its place.
      onClose();
      if (data) await onCodes(data.recoveryCodes);
    },
  });
  return (
    <FormDialog form={form} title={t`Turn on second factor`} action={t`Turn on`} onClose={onClose}>
      <ol className={styles.steps}>
        <li>
          <Column gap="m">
            {t`Scan this QR code with an authenticator app on your phone.`}
            <QrCode content={offered.otpauthUri} />
            <CopyField label={t`Or enter this secret in the app`} value={grouped(offered.secret)} />
          </Column>
        </li>
        <li>
          <Column gap="m">
            {t`Enter the code shown in the app.`}
            <FormField
              {...form.field("otpCode")}
              label={t`Authentication code`}
              autoComplete="one-time-code"
              autoFocus
              input={{ inputMode: "numeric" }}
            />
          </Column>
        </li>
      </ol>
    </FormDialog>
  );
}

const SIZE = 184;

/** Rendered locally, so that the secret is not sent to another server. */
function QrCode({ content }: { content: string }) {
  const { data } = useQuery({
    queryKey: ["qr-code"],
    queryFn: async () => {
      const { toString } = await import("qrcode");
      const svg = await toString(content, { type: "svg", margin: 2 });
      return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
    },
    gcTime: 0,
    staleTime: Infinity,
  });
  if (!data) return <Skeleton variant="rounded" width={SIZE} height={SIZE} />;
  return (
    <img
      src={data}
      alt={t`QR code with the secret`}
      width={SIZE}
      height={SIZE}
      className={styles.qrCode}
    />
  );
}

const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");
