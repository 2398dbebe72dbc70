import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { ConfirmDialog } from "./ConfirmDialog";
import { Row } from "./layout/layout";
import { Section } from "./Section";

interface Step {
  /** Title of the dialog and label of its button, such as “Delete webhook”. */
  label: string;
  consequence: string;
  run: () => Promise<unknown>;
}

interface Props {
  /** When to choose which, for the state that it is in. */
  advice: string;
  /** Undefined while it is disabled already. */
  disable: Step | undefined;
  remove: Step & { typed?: string };
}

/** The section of a page that disables or deletes what the page shows, after a confirmation. */
export function DisableOrDelete({ advice, disable, remove }: Props) {
  const [asked, setAsked] = useState<"disable" | "remove" | null>(null);
  const onClose = () => setAsked(null);
  return (
    <Section title={t`Disable or delete`} subtitle={advice}>
      <Row gap="s" wraps>
        {disable && (
          <Button variant="outlined" onClick={() => setAsked("disable")}>
            {disable.label}
          </Button>
        )}
        <Button variant="outlined" color="error" onClick={() => setAsked("remove")}>
          {remove.label}
        </Button>
      </Row>
      {asked === "disable" && disable && (
        <ConfirmDialog
          title={disable.label}
          consequence={disable.consequence}
          action={disable.label}
          onConfirm={disable.run}
          onClose={onClose}
        />
      )}
      {asked === "remove" && (
        <ConfirmDialog
          title={remove.label}
          consequence={remove.consequence}
          action={remove.label}
          typed={remove.typed}
          danger
          onConfirm={remove.run}
          onClose={onClose}
        />
      )}
    </Section>
  );
}
