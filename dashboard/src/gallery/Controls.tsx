import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import IconButton from "@mui/material/IconButton";
import Radio from "@mui/material/Radio";
import Switch from "@mui/material/Switch";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useState } from "react";
import { Problem } from "../api/problem";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import * as icons from "../ui/icons";
import { AddIcon, DeleteIcon, EditIcon } from "../ui/icons";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Timeline } from "../ui/Timeline";
import { notify } from "../ui/toasts/toasts";
import styles from "./gallery.module.css";
import { Part } from "./Part";

/** What is pressed and chosen. */
export const Controls = () => (
  <>
    <Part title="Buttons">
      <Button variant="contained" startIcon={<AddIcon />}>
        Issue license
      </Button>
      <Button variant="outlined">Edit</Button>
      <Button>Cancel</Button>
      <Button variant="contained" color="error">
        Revoke license
      </Button>
      <Button variant="outlined" color="error">
        Delete
      </Button>
      <Button variant="contained" loading>
        Saving
      </Button>
      <Button variant="outlined" disabled>
        Disabled
      </Button>
      <Button size="small" variant="outlined">
        Small
      </Button>
      <IconButton aria-label="Edit">
        <EditIcon />
      </IconButton>
      <IconButton aria-label="Delete" size="small">
        <DeleteIcon />
      </IconButton>
    </Part>
    <Part title="Choices">
      <Choices />
    </Part>
  </>
);

function Choices() {
  const [period, setPeriod] = useState("30");
  const [tab, setTab] = useState(0);
  return (
    <>
      <FormControlLabel control={<Checkbox defaultChecked />} label="Include ended" />
      <FormControlLabel control={<Radio checked />} label="Online" />
      <FormControlLabel control={<Radio checked={false} />} label="Offline" />
      <FormControlLabel control={<Switch defaultChecked />} label="Bind to one device" />
      <FormControlLabel control={<Switch />} label="Off" />
      <ToggleButtonGroup
        exclusive
        aria-label="Period"
        value={period}
        onChange={(_, chosen: string | null) => {
          if (chosen) setPeriod(chosen);
        }}
      >
        <ToggleButton value="7">7 days</ToggleButton>
        <ToggleButton value="30">30 days</ToggleButton>
        <ToggleButton value="90">90 days</ToggleButton>
      </ToggleButtonGroup>
      <Tabs aria-label="Tabs" value={tab} onChange={(_, chosen: number) => setTab(chosen)}>
        <Tab label="Overview" />
        <Tab label="Devices" />
        <Tab label="Why?" />
      </Tabs>
    </>
  );
}

const LIMIT = new Problem(409, {
  detail: "All 5 seats are taken. Free one, or add seats to the license.",
  errorCode: "PlanLimitReached",
  requestId: "01a200ef-b093-7e7e",
});

const EVENTS = [
  { id: "1", kind: "license.suspended", occurredAt: "2026-03-17T15:00:00Z", actor: "Ada Owner" },
  { id: "2", kind: "activation.created", occurredAt: "2026-03-16T17:20:00Z", subject: "Studio 4" },
  { id: "3", kind: "license.created", occurredAt: "2026-03-14T09:30:00Z", actor: "API key Shop" },
];

/** What the dashboard says, and asks. */
export function Feedback() {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Part title="Messages" isStacked>
        <Alert severity="success">The license works again.</Alert>
        <Alert severity="info">Emails are not sent until a mail server is configured.</Alert>
        <Alert severity="warning">Another device tried to use this license.</Alert>
        <ProblemAlert error={LIMIT} retry={close} />
      </Part>
      <Part title="Toasts and dialogs">
        <Button
          variant="outlined"
          onClick={() =>
            notify("License suspended.", { type: "success", undo: () => Promise.resolve() })
          }
        >
          Toast with undo
        </Button>
        <Button variant="outlined" onClick={() => setAsking(true)}>
          Dialog
        </Button>
        {isAsking && (
          <ConfirmDialog
            title="Revoke license?"
            consequence="You can restore the license for 24 hours."
            action="Revoke license"
            typed="Workstation 7"
            danger
            onConfirm={() => Promise.resolve()}
            onClose={close}
          />
        )}
      </Part>
      <Part title="Timeline" isStacked>
        <Timeline events={EVENTS} />
      </Part>
    </>
  );
}

const COLORS = [
  "ground",
  "sheet",
  "sunken",
  "selected",
  "line",
  "edge",
  "ink",
  "muted",
  "accent",
  "good-fill",
  "wait-fill",
  "bad-fill",
  "news-fill",
  "over-fill",
  "series-1",
  "series-2",
  "series-3",
  "series-4",
];

/** Colors, sizes of type, icons. */
export const Tokens = () => (
  <>
    <Part title="Color">
      {COLORS.map((name) => (
        <Swatch key={name} name={name} />
      ))}
    </Part>
    <Part title="Type">
      <div className={styles.types}>
        <p className={styles.title20}>Workstation 7</p>
        <p className={styles.body14}>The license is for one device, and this is another.</p>
        <p className={styles.dense13}>Aurora Studio 3.0.0, issued to asa.berg@example.com</p>
        <p className={styles.small12}>Created Nov 23, 2026, 9:30 AM</p>
        <code>DARKB-N4C9M-58E2P-VT1QP-Y02R0</code>
      </div>
    </Part>
    <Part title="Icons">
      <div className={styles.icons}>
        {Object.entries(icons).map(([name, Icon]) => (
          <Icon key={name} role="img" aria-label={name} />
        ))}
      </div>
    </Part>
  </>
);

const Swatch = ({ name }: { name: string }) => (
  <div
    className={styles.swatch}
    ref={(element) => element?.style.setProperty("--swatch", `var(--${name})`)}
  >
    <span>{name}</span>
  </div>
);
