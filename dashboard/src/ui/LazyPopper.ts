import type { PopperProps } from "@mui/material/Popper";
import { floating } from "./lazy";

/** What places a tooltip, which no page needs before one opens. `vite.config.ts` has MUI take it. */
export default floating<PopperProps>(() => import("@mui/material/Popper"));
