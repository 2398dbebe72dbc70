import { t } from "@lingui/core/macro";
import FormLabel from "@mui/material/FormLabel";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { useId, useLayoutEffect, useRef, useState } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "./form/useApiForm";
import { useField } from "./form/useField";
import { number } from "./formats";
import { BoldIcon, ItalicIcon, LinkIcon, ListIcon } from "./icons";
import { Row } from "./layout/layout";
import styles from "./markdownField.module.css";
import { RichText } from "./RichText";

const TOOLS = [
  { mark: "bold", label: t`Bold`, icon: <BoldIcon /> },
  { mark: "italic", label: t`Italic`, icon: <ItalicIcon /> },
  { mark: "list", label: t`List`, icon: <ListIcon /> },
  { mark: "link", label: t`Link`, icon: <LinkIcon /> },
] satisfies { mark: Mark; label: string; icon: React.ReactNode }[];

const MAX_LENGTH = 20_000;
/** From this length on, characters are counted. */
const COUNTED = 0.8 * MAX_LENGTH;

interface MarkdownEditorProps {
  name: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
  onBlur?: () => void;
  helperText: string;
  /** What is wrong with the text. */
  message: string | undefined;
}

type MarkdownFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { label: string; helperText: string };

/** A field of a form for rich text. */
export function MarkdownField<Values extends FieldValues, Name extends Path<Values>>(
  props: MarkdownFieldProps<Values, Name>,
) {
  const { value, set, leave, message } = useField(props);
  const { name, label, helperText } = props;
  const given = { name, label, helperText, message, value: String(value), onValue: set };
  return <MarkdownEditor {...given} onBlur={leave} />;
}

/** An editor for rich text: Markdown with buttons for the usual marks, and a preview. */
function MarkdownEditor(props: MarkdownEditorProps) {
  const { name, label, value, onValue, onBlur, helperText, message } = props;
  const id = useId();
  const [isPreview, setPreview] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const pending = useRef<Selected>(null);
  const [refused, refuse] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (!pending.current || !input.current) return;
    input.current.focus();
    input.current.setSelectionRange(pending.current.start, pending.current.end);
    pending.current = null;
  }, [value]);
  const mark = (chosen: Mark) => {
    if (!input.current) return;
    const { selectionStart: start, selectionEnd: end } = input.current;
    pending.current = marked({ text: value, start, end }, chosen);
    onValue(pending.current.text);
  };
  return (
    <div>
      <Row gap="s" place="apart" wraps className={styles.bar}>
        <FormLabel {...(isPreview ? { component: "span" } : { htmlFor: id })}>{label}</FormLabel>
        <Row gap="s">
          {!isPreview && <Tools onMark={mark} />}
          <ToggleButtonGroup
            exclusive
            size="small"
            aria-label={t`Editor`}
            value={isPreview ? "preview" : "write"}
            onChange={(_, chosen: string | null) => {
              if (chosen) setPreview(chosen === "preview");
            }}
          >
            <ToggleButton value="write">{t`Write`}</ToggleButton>
            <ToggleButton value="preview">{t`Preview`}</ToggleButton>
          </ToggleButtonGroup>
        </Row>
      </Row>
      {isPreview ? (
        <Preview label={label} text={value} />
      ) : (
        <TextField
          id={id}
          name={name}
          value={value}
          multiline
          fullWidth
          minRows={3}
          maxRows={14}
          inputRef={input}
          error={message !== undefined || refused !== null}
          helperText={
            message ??
            (refused !== null
              ? t`Use at most ${{ most: number(MAX_LENGTH) }} characters. With what you pasted there would be ${{ count: number(refused) }}.`
              : value.length > COUNTED
                ? t`${{ count: number(value.length) }} of ${{ most: number(MAX_LENGTH) }} characters`
                : `${helperText} ${t`Markdown is supported.`}`)
          }
          slotProps={{ htmlInput: { maxLength: MAX_LENGTH, dir: "auto" } }}
          onBlur={onBlur}
          // A text of megabytes would freeze the page before it is cut.
          onPaste={(event) => {
            const { selectionStart = 0, selectionEnd = 0 } = input.current ?? {};
            const pasted = event.clipboardData.getData("text").length;
            const count = value.length - (selectionEnd - selectionStart) + pasted;
            if (count <= MAX_LENGTH) return;
            event.preventDefault();
            refuse(count);
          }}
          onChange={(event) => {
            refuse(null);
            onValue(event.target.value);
          }}
        />
      )}
    </div>
  );
}

const Tools = ({ onMark }: { onMark: (mark: Mark) => void }) => (
  <Row role="group" aria-label={t`Format`}>
    {TOOLS.map((tool) => (
      <Tooltip key={tool.mark} title={tool.label}>
        <IconButton size="small" aria-label={tool.label} onClick={() => onMark(tool.mark)}>
          {tool.icon}
        </IconButton>
      </Tooltip>
    ))}
  </Row>
);

const Preview = ({ label, text }: { label: string; text: string }) => (
  <div role="region" aria-label={t`Preview of ${label}`} tabIndex={0} className={styles.preview}>
    {text.trim() ? (
      <RichText>{text}</RichText>
    ) : (
      <Typography color="textSecondary">{t`Nothing to preview yet.`}</Typography>
    )}
  </div>
);

/** A text with a selection. */
interface Selected {
  text: string;
  start: number;
  end: number;
}

type Mark = "bold" | "italic" | "list" | "link";

const SAMPLE = { bold: t`bold text`, italic: t`italic text`, list: t`item`, link: t`link text` };
const SIGN = { bold: "**", italic: "_" };
const URL_SAMPLE = "https://";

/** Marks the selection as Markdown, or a sample text where nothing is selected. */
function marked({ text, start, end }: Selected, mark: Mark): Selected {
  const chosen = text.slice(start, end) || SAMPLE[mark];
  if (mark === "list") return listed(text, start, end);
  const [before, after] = mark === "link" ? ["[", `](${URL_SAMPLE})`] : [SIGN[mark], SIGN[mark]];
  const from = start + before.length;
  return {
    text: text.slice(0, start) + before + chosen + after + text.slice(end),
    start: from,
    end: from + chosen.length,
  };
}

/** Makes the selected lines items of a list. */
function listed(text: string, start: number, end: number): Selected {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const until = text.indexOf("\n", end) === -1 ? text.length : text.indexOf("\n", end);
  const items = (text.slice(from, until) || SAMPLE.list)
    .split("\n")
    .map((line) => (line.startsWith("- ") ? line : `- ${line}`))
    .join("\n");
  return {
    text: text.slice(0, from) + items + text.slice(until),
    start: from,
    end: from + items.length,
  };
}
