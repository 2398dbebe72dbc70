import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import IconButton from "@mui/material/IconButton";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import type { Schemas } from "../api/types";
import { AddIcon, DeleteIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import styles from "./pairs.module.css";

/** The kinds of the product's features by their names. */
export type Kinds = ReadonlyMap<string, Schemas["FeatureKind"]>;

/** A name and what was typed for it. */
export type Pair = readonly [name: string, value: string];

interface PairRowsProps {
  title: string;
  /** What is wrong with them. */
  error: string | undefined;
  /** Label of the button that adds one. */
  add: string;
  isFull: boolean;
  /** Not given if there is nothing to add. */
  onAdd?: (() => void) | undefined;
  children: ReactNode;
}

/** Pairs of a name and a value, in rows. */
export const PairRows = ({ title, error, add, isFull, onAdd, children }: PairRowsProps) => (
  <Column as="fieldset" gap="s" align="start" className={styles.pairs}>
    <Typography component="legend" variant="subtitle2" className={styles.legend}>
      {title}
    </Typography>
    {children}
    {error !== undefined && <FormHelperText error>{error}</FormHelperText>}
    {onAdd && (
      <Button startIcon={<AddIcon />} disabled={isFull} onClick={onAdd}>
        {add}
      </Button>
    )}
  </Column>
);

interface PairRowProps {
  /** Label of the button that removes it. */
  remove: string;
  onRemove: () => void;
  children: ReactNode;
}

/** A row with the field of the name and that of the value. */
export const PairRow = ({ remove, onRemove, children }: PairRowProps) => (
  <Row gap="s" className={styles.pair}>
    {children}
    <IconButton size="small" aria-label={remove} onClick={onRemove}>
      <DeleteIcon />
    </IconButton>
  </Row>
);
