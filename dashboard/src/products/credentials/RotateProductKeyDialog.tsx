import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

const HOUR = 3_600;
const GRACES: readonly (readonly [label: string, seconds: string])[] = [
  [t`Until I revoke them`, ""],
  [t`30 days`, String(720 * HOUR)],
  [t`1 day`, String(24 * HOUR)],
  [t`1 hour`, String(HOUR)],
];
const FIRST = { graceSeconds: "" };

interface RotateProductKeyDialogProps {
  productId: string;
  onClose: () => void;
}

/** Creates a new product key and sets how long the old ones keep working. */
export function RotateProductKeyDialog({ productId, onClose }: RotateProductKeyDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: FIRST,
    send: async ({ graceSeconds }) => {
      await api.POST("/api/products/{productId}/credentials/rotate", {
        params: { path: { productId } },
        body: { graceSeconds: graceSeconds ? Number(graceSeconds) : null },
      });
      notifyChanged(t`Product key rotated. Use the new key in your next build.`);
    },
  });
  const grace = useField(form.field("graceSeconds"));
  return (
    <FormDialog
      form={form}
      title={t`Rotate product key`}
      action={t`Rotate product key`}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`This creates a new key for your next builds. Choose a grace period that gives all customers time to update: after it, builds with an older key are rejected.`}
      </Typography>
      <FormControl>
        <FormLabel id="grace">{t`Existing keys keep working`}</FormLabel>
        <RadioGroup aria-labelledby="grace" value={grace.value} onChange={grace.set}>
          {GRACES.map(([label, seconds]) => (
            <FormControlLabel key={label} value={seconds} control={<Radio />} label={label} />
          ))}
        </RadioGroup>
      </FormControl>
    </FormDialog>
  );
}
