import { Layout, type LayoutProps } from "react-admin";
import { Bar } from "./Bar";
import { Navigation } from "./Navigation";

export const Shell = ({ children }: LayoutProps) => (
  <Layout appBar={Bar} menu={Navigation} error={undefined}>
    {children}
  </Layout>
);
