import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import type { ReactNode } from "react";
import type { Product, Schemas } from "../api/types";
import { AddLink } from "../ui/AddButton";
import { ProductEmblem } from "../ui/Emblem";
import { EmptyState } from "../ui/EmptyState";
import { date, number } from "../ui/formats";
import { ProductIcon } from "../ui/icons";
import { Row } from "../ui/layout/layout";
import { DataList } from "../ui/list/DataList";
import { SearchFilter } from "../ui/list/SearchFilter";
import { useListContext } from "../ui/list/useList";
import { NoneAssigned } from "../ui/NoneAssigned";
import { Page } from "../ui/Page";
import { ButtonLink, PageLink } from "../ui/PageLink";
import { StatusChip } from "../ui/StatusChip";
import { TestChip } from "../ui/TestChip";
import { TwoLines } from "../ui/table/cells";
import { Table } from "../ui/table/Table";
import { useCan, useInstitution } from "../ui/useInstitution";
import styles from "./list/productList.module.css";
import { useProductFigures } from "./list/useProductFigures";
import { ACCESS_LABELS } from "./parts/access";

type ListedProduct = Schemas["ListedProduct"];

/** The products of the current institution. */
export default function ProductsPage() {
  const { institutionId } = useInstitution();
  const { manage } = useCan();
  const canAdd = manage && Boolean(institutionId);
  const add = canAdd && <AddLink to="/products/new">{t`New product`}</AddLink>;
  return (
    <Page
      title={t`Products`}
      subtitle={t`What you sell, with releases, features and the keys that sign licenses.`}
      help="getting-started"
      actions={add}
    >
      {institutionId === null ? (
        <NoInstitution />
      ) : (
        <ProductList institutionId={institutionId} add={add} />
      )}
    </Page>
  );
}

const Name = ({ product }: { product: Product }) => (
  <Row gap="m">
    <ProductEmblem name={product.name} imageUrl={product.imageUrl} size="medium" />
    <PageLink to={`/products/${product.id}`} underline="hover" dir="auto" className={styles.name}>
      {product.name}
    </PageLink>
    {product.mode === "Test" && <TestChip />}
    {!product.hasKeys && <StatusChip status="Missing" label={t`No RSA keys`} />}
  </Row>
);

interface ProductListProps {
  /** Undefined while loading. */
  institutionId: string | undefined;
  add: ReactNode;
}

const ProductList = ({ institutionId, add }: ProductListProps) => (
  <DataList
    path="products"
    fixed={{ institutionId, include: ["LatestRelease"] }}
    toolbar={<SearchFilter placeholder={t`Search by name`} />}
    kinds={[
      {
        name: "mode",
        label: t`Test or live`,
        choices: [
          ["Live", t`Live products`],
          ["Test", t`Test products`],
        ],
        words: ({ mode }) => (mode === "Test" ? t`Test products` : t`Live products`),
      },
    ]}
    filterNames={["search", "mode"]}
    sort="name"
    views="Products"
    hasCsv
    enabled={institutionId !== undefined}
    empty={<NoProducts add={add} />}
  >
    <ProductTable institutionId={institutionId} />
  </DataList>
);

function ProductTable({ institutionId }: Pick<ProductListProps, "institutionId">) {
  const { items = [] } = useListContext<ListedProduct>();
  const { activeOf, salesOf } = useProductFigures(institutionId);
  return (
    <Table<ListedProduct>
      label={t`Products`}
      link={({ id }) => `/products/${id}`}
      none={t`No products match these filters.`}
      columns={[
        { key: "name", label: t`Name`, sort: true, cell: (product) => <Name product={product} /> },
        items.some(({ accessType }) => accessType !== "Opened") && {
          key: "accessType",
          label: t`Access`,
          width: 144,
          short: "plain",
          cell: ({ accessType }) => ACCESS_LABELS[accessType],
        },
        salesOf !== undefined && {
          key: "sales",
          label: t`Sales, 30 days`,
          width: 200,
          align: "end",
          fits: true,
          cell: ({ id }) => salesOf(id).length > 0 && <Sales amounts={salesOf(id)} />,
        },
        activeOf !== undefined && {
          key: "active",
          label: t`Active licenses`,
          width: 140,
          align: "end",
          cell: ({ id }) => number(activeOf(id)),
        },
        {
          key: "licenseCount",
          label: t`Licenses`,
          width: 110,
          sort: true,
          align: "end",
          as: "number",
        },
        {
          key: "latestVersion",
          label: t`Latest release`,
          width: 140,
          short: "plain",
          cell: (product) => product.latestVersion && <Latest product={product} />,
        },
        {
          key: "createdAt",
          label: t`Created`,
          width: 126,
          sort: true,
          fits: true,
          as: "date",
          short: "left out",
        },
      ]}
    />
  );
}

/** The version that was published last, its channel, and when that was. */
const Latest = ({ product }: { product: ListedProduct }) => (
  <TwoLines
    second={[product.latestChannel, product.latestPublishedAt && date(product.latestPublishedAt)]
      .filter(Boolean)
      .join(" · ")}
  >
    <PageLink to={`/products/${product.id}/releases`} dir="auto">
      {product.latestVersion}
    </PageLink>
  </TwoLines>
);

/** What was sold in each currency, that of most orders first. */
const Sales = ({ amounts: [first, ...others] }: { amounts: readonly string[] }) => (
  <div className={styles.sales}>
    <span>{first}</span>
    {others.length > 0 && <span>{others.join(", ")}</span>}
  </div>
);

function NoProducts({ add }: { add: ReactNode }) {
  if (useCan().role === "Member") return <NoneAssigned />;
  return (
    <EmptyState icon={<ProductIcon />} title={t`No products yet`} action={add}>
      {t`Licenses are issued for products. A product comes with its first release and a product key, which your application uses to call the service.`}
    </EmptyState>
  );
}

/** Empty state for users without an institution. */
const NoInstitution = () => (
  <Card>
    <EmptyState
      title={t`You have no institution yet`}
      action={
        <ButtonLink to="/institutions" variant="contained">
          {t`Go to institutions`}
        </ButtonLink>
      }
    >
      {t`Products belong to an institution. Create your own, or ask to be invited to one.`}
    </EmptyState>
  </Card>
);
