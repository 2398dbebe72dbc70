import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import { CopyButton } from "../../ui/CopyButton";

interface HardwareIdProps {
  id: string;
  /** Accessible name of its button: "Copy bound hardware ID". */
  label?: string;
}

/** A hardware ID on one line, truncated to fit, with a button that copies all of it. */
export const HardwareId = ({ id, label = t`Copy hardware ID` }: HardwareIdProps) => (
  <Stack direction="row" sx={{ alignItems: "center", gap: 0.25, minWidth: 0 }}>
    <Box
      component="code"
      title={id}
      sx={{
        fontSize: 12,
        color: "text.secondary",
        overflow: "hidden",
        textOverflow: "ellipsis",
        whiteSpace: "nowrap",
        maxWidth: { xs: 140, sm: 180 },
      }}
    >
      {id}
    </Box>
    <CopyButton value={id} label={label} />
  </Stack>
);
