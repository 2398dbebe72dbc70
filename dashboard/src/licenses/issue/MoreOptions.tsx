import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useId, useState, type ReactNode } from "react";
import { ExpandIcon } from "../../ui/icons";

/** Collapsible section for rarely needed fields; `open` if one of them is in use. */
export function MoreOptions({ open, children }: { open: boolean; children: ReactNode }) {
  const id = useId();
  const [asked, setAsked] = useState(open);
  const shown = asked || open;
  return (
    <Box>
      <Button
        size="small"
        aria-expanded={shown}
        aria-controls={id}
        endIcon={<ExpandIcon style={{ transform: shown ? "rotate(180deg)" : undefined }} />}
        onClick={() => {
          setAsked(!asked);
        }}
      >
        More options
      </Button>
      <Box id={id} hidden={!shown} sx={{ mt: 1.5 }}>
        {children}
      </Box>
    </Box>
  );
}
