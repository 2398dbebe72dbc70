import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { $api, api, at } from "../../api/client";
import type { License, Schemas } from "../../api/types";
import { dateTime } from "../../ui/formats";
import { SendIcon } from "../../ui/icons";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { useAct } from "../../ui/useAct";

const writtenText = ({ recipient, createdAt }: Schemas["LicenseMail"]): string =>
  t`An email to ${recipient} was written on ${{ moment: dateTime(createdAt) }}.`;

const offerText = ({ issuedTo }: License): string =>
  issuedTo === null
    ? t`Emails the key and a link to the portal to the customer, with the email text of the product.`
    : t`Emails the key and a link to the portal to ${issuedTo}, with the email text of the product.`;

/** Mails the license to the customer, and says when that was done last. */
export function SendSection({ license }: { license: License }) {
  const { busy, act } = useAct();
  const { data } = $api.useQuery("get", "/api/license-mails", {
    params: { query: { licenseId: license.id, sort: "-createdAt", pageSize: 1 } },
  });
  const last = data?.items[0];
  const send = () =>
    act(
      ({ data: mail }) =>
        mail
          ? t`Email to ${{ recipient: mail.recipient }} written.`
          : t`Email to the customer written.`,
      () =>
        api.POST("/api/licenses/{licenseId}/send", { ...at({ licenseId: license.id }), body: {} }),
    );
  return (
    <Section title={t`Send to customer`} help="emails">
      <Column gap="m" align="start">
        <Typography color="textSecondary">
          {last ? writtenText(last) : offerText(license)}
        </Typography>
        <Button
          variant={last ? "outlined" : "contained"}
          startIcon={<SendIcon />}
          loading={busy}
          onClick={() => void send()}
        >
          {last ? t`Send again` : t`Send to customer`}
        </Button>
      </Column>
    </Section>
  );
}
