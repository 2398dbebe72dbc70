import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import type { Schemas } from "../api/types";
import { Muted } from "../ui/Muted";
import { PageLink } from "../ui/PageLink";
import { Section } from "../ui/Section";
import styles from "./home.module.css";
import { useHome } from "./useOverview";

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
    why: t`Other machines try the key of one workstation. Look at them, and replace the key.`,
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

/** The situations of the demonstration; other services have none. */
export function WhatToTry({ institutionId }: { institutionId: string }) {
  const { data } = useHome(institutionId);
  if (!data?.toTry.length) return null;
  return (
    <Section
      title={t`What to try`}
      subtitle={t`This is a demonstration. Nothing that you change reaches anybody.`}
    >
      <ul className={styles.tries}>
        {data.toTry.map(({ kind, id }) => (
          <li key={kind}>
            <Typography variant="subtitle1" component="p">
              <PageLink to={`/${WORDS[kind].at}/${id}`}>{WORDS[kind].title}</PageLink>
            </Typography>
            <Muted>{WORDS[kind].why}</Muted>
          </li>
        ))}
      </ul>
    </Section>
  );
}
