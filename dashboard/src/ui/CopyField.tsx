import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { CopyButton } from "./CopyButton";
import { inSentence } from "./labels";

interface CopyFieldProps {
  label: string;
  value: string;
  /** Text to display instead of the value, such as a masked one. */
  shown?: string;
  /** Multiple lines, such as a PEM key or a code snippet. */
  block?: boolean;
}

/** A labeled value in monospace with a copy button. */
export const CopyField = ({ label, value, shown = value, block = false }: CopyFieldProps) => (
  <Box sx={{ minWidth: 0 }}>
    <Typography variant="caption" color="textSecondary" component="p">
      {label}
    </Typography>
    <Stack direction="row" sx={{ alignItems: block ? "flex-start" : "center", gap: 0.5 }}>
      <Box
        component={block ? "pre" : "code"}
        {...(block && { tabIndex: 0, "aria-label": label, role: "region" })}
        sx={{
          m: 0,
          minWidth: 0,
          flex: block ? 1 : "initial",
          fontSize: 13,
          overflowWrap: "anywhere",
          ...(block && {
            p: 1.5,
            borderRadius: 1,
            bgcolor: "background.default",
            overflow: "auto",
            maxHeight: 360,
          }),
        }}
      >
        {shown}
      </Box>
      <CopyButton value={value} label={t`Copy ${{ what: inSentence(label) }}`} />
    </Stack>
  </Box>
);
