/** What the server calls this product. You can ship all of it; none of it can issue a license. */
export const product = {
  productId: "01920000-0000-7000-8000-000000000001",
  publicKeys: ["MIIBojANBgkqhkiG9w0BAQ...", "MIIBojANBgkqhkiG9w0BAQ..."],
  apiKey: "pk_...",
  serverBaseEndpoint: "https://licenses.example.com/api",
};
