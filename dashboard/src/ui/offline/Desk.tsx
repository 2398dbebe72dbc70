import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asProblem } from "../../api/problem";
import { DescriptionList } from "../DescriptionList";
import { date, number } from "../formats";
import { Column, Row } from "../layout/layout";
import { ProblemAlert } from "../ProblemAlert";
import { useSubmission } from "../useSubmission";
import { AnswerView, focusOn } from "./AnswerView";
import styles from "./offline.module.css";
import { namesLicense, type Readable } from "./requests";
import type { RequestAnswer, RequestKind, RequestPreview, RequestState } from "./wire";

/** How often the state of a request that waits is asked for again. */
const REFRESH_MS = 20_000;

/** Where requests are answered: by anybody, or by an operator. */
export interface DeskRoutes {
  /** Returns what is known of the request, and changes nothing. */
  preview: (request: Readable, licenseKey: string | null) => Promise<RequestPreview>;
  answer: (request: Readable, licenseKey: string | null) => Promise<RequestAnswer>;
}

interface DeskProps {
  request: Readable;
  routes: DeskRoutes;
  /** The key of the license, if it is known. */
  licenseKey?: string | null;
  /** Drops the request, for another one. */
  onAnother: () => void;
  /** Called after an answer. */
  onAnswered?: () => void;
}

/** Shows what a request asks for, and answers it. */
export function Desk({ request, routes, licenseKey = null, onAnother, onAnswered }: DeskProps) {
  const [typedKey, setTypedKey] = useState<string | null>(null);
  const [answer, setAnswer] = useState<RequestAnswer | null>(null);
  const { attempt, run } = useSubmission();
  const key = typedKey ?? (namesLicense(request) ? null : licenseKey);
  const isNameless = request.isCode && key === null;
  const { data, error, refetch } = useQuery({
    queryKey: ["offline-request", request.request, key],
    queryFn: () => routes.preview(request, key),
    enabled: !isNameless,
    refetchInterval: ({ state }) => (state.data?.state === "Waiting" ? REFRESH_MS : false),
    retry: false,
    gcTime: 0,
  });
  const another = <Button onClick={onAnother}>{t`Another request`}</Button>;
  if (isNameless)
    return (
      <Column gap="l">
        <KeyForm onKey={setTypedKey} />
        <Row>{another}</Row>
      </Column>
    );
  if (error !== null && !data && key === null && asProblem(error).code === "LicenseNotFound")
    return (
      <Column gap="l">
        <Alert severity="warning">
          {t`No license that offers offline activation was found for this request. With the license key, the desk can say more.`}
        </Alert>
        <KeyForm onKey={setTypedKey} />
        <Row>{another}</Row>
      </Column>
    );
  if (error !== null && !data)
    return (
      <Column gap="l">
        <ProblemAlert error={error} retry={() => void refetch()} />
        <Row gap="s" wraps>
          {typedKey !== null && (
            <Button variant="outlined" onClick={() => setTypedKey(null)}>
              {t`Another license key`}
            </Button>
          )}
          {another}
        </Row>
      </Column>
    );
  if (!data) return <Skeleton variant="rounded" height={160} />;
  if (answer?.state === "Answered")
    return (
      <Column gap="l">
        <AnswerView answer={answer} title={titleOf(data)} />
        <Row>{another}</Row>
      </Column>
    );
  const state = answer?.state ?? data.state;
  const send = () =>
    run(async () => {
      const given = await routes.answer(request, key);
      // What waits is known by the preview, which goes on asking.
      setAnswer(given.state === "Waiting" ? null : given);
      onAnswered?.();
      await refetch();
    });
  return (
    <Column gap="l">
      <div ref={focusOn} tabIndex={-1} className={styles.result}>
        <DescriptionList facts={factsOf(data)} />
      </div>
      {data.needsLicenseKey ? (
        <KeyForm onKey={setTypedKey} />
      ) : (
        <>
          <StateAlert state={state} preview={data} />
          {attempt.error !== null && <ProblemAlert error={attempt.error} />}
        </>
      )}
      <Row gap="s" wraps>
        {!data.needsLicenseKey && state !== "Rejected" && state !== "Released" && (
          <Button variant="contained" loading={attempt.busy} onClick={() => void send()}>
            {actionOf(state, data)}
          </Button>
        )}
        {another}
      </Row>
    </Column>
  );
}

const titleOf = ({ productName, deviceName }: RequestPreview): string =>
  deviceName === null ? productName : `${productName} · ${deviceName}`;

/** What a request asks for. */
export const KIND_WORDS: Record<RequestKind, string> = {
  Activate: t`Activate this machine`,
  Refresh: t`Renew the license file of this machine`,
  Release: t`Release this machine`,
};

const ACTIONS: Record<RequestKind, string> = {
  Activate: t`Activate machine`,
  Refresh: t`Renew license file`,
  Release: t`Release machine`,
};

function actionOf(state: RequestState, { kind, approval }: RequestPreview): string {
  if (state === "Waiting") return t`Check again`;
  if (state === "Answered") return t`Show answer`;
  return approval && kind !== "Release" ? t`Request approval` : ACTIONS[kind];
}

function factsOf(preview: RequestPreview): (readonly [string, string])[] {
  const { kind, productName, licenseName, deviceName, hardwareIdEnding } = preview;
  const { seatsUsed, seatsTotal } = preview;
  const used = number(seatsUsed ?? 0);
  const facts: (readonly [string, string | null])[] = [
    [t`Request`, KIND_WORDS[kind]],
    [t`Product`, productName],
    [t`License`, licenseName],
    [t`Machine`, deviceName],
    [t`Hardware ID`, hardwareIdEnding && t`ends with ${hardwareIdEnding}`],
    [t`Seats`, seatsTotal === null ? null : t`${used} of ${{ total: number(seatsTotal) }} in use`],
  ];
  return facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
}

/** What the state of a request means for whoever brought it. */
function StateAlert({ state, preview }: { state: RequestState; preview: RequestPreview }) {
  const { kind, approval, reason, endsAt } = preview;
  switch (state) {
    case "New":
      if (kind === "Release")
        return (
          <Alert severity="info">
            {t`The application on the machine has stopped using this license. Its seat becomes free at once.`}
          </Alert>
        );
      return (
        approval && (
          <Alert severity="info">
            {t`The vendor has to approve this request. You can come back later with the same request.`}
          </Alert>
        )
      );
    case "Waiting":
      return (
        <Alert severity="info" role="status">
          {t`Waiting for the vendor’s approval. This page checks automatically. You can also close it and come back with the same request.`}
        </Alert>
      );
    case "Rejected":
      return (
        <Alert severity="error">
          {reason === null || reason === ""
            ? t`The vendor rejected this request.`
            : t`The vendor rejected this request: ${reason}`}
        </Alert>
      );
    case "Answered":
      return (
        <Alert severity="success" role="status">
          {endsAt === null
            ? t`This request was answered. The answer is always the same.`
            : t`This request was answered. The answer is always the same, and works until ${{ day: date(endsAt) }}.`}
        </Alert>
      );
    case "Released":
      return (
        <Alert severity="success" role="status">
          {t`The machine is released, and its seat is free. Nothing needs to go back to the machine.`}
        </Alert>
      );
  }
}

/** Asks for the license key, where the request does not say whose it is. */
function KeyForm({ onKey }: { onKey: (key: string) => void }) {
  const [typed, setTyped] = useState("");
  return (
    <Column
      as="form"
      gap="s"
      align="start"
      onSubmit={(event) => {
        event.preventDefault();
        onKey(typed.trim());
      }}
    >
      <TextField
        label={t`License key`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        helperText={t`The request does not contain it. It is in the email from the vendor.`}
        autoComplete="off"
        autoFocus
        fullWidth
      />
      <Button type="submit" variant="contained" disabled={typed.trim() === ""}>
        {t`Continue`}
      </Button>
    </Column>
  );
}
