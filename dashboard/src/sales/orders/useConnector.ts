import { $api } from "../../api/client";
import { CONNECTOR, pathOf } from "../connector";
import type { Order } from "../order";

/** The connector of an order, for those who may see it. */
export const useConnector = ({ connectorId }: Order, manage: boolean) =>
  $api.useQuery(
    "get",
    CONNECTOR,
    { params: pathOf(connectorId) },
    { enabled: manage, staleTime: 60_000 },
  ).data;
