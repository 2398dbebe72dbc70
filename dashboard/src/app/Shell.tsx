import { Layout, type LayoutProps } from "react-admin";
import { Bar } from "./Bar";
import { SessionWatch } from "../ui/SessionWatch";
import { UnverifiedBanner } from "../ui/UnverifiedBanner";
import { Navigation } from "./Navigation";

export const Shell = ({ children }: LayoutProps) => (
  <Layout appBar={Bar} menu={Navigation} error={undefined}>
    <SessionWatch />
    <UnverifiedBanner />
    {children}
  </Layout>
);
