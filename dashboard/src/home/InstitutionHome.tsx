import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { $api } from "../api/client";
import type { Schemas } from "../api/types";
import { activityEvent } from "../ui/activity";
import { AddLink } from "../ui/AddButton";
import type { Series } from "../ui/charts/days";
import { DaySection } from "../ui/charts/DaySection";
import { FirstSteps, type FirstStep } from "../ui/FirstSteps";
import { Page } from "../ui/Page";
import { ButtonLink, PageLink } from "../ui/PageLink";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { Timeline } from "../ui/Timeline";
import { useCan, useInstitution } from "../ui/useInstitution";
import { useMemberNames } from "../ui/useMemberNames";
import { Figures, UseFigures } from "./Figures";
import styles from "./home.module.css";
import { Inbox } from "./inbox/Inbox";
import { MINUTE_MS, useHome, useOverview } from "./useOverview";
import { useStored } from "../ui/useStored";

/** The home page of an institution: how things are in a line, then what waits. */
export function InstitutionHome({ institutionId }: { institutionId: string }) {
  const { institutionName } = useInstitution();
  const { manage } = useCan();
  return (
    <Page
      title={t`Home`}
      subtitle={institutionName}
      actions={manage && <AddLink to="/licenses/new">{t`Issue license`}</AddLink>}
    >
      <div className={styles.parts}>
        <Figures institutionId={institutionId} />
        <InstitutionSteps institutionId={institutionId} />
        <WhatToTry institutionId={institutionId} />
        <div className={styles.body}>
          <div className={styles.inbox}>
            <Inbox institutionId={institutionId} />
          </div>
          <div className={styles.use}>
            <UseFigures institutionId={institutionId} />
          </div>
          <div className={styles.trends}>
            <RecentTrends institutionId={institutionId} />
          </div>
          <div className={styles.activity}>
            <Activity institutionId={institutionId} />
          </div>
        </div>
      </div>
    </Page>
  );
}

/** The first steps of a new institution, up to a license in use. */
function InstitutionSteps({ institutionId }: { institutionId: string }) {
  const { manage } = useCan();
  return manage ? <Steps institutionId={institutionId} /> : null;
}

function Steps({ institutionId }: { institutionId: string }) {
  const { steps, hide } = useFirstSteps(institutionId);
  if (!steps) return null;
  const left = steps.filter((step) => !step.isDone).length;
  return (
    <FirstSteps
      steps={steps}
      manage
      actions={
        // The last step is not always visible: a license may be verified offline.
        left === 1 && (
          <Button size="small" onClick={hide}>
            {t`Hide`}
          </Button>
        )
      }
    />
  );
}

interface Day {
  date: string;
  issued: number;
  devices: number;
}

const SERIES: Series<Day>[] = [
  { label: t`Licenses issued`, value: (day) => day.issued },
  { label: t`New devices`, value: (day) => day.devices },
];

/** Licenses issued and new devices per day, for the last 30 days. */
function RecentTrends({ institutionId }: { institutionId: string }) {
  const init = { params: { query: { institutionId } } };
  const often = { refetchInterval: MINUTE_MS };
  const licenses = $api.useQuery("get", "/api/statistics/licenses", init, often);
  const devices = $api.useQuery("get", "/api/statistics/activations", init, often);
  const error = licenses.error ?? devices.error;
  if (error) return <ProblemAlert error={error} />;
  const come = new Map(devices.data?.dailyTrend.map((day) => [day.date, day.created]));
  const days =
    devices.data &&
    licenses.data?.dailyTrend.map(({ date, created }) => ({
      date,
      issued: created,
      devices: come.get(date) ?? 0,
    }));
  return (
    <DaySection
      title={t`Last 30 days`}
      label={t`Licenses issued and new devices`}
      days={days}
      series={SERIES}
      empty={t`No licenses issued and no new devices in the last 30 days.`}
      name="last-days"
    />
  );
}

const EVENTS_SHOWN = 8;

/** The latest events of the institution. */
function Activity({ institutionId }: { institutionId: string }) {
  const { data, error } = useOverview(institutionId);
  const { manage } = useCan();
  const nameOf = useMemberNames(institutionId);
  // The key figures show the error.
  if (error && !data) return null;
  const events = data?.recentActivity
    .filter(({ type }) => type !== "archive.created")
    .slice(0, EVENTS_SHOWN)
    .map((item) => activityEvent({ ...item, actorName: nameOf(item.actorName) }, institutionId));
  return (
    <Section
      title={t`Recent activity`}
      actions={
        manage && (
          <ButtonLink to={`/institutions/${institutionId}/audit`} size="small">
            {t`Audit log`}
          </ButtonLink>
        )
      }
    >
      {events?.length === 0 ? (
        <Typography color="textSecondary">{t`No activity yet.`}</Typography>
      ) : (
        <Timeline events={events} />
      )}
    </Section>
  );
}

interface Words {
  title: string;
  why: string;
  at: "licenses" | "orders";
}

const WORDS: Record<Schemas["SituationKind"], Words> = {
  SuspendedLicense: {
    title: t`Answer a support call`,
    why: t`A customer cannot start the application. See why, and reinstate the license.`,
    at: "licenses",
  },
  SharedKey: {
    title: t`Stop a shared key`,
    why: t`Other devices try the key of one workstation. Look at them, and replace the key.`,
    at: "licenses",
  },
  FullPool: {
    title: t`Make room in a full pool`,
    why: t`Every seat of a render farm is taken. End a session, or add seats.`,
    at: "licenses",
  },
  OfflineSeat: {
    title: t`Free a seat of an offline plant`,
    why: t`A machine without a network was deactivated. See when its seat is free.`,
    at: "licenses",
  },
  IdleFleet: {
    title: t`Look at a fleet of containers`,
    why: t`Containers vanish without giving up their seats. See which ones are idle, and the keys that new ones enroll with.`,
    at: "licenses",
  },
  UnmatchedOrder: {
    title: t`Complete a sale`,
    why: t`A customer paid for something that no rule names. Add the rule, and the license follows.`,
    at: "orders",
  },
  DisputedOrder: {
    title: t`Look into a dispute`,
    why: t`A buyer disputes a payment, so the license is suspended. See what was paid.`,
    at: "orders",
  },
};

/** The situations of the demonstration in a line, until they are hidden; other services have none. */
function WhatToTry({ institutionId }: { institutionId: string }) {
  const { data } = useHome(institutionId);
  const [isHidden, setHidden] = useStored("whatToTryHidden", false);
  if (!data?.toTry.length || isHidden) return null;
  return (
    <section aria-label={t`What to try`} className={styles.tries}>
      <h2>{t`What to try`}</h2>
      <ul>
        {data.toTry.map(({ kind, id }) => (
          <li key={kind} title={WORDS[kind].why}>
            <PageLink to={`/${WORDS[kind].at}/${id}`}>{WORDS[kind].title}</PageLink>
          </li>
        ))}
      </ul>
      <Button size="small" onClick={() => setHidden(true)}>
        {t`Hide`}
      </Button>
    </section>
  );
}

/** The first steps of a new institution; undefined while loading and once hidden. */
function useFirstSteps(institutionId: string) {
  const [hidden, setHidden] = useStored<string[]>("firstStepsHidden", []);
  const isHidden = hidden.includes(institutionId);
  const overview = useOverview(institutionId).data;
  const isUsed =
    overview && overview.activations + overview.pendingActivations + overview.liveSessions > 0;
  const products = $api.useQuery(
    "get",
    "/api/products",
    { params: { query: { institutionId, sort: "createdAt", pageSize: 100 } } },
    { enabled: !isHidden },
  ).data?.items;
  const product = products?.find((item) => item.hasKeys) ?? products?.[0];
  const releases = $api.useQuery(
    "get",
    "/api/products/{productId}/releases",
    { params: { path: { productId: product?.id ?? "" }, query: { pageSize: 100 } } },
    { enabled: !isHidden && product !== undefined },
  ).data?.items;
  const hide = () => setHidden([...hidden, institutionId]);
  if (isHidden || !overview || !products || (product && !releases)) return { hide };
  const at = product ? `/products/${product.id}` : "/products/new";
  const steps: FirstStep[] = [
    {
      title: t`Create a product`,
      why: t`A product is what you sell. It comes with its first release.`,
      isDone: product !== undefined,
      to: "/products/new",
      action: t`New product`,
    },
    {
      title: t`Generate RSA keys`,
      why: t`The private key signs licenses; your application verifies them with the public key.`,
      isDone: product?.hasKeys ?? false,
      to: product ? `${at}/keys` : at,
      action: t`Open keys`,
    },
    {
      title: t`Publish a release`,
      why: t`Licenses are issued for a published release.`,
      isDone: releases?.some((release) => release.status === "Published") ?? false,
      to: product ? `${at}/releases` : at,
      action: t`Open releases`,
    },
    {
      title: t`Issue your first license`,
      why: t`Choose a license model and a customer.`,
      isDone: overview.licenses > 0,
      to: "/licenses/new",
      action: t`Issue license`,
    },
    {
      title: t`Integrate the SDK`,
      why: t`A few lines of code with your keys filled in. Done when the first device appears.`,
      isDone: isUsed ?? false,
      to: at,
      action: t`Open snippet`,
    },
  ];
  return { steps, hide };
}
