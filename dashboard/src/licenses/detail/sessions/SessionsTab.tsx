import { t } from "@lingui/core/macro";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useLocation, useNavigate } from "react-router";
import type { License } from "../../../api/types";
import { Row } from "../../../ui/layout/layout";
import { HelpLink } from "../../../ui/HelpLink";
import styles from "../detail.module.css";
import { LiveSessions } from "./LiveSessions";
import { PastSessions } from "./PastSessions";

/** Live and past sessions of the license. */
export function SessionsTab({ license }: { license: License }) {
  const base = `/licenses/${license.id}/sessions`;
  const navigate = useNavigate();
  const isPast = useLocation().pathname.startsWith(`${base}/past`);
  return (
    <>
      <Row gap="xs" className={styles.above}>
        <ToggleButtonGroup
          exclusive
          aria-label={t`Filter sessions`}
          value={isPast ? "past" : "live"}
          onChange={(_, chosen: string | null) => {
            if (chosen) void navigate(chosen === "past" ? `${base}/past` : base);
          }}
        >
          <ToggleButton value="live">{t`Live`}</ToggleButton>
          <ToggleButton value="past">{t`Past`}</ToggleButton>
        </ToggleButtonGroup>
        <HelpLink topic="activations-and-sessions" />
      </Row>
      {isPast ? <PastSessions license={license} /> : <LiveSessions license={license} />}
    </>
  );
}
