import { plural, t } from "@lingui/core/macro";
import { EmptyState } from "../../ui/EmptyState";
import { number } from "../../ui/formats";
import { ConnectorIcon } from "../../ui/icons";
import { DataList } from "../../ui/list/DataList";
import { Page } from "../../ui/Page";
import { PageLink } from "../../ui/PageLink";
import { StatusChip } from "../../ui/StatusChip";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/cells";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { type Connector, shopText } from "../connector";
import { NoConnectorAccess } from "./NoConnectorAccess";
import { AddLink } from "../../ui/AddButton";

const pathOf = ({ id }: Connector) => `/connectors/${id}`;

const NewButton = () => <AddLink to="/connectors/new">{t`New connector`}</AddLink>;

const Waiting = ({ connector: { id, unmatchedOrders } }: { connector: Connector }) =>
  unmatchedOrders === 0 ? (
    t`None`
  ) : (
    <PageLink to={`/orders?status=Unmatched&connectorId=${id}`}>
      {plural(unmatchedOrders, { other: "# without a rule" })}
    </PageLink>
  );

const ConnectorList = ({ institutionId }: { institutionId: string }) => (
  <DataList
    path="connectors"
    fixed={{ institutionId }}
    sort="name"
    empty={
      <EmptyState icon={<ConnectorIcon />} title={t`No shops connected yet`} action={<NewButton />}>
        {t`Connect your shop, such as Stripe, Paddle or Lemon Squeezy. Each sale then becomes a license automatically, and renewals, refunds and cancellations update it.`}
      </EmptyState>
    }
  >
    <Table<Connector>
      label={t`Connectors`}
      link={pathOf}
      columns={[
        {
          key: "name",
          label: t`Name`,
          sort: true,
          cell: (connector) => (
            <TwoLines second={shopText(connector.kind)}>
              <PageLink to={pathOf(connector)}>{connector.name}</PageLink>
            </TwoLines>
          ),
        },
        {
          key: "enabled",
          label: t`Status`,
          cell: ({ enabled }) => <StatusChip status={enabled ? "Enabled" : "Disabled"} />,
        },
        {
          key: "unmatchedOrders",
          label: t`Waiting orders`,
          cell: (connector) => <Waiting connector={connector} />,
        },
        {
          key: "rules",
          label: t`Rules`,
          align: "end",
          cell: ({ rules }) => number(rules.length),
        },
        { key: "lastEventAt", label: t`Last event`, as: "ago" },
        { key: "createdAt", label: t`Created`, sort: true, as: "date" },
      ]}
    />
  </DataList>
);

/** The connections to the shops of an institution. */
export default function ConnectorsPage() {
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  const isKnown = institutionId !== undefined;
  return (
    <Page
      title={t`Connectors`}
      help="connectors"
      subtitle={t`Connect your shops to turn their sales into licenses.`}
      actions={manage && institutionId && <NewButton />}
    >
      {institutionId && manage && <ConnectorList institutionId={institutionId} />}
      {isKnown && !(institutionId && manage) && <NoConnectorAccess />}
    </Page>
  );
}
