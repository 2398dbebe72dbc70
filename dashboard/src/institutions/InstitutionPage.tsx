import { t } from "@lingui/core/macro";
import { useParams, useNavigate } from "react-router";
import { $api, at } from "../api/client";
import { SettingsIcon, ProductIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { ButtonLink, PageLink } from "../ui/PageLink";
import { RouteTabs, type RouteTab } from "../ui/RouteTabs";
import { settingsPath } from "../ui/paths";
import { useCan, useInstitution } from "../ui/useInstitution";
import { SwitchInstitution } from "./list/SwitchInstitution";
import { OverviewTab } from "./overview/OverviewTab";
import { InstitutionProblem } from "./parts/InstitutionProblem";
import { Table } from "../ui/table/Table";
import { SearchFilter } from "../ui/list/SearchFilter";
import type { Product } from "../api/types";
import { AddButton } from "../ui/AddButton";
import { DataList } from "../ui/list/DataList";
import { EmptyState } from "../ui/EmptyState";
import { Row } from "../ui/layout/layout";
import { StatusChip } from "../ui/StatusChip";
import styles from "./parts/parts.module.css";
import type { TabProps } from "./parts/TabProps";

const BACK = { to: "/institutions", label: t`Institutions` };

/** An institution, with a tab for each area. */
export default function InstitutionPage() {
  const { institutionId = "" } = useParams();
  const can = useCan(institutionId);
  const { profile } = useInstitution();
  const { data: institution, error } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}",
    at({ institutionId }),
  );
  if (error)
    return (
      <Page title={t`Institution`} back={BACK}>
        <InstitutionProblem institutionId={institutionId} error={error} />
      </Page>
    );
  const shared = { institutionId, can };
  const tabs: RouteTab[] = [
    { path: "", label: t`Overview`, element: <OverviewTab {...shared} /> },
    { path: "products", label: t`Products`, element: <ProductsTab {...shared} /> },
  ];
  return (
    <Page
      title={institution?.name ?? t`Institution`}
      help="team-and-roles"
      back={BACK}
      actions={
        institution && (
          <>
            <SwitchInstitution institution={institution} />
            <ButtonLink
              to={settingsPath(institutionId)}
              variant="outlined"
              size="small"
              startIcon={<SettingsIcon />}
            >
              {t`Settings`}
            </ButtonLink>
          </>
        )
      }
    >
      {profile && (
        <RouteTabs base={`/institutions/${institutionId}`} label={t`Institution`} tabs={tabs} />
      )}
    </Page>
  );
}

/** Switches to this institution first: a new product belongs to the current one. */
function NewProduct({ institutionId }: { institutionId: string }) {
  const { switchTo } = useInstitution();
  const navigate = useNavigate();
  return (
    <AddButton
      onClick={() => {
        switchTo(institutionId);
        void navigate("/products/new");
      }}
    >
      {t`New product`}
    </AddButton>
  );
}

function ProductsTab({ institutionId, can }: TabProps) {
  const { memberships } = useInstitution();
  const belongs = memberships.some((item) => item.institutionId === institutionId);
  const add = can.manage && belongs && <NewProduct institutionId={institutionId} />;
  return (
    <>
      {add && (
        <Row place="atEnd" className={styles.head}>
          {add}
        </Row>
      )}
      <DataList
        path="products"
        fixed={{ institutionId }}
        toolbar={<SearchFilter placeholder={t`Search by name`} />}
        filterNames={["search"]}
        sort="name"
        empty={
          <EmptyState icon={<ProductIcon />} title={t`No products yet`}>
            {can.manage || can.role !== "Member"
              ? t`Licenses are issued for products. The products of this institution are listed here.`
              : t`No products are assigned to you yet. Ask an Owner or Admin of the institution.`}
          </EmptyState>
        }
      >
        <Table<Product>
          label={t`Products`}
          link={({ id }) => `/products/${id}`}
          none={t`No products match your search.`}
          columns={[
            {
              key: "name",
              label: t`Name`,
              sort: true,
              cell: (product) => (
                <PageLink to={`/products/${product.id}`} variant="subtitle2" dir="auto">
                  {product.name}
                </PageLink>
              ),
            },
            {
              key: "hasKeys",
              label: t`RSA keys`,
              cell: (product) => <StatusChip status={product.hasKeys ? "Ready" : "Missing"} />,
            },
            {
              key: "licenseCount",
              label: t`Licenses`,
              sort: true,
              align: "end",
              as: "number",
            },
            { key: "createdAt", label: t`Created`, sort: true, fits: true, as: "date" },
          ]}
        />
      </DataList>
    </>
  );
}
