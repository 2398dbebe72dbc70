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
  offered: Schemas["OfferedFactorView"];
  onCodes: (codes: string[]) => Promise<void>;
  onClose: () => void;
}

/** Brings a secret into an authenticator app, and asks for the first code of it. */
export function EnrollDialog({ offered, onCodes, onClose }: EnrollDialogProps) {
  const submit = useSubmit(async ({ otpCode = "" }) => {
    const { data } = await api.POST("/api/auth/totp/confirm", { body: { otpCode } });
    onClose();
    if (data) await onCodes(data.recoveryCodes);
  });
  return (
    <Dialog open onClose={submit.busy ? undefined : onClose} aria-labelledby="enroll-title">
      <form {...submit.form}>
        <DialogTitle id="enroll-title">Turn on the second factor</DialogTitle>
        <DialogContent>
          <Stack component="ol" sx={{ gap: 2, m: 0, pl: 2.5 }}>
            <li>
              Scan this with an authenticator app on your phone.
              <QrCode content={offered.otpauthUri} />
              <CopyField label="Or type this secret into the app" value={grouped(offered.secret)} />
            </li>
            <li>
              Enter the code that the app shows.
              <TextField
                {...submit.field("otpCode")}
                label="Code from the app"
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
            Cancel
          </Button>
          <Button type="submit" variant="contained" loading={submit.busy}>
            Turn on
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const SIZE = 184;

/** Drawn here: the secret leaves the page for no other server. */
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
      {data && <img src={data} alt="QR code of the secret" width={SIZE} height={SIZE} />}
    </Box>
  );
}

const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");
