import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { createPortal } from "react-dom";
import { save } from "../../api/client";
import { date } from "../formats";
import { DownloadIcon, PrintIcon } from "../icons";
import { Column, Row } from "../layout/layout";
import { Muted } from "../Muted";
import { QrCode } from "../QrCode";
import { groupsOf, symbolsOf } from "./codes";
import styles from "./offline.module.css";
import type { RequestAnswer } from "./wire";

/** The most characters that a QR code can hold. */
const QR_MAX = 2_953;
const QR_SIZE = 480;

/** Gives what is shown the focus, if that is lost with the button that was pressed. */
export function focusOn(shown: HTMLElement | null): void {
  if (document.activeElement === document.body) shown?.focus();
}

interface AnswerViewProps {
  answer: RequestAnswer;
  /** What the answer is for: the product, and the machine if it has a name. */
  title: string;
}

/** The answer as a file, as a QR code, and as a code to type. */
export function AnswerView({ answer, title }: AnswerViewProps) {
  const { file, fileName, code, endsAt } = answer;
  const content = file === null ? null : atob(file);
  return (
    <Column gap="l">
      <Alert severity="success" ref={focusOn} tabIndex={-1} className={styles.result}>
        {endsAt === null
          ? t`The license file is ready.`
          : t`The license file is ready. It works until ${{ day: date(endsAt) }}; send a new request before then.`}
      </Alert>
      {content !== null && <FilePart content={content} name={fileName ?? "license.bin"} />}
      {code !== null && <CodePart code={code} title={title} endsAt={endsAt} />}
    </Column>
  );
}

function FilePart({ content, name }: { content: string; name: string }) {
  const [isShown, setShown] = useState(false);
  const isSmall = content.length <= QR_MAX;
  const saveFile = () => {
    const bytes = Uint8Array.from(content, (letter) => letter.charCodeAt(0));
    save(new Blob([bytes], { type: "application/octet-stream" }), name);
  };
  return (
    <Column gap="s" align="start">
      <Row gap="s" wraps>
        <Button variant="contained" startIcon={<DownloadIcon />} onClick={saveFile}>
          {t`Download ${{ file: name }}`}
        </Button>
        {isSmall && (
          <Button variant="outlined" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? t`Hide QR code` : t`Show as QR code`}
          </Button>
        )}
      </Row>
      <Muted>
        {isSmall
          ? t`Take the file to the machine, for example on a USB stick, or let its camera read the QR code.`
          : t`Take the file to the machine, for example on a USB stick. It is too large for a QR code.`}
      </Muted>
      {isShown && (
        <QrCode content={content} label={t`QR code with the license file`} size={QR_SIZE} />
      )}
    </Column>
  );
}

interface CodeProps {
  code: string;
  title: string;
  endsAt: string | null;
}

function CodePart({ code, title, endsAt }: CodeProps) {
  return (
    <section className={styles.code} aria-label={t`Answer code`}>
      <Column gap="s" align="start">
        <Row gap="s" wraps>
          <h3 className={styles.heading}>{t`Or type this code on the machine`}</h3>
          <Button size="small" startIcon={<PrintIcon />} onClick={() => window.print()}>
            {t`Print`}
          </Button>
        </Row>
        <Muted>
          {t`The application checks each group while you type. The letters O and I count as 0 and 1.`}
        </Muted>
        <Groups code={code} />
      </Column>
      {createPortal(<Sheet code={code} title={title} endsAt={endsAt} />, document.body)}
    </section>
  );
}

/** The groups of a code, each with its number. */
const Groups = ({ code }: { code: string }) => (
  <ol className={styles.groups} aria-label={t`Groups of the answer code`}>
    {groupsOf(symbolsOf(code)).map((group, place) => (
      // A group may occur twice, and none ever moves.
      <li key={place}>
        <code>{group}</code>
      </li>
    ))}
  </ol>
);

/** What is printed in the place of the page. */
const Sheet = ({ code, title, endsAt }: CodeProps) => (
  <div className={styles.sheet}>
    <h1>{title}</h1>
    <p>
      {t`Answer code for a machine without a network. Type the groups in their order into the application.`}
    </p>
    {endsAt !== null && <p>{t`It works until ${{ day: date(endsAt) }}.`}</p>}
    <Groups code={code} />
  </div>
);
