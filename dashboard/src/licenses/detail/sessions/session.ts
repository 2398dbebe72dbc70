import { t } from "@lingui/core/macro";
import type { Schemas } from "../../../api/types";

export type Session = Schemas["SeatSession"];

export const nameOf = (session: Session): string => session.deviceName ?? t`Unnamed device`;
