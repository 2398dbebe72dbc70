import type { License } from "../../../api/types";
import { Column } from "../../../ui/layout/layout";
import { Balance } from "./Balance";
import { Ledger } from "./Ledger";
import { Trend } from "./Trend";

export const MeterTab = ({ license }: { license: License }) => (
  <Column gap="l">
    <Balance license={license} />
    <Trend license={license} />
    <Ledger license={license} />
  </Column>
);
