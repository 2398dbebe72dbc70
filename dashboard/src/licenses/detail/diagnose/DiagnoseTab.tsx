import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { $api, at } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { type Device, nameOf } from "../../../ui/devices/deviceActions";
import { Form, SubmitButton } from "../../../ui/form/Form";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { useField } from "../../../ui/form/useField";
import { HelpLink } from "../../../ui/help";
import { DoneIcon, FailedIcon } from "../../../ui/icons";
import { Column, Row } from "../../../ui/layout/layout";
import { Muted } from "../../../ui/Muted";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { RelativeTime } from "../../../ui/RelativeTime";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { useCan } from "../../../ui/useInstitution";
import { VisuallyHidden } from "../../../ui/VisuallyHidden";
import type { Answer } from "../../../ui/license/answer";
import { useDevices } from "../devices/queries";
import { HardwareIdField } from "../HardwareIdField";
import { RecentRequests } from "./RecentRequests";
import { NewestRejected, rejectedText, useRejected } from "./Rejections";
import { toneOf, VERDICTS } from "./verdicts";
import styles from "./diagnose.module.css";

type RuleName = Schemas["Rule"]["rule"];

/** The rules of validation by their names in the API, as what is so if they are passed. */
const RULES: Record<RuleName, string> = {
  LicenseExists: t`License exists`,
  Credentials: t`Credentials`,
  NotRevoked: t`Not revoked`,
  NotSuspended: t`Not suspended`,
  NotExpired: t`Not expired`,
  ReleaseAllowed: t`Release allowed`,
  HardwareIdGiven: t`Hardware ID given`,
  HardwareIdAccepted: t`Hardware ID accepted`,
  DeviceNotBlocked: t`Device not blocked`,
  DeviceProven: t`Key of the device proven`,
  MachineBound: t`Device bound`,
  Seat: t`Seat`,
  FirstTrial: t`First trial`,
};

/** The same, as what is so if they are not passed. */
const FAILED: Record<RuleName, string> = {
  LicenseExists: t`No such license`,
  Credentials: t`Credentials missing or wrong`,
  NotRevoked: t`Revoked`,
  NotSuspended: t`Suspended`,
  NotExpired: t`Expired`,
  ReleaseAllowed: t`Release not allowed`,
  HardwareIdGiven: t`No hardware ID given`,
  HardwareIdAccepted: t`Hardware ID not accepted`,
  DeviceNotBlocked: t`Device blocked`,
  DeviceProven: t`Key of the device not proven`,
  MachineBound: t`Not the bound device`,
  Seat: t`No seat`,
  FirstTrial: t`Not the first trial`,
};

const ruleWords = ({ rule, passed }: Schemas["Rule"]): string => (passed ? RULES : FAILED)[rule];

/** The details of these rules tell a customer to ask the vendor, who is reading here. */
const FOR_CUSTOMERS: readonly RuleName[] = ["NotRevoked", "NotSuspended"];

type Asked = Schemas["ExplainLicenseRequest"];

interface Given {
  hardwareId: string;
  appVersion: string;
}

const bodyOf = ({ hardwareId, appVersion }: Given): Asked => ({
  ...(hardwareId.trim() && { hardwareId: hardwareId.trim() }),
  ...(appVersion.trim() && { appVersion: appVersion.trim() }),
});

/** Of devices that may use a license, the one that was seen last, which is most likely meant. */
const lastSeen = (devices: readonly Device[]): Device | undefined =>
  devices
    .filter(({ status }) => status !== "Released")
    .sort((one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt))[0];

/** Results that say nothing of a license as long as no device is asked about. */
const FOR_A_DEVICE: readonly string[] = ["HardwareIdRequired", "ActivationRequired"];

interface DiagnoseTabProps {
  license: License;
  /** What the page says above of the license, with its reason. */
  answer: Answer;
}

/** Explains, rule by rule, why the license is valid or not. */
export function DiagnoseTab({ license, answer }: DiagnoseTabProps) {
  const { manage } = useCan(license.institutionId);
  const devices = useDevices(license);
  const device = lastSeen(devices ?? []);
  const likely = { hardwareId: device?.hardwareId ?? "", appVersion: device?.appVersion ?? "" };
  const [tested, setTested] = useState<Asked | null>(null);
  const asked = tested ?? bodyOf(likely);
  const { data, error, isFetching, refetch } = $api.useQuery(
    "post",
    "/api/licenses/{licenseId}/explain",
    { ...at({ licenseId: license.id }), body: asked },
    { placeholderData: keepPreviousData, staleTime: 0, enabled: devices !== undefined },
  );
  const form = useApiForm({
    values: likely,
    send: async (given) => {
      const next = bodyOf(given);
      if (JSON.stringify(next) === JSON.stringify(asked)) await refetch();
      else setTested(next);
    },
  });
  const hardwareId = useField(form.field("hardwareId"));
  const others = useRejected(license, device?.hardwareId);
  const isOfDevice = Boolean(asked.hardwareId) && asked.hardwareId === device?.hardwareId;
  const rejected = data?.status === "Valid" && isOfDevice ? others : undefined;
  return (
    <Column gap="l">
      {error ? (
        <ProblemAlert error={error} />
      ) : data ? (
        <Verdict
          explanation={data}
          answer={data.status === license.status ? answer.sentence : undefined}
          warning={
            data.status === "Valid" && answer.tone === "wait" && !(rejected && answer.tellsAttempts)
              ? answer.sentence
              : undefined
          }
          headline={rejected && rejectedText(device, rejected)}
          newest={
            rejected && (
              <NewestRejected
                license={license}
                request={rejected.newest}
                device={device}
                isShared={rejected.devices > 1}
              />
            )
          }
          about={
            isOfDevice && device ? (
              <Trans>
                As {nameOf(device)}, last seen <RelativeTime at={device.lastSeenAt} />.
              </Trans>
            ) : undefined
          }
          lacksDevice={!asked.hardwareId && FOR_A_DEVICE.includes(data.status)}
          isUnused={manage && device === undefined}
        />
      ) : (
        <Skeleton variant="rounded" height={420} />
      )}
      <Section
        title={t`Test validation`}
        help="why"
        subtitle={t`See the result an application on a given device would get now. This changes nothing: no device is bound, and no access attempt is recorded.`}
      >
        <Form form={form}>
          <Row gap="m" folds align="start">
            <HardwareIdField
              license={license}
              value={hardwareId.value}
              onChange={hardwareId.set}
              helperText={t`Optional. The device to test.`}
            />
            <FormField
              {...form.field("appVersion")}
              label={t`Application version`}
              helperText={t`Optional. For example 2.1.0.`}
              demand={{ maxLength: 256 }}
            />
            <SubmitButton loading={isFetching} className={styles.ask}>
              {t({ message: "Test", context: "verb" })}
            </SubmitButton>
          </Row>
        </Form>
      </Section>
      {manage && <RecentRequests license={license} />}
    </Column>
  );
}

interface VerdictProps {
  explanation: Schemas["Explanation"];
  /** The verdict, if the page gives it above already. */
  answer: string | undefined;
  /** What the page says above of a license that is valid, if it is not all good. */
  warning: string | undefined;
  /** What is said in place of the verdict, if it is not all. */
  headline: string | undefined;
  /** What the license refused last, beside what it would answer now. */
  newest: ReactNode;
  /** The device that it is about. */
  about: ReactNode;
  /** Whether it only says that no device was given. */
  lacksDevice: boolean;
  /** Whether it is known that no device uses the license. */
  isUnused: boolean;
}

/** The verdict, then the rules in the order in which they are checked; those passed are folded. */
function Verdict(props: VerdictProps) {
  const { explanation, answer, warning, headline, newest, about, lacksDevice, isUnused } = props;
  const { status, rules } = explanation;
  const failed = lacksDevice ? [] : rules.filter((rule) => !rule.passed);
  const passed = rules.filter((rule) => rule.passed);
  const first = failed[0];
  return (
    <Section title={t`Result`}>
      <Column gap="xs" role="status" className={styles.verdict}>
        {lacksDevice ? (
          <Typography variant="subtitle1" component="p">
            {isUnused
              ? t`No device has used the license yet. Nothing stops the first one.`
              : t`Nothing stops the license itself. Test a device below.`}
          </Typography>
        ) : answer === undefined ? (
          <Row gap="s" wraps>
            <StatusChip status={status} tone={headline ? "wait" : toneOf(status)} />
            <Typography variant="subtitle1" component="p" dir="auto">
              {headline ?? VERDICTS[status]}
            </Typography>
          </Row>
        ) : (
          <VisuallyHidden>{VERDICTS[status]}</VisuallyHidden>
        )}
        {newest}
        {warning && <Typography variant="body2">{warning}</Typography>}
        {about && <Muted>{about}</Muted>}
        {first && (
          <Typography variant="body2">
            <HelpLink topic="error-codes" anchor={status}>
              {t`What ${status} means and what to do`}
            </HelpLink>
          </Typography>
        )}
      </Column>
      {failed.length > 0 && <Rules rules={failed} first={first} reason={answer} />}
      {passed.length > 0 && (
        <details>
          <summary className={styles.passed}>
            {plural(passed.length, { one: "# check passed", other: "# checks passed" })}
          </summary>
          <Rules rules={passed} />
        </details>
      )}
    </Section>
  );
}

interface RulesProps {
  rules: Schemas["Rule"][];
  first?: Schemas["Rule"] | undefined;
  /** Why the first is not passed, if that is known better than the rule tells it. */
  reason?: string | undefined;
}

const Rules = ({ rules, first, reason }: RulesProps) => (
  <Column as="ol">
    {rules.map((rule) => (
      <Rule
        key={rule.rule}
        rule={rule}
        decides={rule === first}
        reason={rule === first ? reason : undefined}
      />
    ))}
  </Column>
);

interface RuleProps {
  rule: Schemas["Rule"];
  decides: boolean;
  reason: string | undefined;
}

function Rule({ rule, decides, reason }: RuleProps) {
  const name = ruleWords(rule);
  const Icon = rule.passed ? DoneIcon : FailedIcon;
  return (
    <Row as="li" gap="m" align="stretch" className={styles.rule}>
      <Icon color={rule.passed ? "var(--good)" : "var(--bad)"} aria-hidden />
      <div>
        <Typography variant="subtitle1" component="p">
          {rule.passed ? (
            <Trans>
              {name}
              <VisuallyHidden>: passed</VisuallyHidden>
            </Trans>
          ) : (
            <Trans>
              {name}
              <VisuallyHidden>: failed</VisuallyHidden>
            </Trans>
          )}
          {decides && (
            <Typography component="span" variant="body2" color="error">
              {" · "}
              {t`this is why`}
            </Typography>
          )}
        </Typography>
        {reason !== undefined ? (
          <Typography color="textSecondary">{reason}</Typography>
        ) : (
          (rule.passed || !FOR_CUSTOMERS.includes(rule.rule)) && (
            <Typography lang="en" color="textSecondary">
              {rule.detail}
            </Typography>
          )
        )}
      </div>
    </Row>
  );
}
