import { StatusChip } from "./StatusChip";

/** Marks a Test product, or a license of one. */
export const TestChip = () => <StatusChip status="Test" />;
