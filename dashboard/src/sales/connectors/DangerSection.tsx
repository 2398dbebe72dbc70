import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { DisableOrDelete } from "../../ui/DisableOrDelete";
import { listKey } from "../../ui/list/useList";
import { notify } from "../../ui/toasts/toasts";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { CONNECTOR, pathOf, type Connector } from "../connector";
import { useConnectorActions } from "./useConnectorActions";

/** Disables or deletes a connector. */
export function DangerSection({ connector }: { connector: Connector }) {
  const { change } = useConnectorActions(connector);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.DELETE(CONNECTOR, { params: pathOf(connector.id) });
    notify(t`Connector ${{ name: connector.name }} deleted.`, { type: "success" });
    await navigate("/connectors", { state: UNGUARDED });
    // Not everything: the page of the connector might still ask for it.
    for (const path of ["connectors", "orders"])
      await queries.invalidateQueries({ queryKey: listKey(path) });
  };
  return (
    <DisableOrDelete
      advice={
        connector.enabled
          ? t`Disable the connector to stop it for a while. Delete it if you no longer sell there; the licenses stay.`
          : t`The connector is disabled. Delete it if you no longer sell there; the licenses stay.`
      }
      disable={
        connector.enabled
          ? {
              label: t`Disable connector`,
              consequence: t`Until you enable it again, events from the shop are rejected and orders are not processed. Most shops retry for several days, so a short pause loses nothing. Licenses do not change.`,
              run: () => change({ enabled: false }, t`Connector disabled.`),
            }
          : undefined
      }
      remove={{
        label: t`Delete connector`,
        consequence: t`This deletes “${{ name: connector.name }}” with its rules, orders and events. Its licenses stay as they are, but renewals, refunds and cancellations no longer reach them. This cannot be undone.`,
        typed: connector.name,
        run: remove,
      }}
    />
  );
}
