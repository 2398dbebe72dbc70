import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import type { ReactNode } from "react";
import type { Product } from "../api/types";
import { AddLink } from "../ui/AddButton";
import { ProductEmblem } from "../ui/Emblem";
import { EmptyState } from "../ui/EmptyState";
import { ProductIcon } from "../ui/icons";
import { Row } from "../ui/layout/layout";
import { ChoiceFilter } from "../ui/list/ChoiceFilter";
import { DataList } from "../ui/list/DataList";
import { SearchFilter } from "../ui/list/SearchFilter";
import { NoneAssigned } from "../ui/NoneAssigned";
import { Page } from "../ui/Page";
import { ButtonLink, PageLink } from "../ui/PageLink";
import { StatusChip } from "../ui/StatusChip";
import { TestChip } from "../ui/TestChip";
import { Table } from "../ui/table/Table";
import { useCan, useInstitution } from "../ui/useInstitution";
import styles from "./list/productList.module.css";
import { ACCESS_LABELS } from "./parts/access";

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
    fixed={{ institutionId }}
    toolbar={<SearchFilter placeholder={t`Search by name`} />}
    narrowing={
      <ChoiceFilter
        name="mode"
        label={t`Mode`}
        all={t`Live and test`}
        choices={["Live", "Test"]}
        wordsOf={(mode) => (mode === "Test" ? t`Test products` : t`Live products`)}
      />
    }
    filterNames={["search", "mode"]}
    sort="name"
    views="Products"
    hasCsv
    enabled={institutionId !== undefined}
    empty={<NoProducts add={add} />}
  >
    <Table<Product>
      label={t`Products`}
      link={({ id }) => `/products/${id}`}
      none={t`No products match these filters.`}
      columns={[
        { key: "name", label: t`Name`, sort: true, cell: (product) => <Name product={product} /> },
        {
          key: "hasKeys",
          label: t`RSA keys`,
          cell: (product) => <StatusChip status={product.hasKeys ? "Ready" : "Missing"} />,
        },
        {
          key: "accessType",
          label: t`Access`,
          cell: ({ accessType }) => ACCESS_LABELS[accessType],
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
