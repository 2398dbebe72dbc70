import { t } from "@lingui/core/macro";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import Typography from "@mui/material/Typography";
import { useId, type ReactNode } from "react";
import styles from "./detailsDrawer.module.css";
import { CloseIcon } from "./icons";
import { Column, Row } from "./layout/layout";

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
          className: styles.drawer,
        },
      }}
    >
      <Row gap="m" className={styles.header}>
        <Typography id={id} variant="h6" component="h2" className={styles.title}>
          {title}
        </Typography>
        {mark}
        <IconButton aria-label={t`Close`} onClick={onClose} className={styles.close}>
          <CloseIcon />
        </IconButton>
      </Row>
      <Column gap="l" className={styles.details}>
        {children}
      </Column>
      {footer && (
        <Row folds gap="m" className={styles.footer}>
          {footer}
        </Row>
      )}
    </Drawer>
  );
}
