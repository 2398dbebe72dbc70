import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQueries } from "@tanstack/react-query";
import { $api } from "../../api/client";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import styles from "./issue.module.css";
import type { IssueForm } from "./useIssueForm";

const SHOWN = 20;

/** What a use costs, and for how many uses the balance is enough. */
function priceText(cost: number, enough: number): string {
  const credits = number(cost);
  const uses = number(enough);
  return enough > 0
    ? plural(enough, { other: `${credits} credits per use, enough for ${uses} uses` })
    : t`${credits} credits per use`;
}

/** The current price of each feature in credits. */
export function FeaturePrices({ form }: { form: IssueForm }) {
  const { productId, initialMeterBalance } = form.draft;
  const { data } = $api.useQuery("get", "/api/products/{productId}/features", {
    params: { path: { productId: productId ?? "" }, query: { pageSize: SHOWN, sort: "name" } },
  });
  const features = data?.items ?? [];
  const prices = useQueries({
    queries: features.map((feature) =>
      $api.queryOptions("get", "/api/meter/features/{featureId}/pricing", {
        params: { path: { featureId: feature.id }, query: { pageSize: 1, sort: "-createdAt" } },
      }),
    ),
  });
  if (!data) return <Skeleton variant="rounded" height={80} />;
  if (features.length === 0)
    return (
      <Alert severity="info">
        {t`The product has no features yet. Usage is rejected until there is a feature with a price.`}
      </Alert>
    );
  const balance = Number(initialMeterBalance) || 0;
  const hidden = (data.totalCount ?? features.length) - features.length;
  const left = String(hidden);
  return (
    <Column gap="xs" className={styles.prices}>
      <Typography variant="subtitle2" component="p">
        {t`Current prices`}
      </Typography>
      <ul>
        {features.map((feature, index) => {
          const cost = prices[index]?.data?.items.find((price) => price.active)?.tokenCost;
          const enough = cost ? Math.floor(balance / cost) : 0;
          return (
            <Typography key={feature.id} component="li" variant="body2">
              {feature.displayName ?? feature.name}:{" "}
              {cost === undefined
                ? prices[index]?.isPending
                  ? "…"
                  : t`no price, usage is rejected`
                : priceText(cost, enough)}
            </Typography>
          );
        })}
      </ul>
      {hidden > 0 && (
        <Typography variant="caption" color="textSecondary">
          {plural(hidden, { other: `and ${left} more` })}
        </Typography>
      )}
    </Column>
  );
}
