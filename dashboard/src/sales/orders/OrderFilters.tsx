import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import { ChoiceFilter } from "../../ui/list/ChoiceFilter";
import { FilterChip } from "../../ui/list/FilterChip";
import { useListContext } from "../../ui/list/useList";
import { CONNECTORS } from "../connector";
import { ORDER_STATUSES, type Order } from "../order";

interface OrderFiltersProps {
  institutionId: string;
  manage: boolean;
}

/** Filters by status and shop, and by the customer from whose page the user has come. */
export function OrderFilters({ institutionId, manage }: OrderFiltersProps) {
  const { filters, setFilters, items } = useListContext<Order>();
  const query = { institutionId, pageSize: 100, sort: "name" };
  const { data } = $api.useQuery("get", CONNECTORS, { params: { query } }, { enabled: manage });
  const names = new Map(data?.items.map(({ id, name }) => [id, name]));
  const customerId = filters["customerId"];
  const customer = items?.find((order) => order.customerId === customerId)?.customerName;
  return (
    <>
      <ChoiceFilter
        name="status"
        label={t`Status`}
        all={t`All statuses`}
        choices={ORDER_STATUSES}
      />
      {(names.size > 1 || filters["connectorId"]) && (
        <ChoiceFilter
          name="connectorId"
          label={t`Shop`}
          all={t`All shops`}
          choices={[...names.keys()]}
          wordsOf={(id) => names.get(id) ?? id}
        />
      )}
      {customerId && (
        <FilterChip
          words={customer ? t`Customer: ${customer}` : t`Customer: one of them`}
          onRemove={() => setFilters({ customerId: null })}
        />
      )}
    </>
  );
}
