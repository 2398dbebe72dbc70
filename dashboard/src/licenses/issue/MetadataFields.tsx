import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { AddIcon, DeleteIcon } from "../../ui/icons";
import type { IssueForm } from "./useIssueForm";

const MOST = 50;

/** Key-value pairs delivered to the application with the license. */
export function MetadataFields({ form }: { form: IssueForm }) {
  const { metadata } = form.draft;
  const wrong = Object.entries(form.errors).filter(([field]) => field.startsWith("metadata"));
  const change = (index: number, pair: Partial<(typeof metadata)[number]>) => {
    form.set({
      metadata: metadata.map((item, at) => (at === index ? { ...item, ...pair } : item)),
    });
  };
  return (
    <Stack sx={{ gap: 1.5 }} role="group" aria-label={t`Metadata`}>
      <Box>
        <Typography sx={{ fontWeight: 600 }}>{t`Metadata`}</Typography>
        <Typography variant="body2" color="textSecondary">
          {t`Key-value pairs that your application can read from the license.`}
        </Typography>
      </Box>
      {metadata.map((pair, index) => (
        <Stack key={index} direction="row" sx={{ gap: 1, alignItems: "center" }}>
          <TextField
            label={t`Name ${{ place: String(index + 1) }}`}
            value={pair.name}
            autoComplete="off"
            error={wrong.length > 0 && !pair.name.trim()}
            slotProps={{ htmlInput: { maxLength: 100 } }}
            onChange={(event) => {
              change(index, { name: event.target.value });
            }}
            sx={{ flex: 1 }}
          />
          <TextField
            label={t`Value ${{ place: String(index + 1) }}`}
            value={pair.value}
            autoComplete="off"
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            onChange={(event) => {
              change(index, { value: event.target.value });
            }}
            sx={{ flex: 2 }}
          />
          <IconButton
            aria-label={t`Remove entry ${{ place: String(index + 1) }}`}
            onClick={() => {
              form.set({ metadata: metadata.filter((_, at) => at !== index) });
            }}
          >
            <DeleteIcon />
          </IconButton>
        </Stack>
      ))}
      {wrong.map(([field, message]) => (
        <FormHelperText key={field} error>
          {field === "metadata" ? message : `${field.slice("metadata.".length)}: ${message}`}
        </FormHelperText>
      ))}
      <Button
        size="small"
        startIcon={<AddIcon />}
        disabled={metadata.length >= MOST}
        sx={{ alignSelf: "flex-start" }}
        onClick={() => {
          form.set({ metadata: [...metadata, { name: "", value: "" }] });
        }}
      >
        {t`Add entry`}
      </Button>
    </Stack>
  );
}
