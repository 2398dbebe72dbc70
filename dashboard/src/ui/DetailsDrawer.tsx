import { t } from "@lingui/core/macro";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useId, type ReactNode } from "react";
import { CloseIcon } from "./icons";

interface DetailsDrawerProps {
  title: string;
  /** Shown next to the title, such as a status. */
  mark?: ReactNode;
  /** What can be done, below the details, which scroll. */
  footer?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** Details of a row, beside the list that it belongs to. */
export function DetailsDrawer({ title, mark, footer, onClose, children }: DetailsDrawerProps) {
  const id = useId();
  return (
    <Drawer
      open
      anchor="right"
      onClose={onClose}
      slotProps={{
        paper: {
          role: "dialog",
          "aria-labelledby": id,
          sx: { width: 620, maxWidth: "100vw", borderRadius: 0 },
        },
      }}
    >
      <Stack
        direction="row"
        sx={{ gap: 1.25, alignItems: "center", p: 2, borderBottom: 1, borderColor: "divider" }}
      >
        <Typography
          id={id}
          variant="h6"
          component="h2"
          sx={{ minWidth: 0, overflowWrap: "anywhere" }}
        >
          {title}
        </Typography>
        {mark}
        <IconButton aria-label={t`Close`} onClick={onClose} sx={{ ml: "auto" }}>
          <CloseIcon />
        </IconButton>
      </Stack>
      <Stack sx={{ gap: 2.5, p: 2, flex: 1, overflowY: "auto" }}>{children}</Stack>
      {footer && (
        <Stack
          direction={{ xs: "column", sm: "row" }}
          sx={{
            gap: 1.5,
            p: 2,
            borderTop: 1,
            borderColor: "divider",
            alignItems: { sm: "center" },
          }}
        >
          {footer}
        </Stack>
      )}
    </Drawer>
  );
}
