import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { listKey } from "../../ui/list/useList";
import { notify } from "../../ui/toasts/toasts";
import { CONNECTOR, pathOf, type Connector } from "../connector";
import type { SaleRule } from "../rules/rule";

/** What can be done with a connector; each action tells of its success. */
export function useConnectorActions({ id }: Connector) {
  const queries = useQueryClient();
  const params = pathOf(id);
  const done = async (sentence: string) => {
    await Promise.all(
      [["get", CONNECTOR], listKey("connectors")].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
    notify(sentence, { type: "success" });
  };
  const change = async (body: Schemas["ConnectorChange"], sentence: string) => {
    await api.PUT(CONNECTOR, { params, body });
    await done(sentence);
  };
  return {
    done,
    change,
    addRule: async (rule: SaleRule) => {
      await api.POST("/api/connectors/{connectorId}/rules", { params, body: rule });
      await done(t`Rule created. The orders that waited for it are being processed.`);
    },
  };
}
