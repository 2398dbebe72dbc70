import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { AddIcon, DeleteIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import styles from "./issue.module.css";
import type { Draft } from "./issueDraft";

const MOST = 50;

/** Key-value pairs delivered to the application with the license. */
export function MetadataFields(props: FieldProps<Draft, "metadata">) {
  const { value: pairs, set, message } = useField(props);
  const change = (index: number, pair: Partial<(typeof pairs)[number]>) =>
    set(pairs.map((item, at) => (at === index ? { ...item, ...pair } : item)));
  return (
    <Column gap="m" role="group" aria-label={t`Metadata`}>
      <div>
        <Typography variant="subtitle1" component="p">{t`Metadata`}</Typography>
        <Muted>{t`Key-value pairs that your application can read from the license.`}</Muted>
      </div>
      {pairs.map((pair, index) => (
        <Row key={index} gap="s">
          <TextField
            label={t`Name ${{ place: String(index + 1) }}`}
            value={pair.name}
            autoComplete="off"
            error={message !== undefined && !pair.name.trim()}
            slotProps={{ htmlInput: { maxLength: 100 } }}
            onChange={(event) => change(index, { name: event.target.value })}
            className={styles.name}
          />
          <TextField
            label={t`Value ${{ place: String(index + 1) }}`}
            value={pair.value}
            autoComplete="off"
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            onChange={(event) => change(index, { value: event.target.value })}
            className={styles.value}
          />
          <IconButton
            aria-label={t`Remove entry ${{ place: String(index + 1) }}`}
            onClick={() => set(pairs.toSpliced(index, 1))}
          >
            <DeleteIcon />
          </IconButton>
        </Row>
      ))}
      {message !== undefined && <FormHelperText error>{message}</FormHelperText>}
      <Row>
        <Button
          size="small"
          startIcon={<AddIcon />}
          disabled={pairs.length >= MOST}
          onClick={() => set([...pairs, { name: "", value: "" }])}
        >
          {t`Add entry`}
        </Button>
      </Row>
    </Column>
  );
}
