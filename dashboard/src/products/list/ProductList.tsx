import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { ProductIcon } from "../../ui/icons";
import { Table } from "../../ui/table/Table";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { Link as RouterLink } from "react-router";
import type { Product } from "../../api/types";
import { DataList } from "../../ui/list/DataList";
import { Row } from "../../ui/layout/layout";
import { EmptyState } from "../../ui/EmptyState";
import { date, number } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { ACCESS_LABELS } from "../parts/access";
import { ProductPicture } from "../parts/ProductPicture";
import styles from "./productList.module.css";

const Name = ({ product }: { product: Product }) => (
  <Row gap="m" className={styles.product}>
    <ProductPicture product={product} />
    <Link
      component={RouterLink}
      to={`/products/${product.id}`}
      underline="hover"
      dir="auto"
      className={styles.name}
    >
      {product.name}
    </Link>
  </Row>
);

interface ProductListProps {
  /** Undefined while loading. */
  institutionId: string | undefined;
  add: ReactNode;
}

export const ProductList = ({ institutionId, add }: ProductListProps) => (
  <DataList
    path="products"
    fixed={{ institutionId }}
    toolbar={<SearchFilter placeholder={t`Search by name`} />}
    filterNames={["search"]}
    sort="name"
    enabled={institutionId !== undefined}
    empty={
      <EmptyState icon={<ProductIcon />} title={t`No products yet`} action={add}>
        {t`Licenses are issued for products. A product comes with its first release and a product key, which your application uses to call the service.`}
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
          sort: "name",
          cell: (product) => <Name product={product} />,
        },
        {
          key: "hasKeys",
          label: t`RSA keys`,
          cell: (product) => <StatusChip status={product.hasKeys ? "Ready" : "Missing"} />,
        },
        {
          key: "accessType",
          label: t`Access`,
          from: "sm",
          cell: ({ accessType }) => ACCESS_LABELS[accessType],
        },
        {
          key: "licenseCount",
          label: t`Licenses`,
          sort: "licenseCount",
          align: "end",
          from: "sm",
          cell: (product) => (product.licenseCount === null ? "—" : number(product.licenseCount)),
        },
        {
          key: "createdAt",
          label: t`Created`,
          sort: "createdAt",
          from: "sm",
          fits: true,
          cell: (product) => date(product.createdAt),
        },
      ]}
    />
  </DataList>
);
