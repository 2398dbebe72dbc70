// A certified OpenID Connect provider, with one client and whoever signs in as a person.
// node oidc_provider.mjs PACKAGE PORT DOMAIN REDIRECT_URI GONE
// GONE is a file: who is listed in it, one per line, has left.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , entry, port, domain, redirectUri, gone] = process.argv;
const { Provider } = await import(pathToFileURL(entry).href);
const hasLeft = (name) => readFileSync(gone, "utf8").split("\n").includes(name);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "licet",
      client_secret: "a secret/with:signs",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
  pkce: { required: () => true },
  issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
  findAccount: (_, name) =>
    hasLeft(name)
      ? undefined
      : {
          accountId: name,
          claims: () => ({
            sub: name,
            email: `${name}@${domain}`,
            email_verified: true,
            name: `Person ${name}`,
            groups: name.startsWith("chief") ? ["chiefs"] : ["staff"],
          }),
        },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
