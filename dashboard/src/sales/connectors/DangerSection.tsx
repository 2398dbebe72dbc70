import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { listKey } from "../../ui/list/useList";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { CONNECTOR, pathOf, type Connector } from "../connector";
import { useConnectorActions } from "./useConnectorActions";

interface ConfirmProps {
  connector: Connector;
  onClose: () => void;
}

function Disable({ connector, onClose }: ConfirmProps) {
  const { change } = useConnectorActions(connector);
  return (
    <ConfirmDialog
      title="Disable connector"
      consequence="Events of the shop are refused, and no order is worked on, until you enable it again. Most shops send their events again for some days, so that nothing is lost for a while. Licenses stay as they are."
      action="Disable connector"
      onConfirm={() => change({ enabled: false }, "Connector disabled.")}
      onClose={onClose}
    />
  );
}

function Delete({ connector, onClose }: ConfirmProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.DELETE(CONNECTOR, { params: pathOf(connector.id) });
    notify(`Connector ${connector.name} deleted.`, { type: "success" });
    await navigate("/connectors", { state: UNGUARDED });
    // Not everything: the page of the connector might still ask for it.
    for (const path of ["connectors", "orders"])
      await queries.invalidateQueries({ queryKey: listKey(path) });
  };
  return (
    <ConfirmDialog
      title="Delete connector"
      consequence={`This deletes “${connector.name}” with its rules, orders and events. The licenses that came of it stay as they are, but no renewal, refund or cancellation reaches them any more. This cannot be undone.`}
      action="Delete connector"
      typed={connector.name}
      danger
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** Disables or deletes a connector. */
export function DangerSection({ connector }: { connector: Connector }) {
  const [asked, setAsked] = useState<"disable" | "delete" | null>(null);
  const onClose = () => {
    setAsked(null);
  };
  return (
    <Section title="Disable or delete">
      <Typography color="textSecondary" sx={{ mb: 2, maxWidth: 720 }}>
        {connector.enabled
          ? "Disable the connector to stop it for a while. Delete it if you no longer sell there; the licenses stay."
          : "The connector is disabled. Delete it if you no longer sell there; the licenses stay."}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
        {connector.enabled && (
          <Button
            variant="outlined"
            onClick={() => {
              setAsked("disable");
            }}
          >
            Disable connector
          </Button>
        )}
        <Button
          variant="outlined"
          color="error"
          onClick={() => {
            setAsked("delete");
          }}
        >
          Delete connector
        </Button>
      </Stack>
      {asked === "disable" && <Disable connector={connector} onClose={onClose} />}
      {asked === "delete" && <Delete connector={connector} onClose={onClose} />}
    </Section>
  );
}
