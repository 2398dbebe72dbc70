import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { Column } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import styles from "./emails.module.css";

const PAUSE_MS = 500;

/** The value as it was when it last stayed the same for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- equal values are the same
  }, [key]);
  return settled;
}

interface EmailPreviewProps {
  /** Of the template. */
  path: string;
  /** What to show; undefined while there is no text. */
  trial: Schemas["TryMailTemplateRequest"] | undefined;
}

/** The email as an example customer would get it, shortly after each change. */
export function EmailPreview({ path, trial }: EmailPreviewProps) {
  const body = useSettled(trial);
  const { data, error } = useQuery({
    queryKey: ["post", path, body],
    queryFn: () => request<Schemas["MailPreview"]>("POST", `${path}/preview`, body),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!body)
    return <Alert severity="info">{t`Write a subject and a text to see the email.`}</Alert>;
  if (error) return <ProblemAlert error={error} />;
  const { senderName: sender = "", replyTo } = data ?? {};
  return (
    <Column gap="s" role="region" aria-label={t`Preview`}>
      <Typography variant="subtitle2" component="h3">
        {data?.subject}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {replyTo ? t`From ${sender}, replies to ${replyTo}` : t`From ${sender}`}
      </Typography>
      <iframe
        title={t`Text of the email`}
        sandbox=""
        srcDoc={data?.html ?? ""}
        className={styles.text}
      />
    </Column>
  );
}
