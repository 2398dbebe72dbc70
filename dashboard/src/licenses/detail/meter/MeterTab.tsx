import Stack from "@mui/material/Stack";
import type { License } from "../../../api/types";
import { Balance } from "./Balance";
import { Ledger } from "./Ledger";
import { Trend } from "./Trend";

export const MeterTab = ({ license }: { license: License }) => (
  <Stack sx={{ gap: 2.5 }}>
    <Balance license={license} />
    <Trend license={license} />
    <Ledger license={license} />
  </Stack>
);
