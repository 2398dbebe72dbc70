import type { Schemas } from "../../../api/types";

export type Session = Schemas["SeatSession"];
