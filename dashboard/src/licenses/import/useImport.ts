import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { type ImportTable, type Mapping, partsOf } from "./table";

export interface ImportChoices {
  table: ImportTable;
  mapping: Mapping;
  productId: string;
  /** Who gets the licenses that name nobody; empty for nobody. */
  receiver: string;
  withDevices: boolean;
}

/** How far an import is, or its dry run, and what came of it so far. */
export interface ImportRun {
  dryRun: boolean;
  rows: number;
  total: number;
  isRunning: boolean;
  error: unknown;
  report: Omit<Schemas["ImportResponse"], "dryRun">;
}

function added(one: ImportRun["report"], other: ImportRun["report"]): ImportRun["report"] {
  const lost = new Map(one.lost.map(({ what, licenses }) => [what, licenses]));
  for (const { what, licenses } of other.lost) lost.set(what, (lost.get(what) ?? 0) + licenses);
  return {
    licenses: one.licenses + other.licenses,
    devices: one.devices + other.devices,
    alreadyThere: one.alreadyThere + other.alreadyThere,
    refused: [...one.refused, ...other.refused],
    lost: [...lost].map(([what, licenses]) => ({ what, licenses })),
  };
}

/** Imports a file part by part, or says what that would do. What is imported stays, whatever follows. */
export function useImport() {
  const [state, setState] = useState<ImportRun | null>(null);
  const queries = useQueryClient();
  const stopped = useRef(false);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const run = async (choices: ImportChoices, dryRun: boolean) => {
    const { table, mapping, productId, receiver, withDevices } = choices;
    stopped.current = false;
    let now: ImportRun = {
      dryRun,
      rows: 0,
      total: table.rows.length,
      isRunning: true,
      error: null,
      report: { licenses: 0, devices: 0, alreadyThere: 0, refused: [], lost: [] },
    };
    const show = (change: Partial<ImportRun>) => {
      now = { ...now, ...change };
      setState(now);
    };
    show({});
    try {
      for (const part of partsOf(table, mapping)) {
        if (stopped.current) break;
        const { columns, rows, firstLine } = part;
        const { data } = await api.POST("/api/products/{productId}/import", {
          params: { ...at({ productId }).params, query: { dryRun } },
          body: { columns, rows, firstLine, receiver: receiver.trim() || null, withDevices },
        });
        if (data) show({ rows: now.rows + rows.length, report: added(now.report, data) });
      }
    } catch (error) {
      show({ error });
    }
    show({ isRunning: false });
    if (!dryRun) void queries.invalidateQueries({ queryKey: ["get"] });
  };
  return {
    state,
    run,
    stop: () => {
      stopped.current = true;
    },
    forget: () => setState(null),
  };
}
