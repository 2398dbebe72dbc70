import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/FormDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

const HOUR = 3_600;
const GRACES: readonly (readonly [label: string, seconds: number | null])[] = [
  [t`Until I revoke them`, null],
  [t`30 days`, 720 * HOUR],
  [t`1 day`, 24 * HOUR],
  [t`1 hour`, HOUR],
];

interface RotateProductKeyDialogProps {
  productId: string;
  onClose: () => void;
}

/** Creates a new product key and sets how long the old ones keep working. */
export function RotateProductKeyDialog({ productId, onClose }: RotateProductKeyDialogProps) {
  const notifyChanged = useNotifyChanged();
  const [grace, setGrace] = useState<number | null>(null);
  const rotate = async () => {
    await api.POST("/api/products/{productId}/credentials/rotate", {
      params: { path: { productId } },
      body: { graceSeconds: grace },
    });
    notifyChanged(t`Product key rotated. Use the new key in your next build.`);
  };
  return (
    <FormDialog
      title={t`Rotate product key`}
      action={t`Rotate product key`}
      onSubmit={rotate}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`This creates a new key for your next builds. Choose a grace period that gives all customers time to update: after it, builds with an older key are rejected.`}
      </Typography>
      <FormControl>
        <FormLabel id="grace">{t`Existing keys keep working`}</FormLabel>
        <RadioGroup
          aria-labelledby="grace"
          value={String(grace)}
          onChange={(_, chosen) => {
            setGrace(GRACES.find(([, seconds]) => String(seconds) === chosen)?.[1] ?? null);
          }}
        >
          {GRACES.map(([label, seconds]) => (
            <FormControlLabel
              key={label}
              value={String(seconds)}
              control={<Radio />}
              label={label}
            />
          ))}
        </RadioGroup>
      </FormControl>
    </FormDialog>
  );
}
