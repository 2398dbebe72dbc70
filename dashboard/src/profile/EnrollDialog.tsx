import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Schemas } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useSubmit } from "../ui/useSubmit";

interface EnrollDialogProps {
  offered: Schemas["OfferedFactor"];
  onCodes: (codes: string[]) => Promise<void>;
  onClose: () => void;
}

/** Sets up an authenticator app and confirms it with a first code. */
export function EnrollDialog({ offered, onCodes, onClose }: EnrollDialogProps) {
  const submit = useSubmit(async ({ otpCode = "" }) => {
    const { data } = await api.POST("/api/auth/totp/confirm", { body: { otpCode } });
    onClose();
    if (data) await onCodes(data.recoveryCodes);
  });
  return (
    <Dialog open onClose={submit.busy ? undefined : onClose} aria-labelledby="enroll-title">
      <form {...submit.form}>
        <DialogTitle id="enroll-title">{t`Turn on second factor`}</DialogTitle>
        <DialogContent>
          <Stack component="ol" sx={{ gap: 2, m: 0, pl: 2.5 }}>
            <li>
              {t`Scan this QR code with an authenticator app on your phone.`}
              <QrCode content={offered.otpauthUri} />
              <CopyField
                label={t`Or enter this secret in the app`}
                value={grouped(offered.secret)}
              />
            </li>
            <li>
              {t`Enter the code shown in the app.`}
              <TextField
                {...submit.field("otpCode")}
                label={t`Authentication code`}
                autoComplete="one-time-code"
                required
                autoFocus
                fullWidth
                sx={{ mt: 1.5 }}
                slotProps={{ htmlInput: { inputMode: "numeric" } }}
              />
            </li>
          </Stack>
          {submit.problem && <ProblemAlert error={submit.problem} />}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={submit.busy}>
            {t`Cancel`}
          </Button>
          <Button type="submit" variant="contained" loading={submit.busy}>
            {t`Turn on`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
  return (
    <Box
      sx={{
        my: 1.5,
        width: SIZE,
        height: SIZE,
        bgcolor: "common.white",
        borderRadius: 1,
        overflow: "hidden",
      }}
    >
      {data && <img src={data} alt={t`QR code with the secret`} width={SIZE} height={SIZE} />}
    </Box>
  );
}

const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");
