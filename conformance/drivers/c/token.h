/* Signed tokens and protected files: what is cryptography. */

#ifndef LICET_TOKEN_H
#define LICET_TOKEN_H

#include "json.h"

#include <openssl/evp.h>

#define MOST_KEYS 16
#define HASH_TEXT 44 /* SHA-256 as base64url, with the null. */

typedef struct {
    EVP_PKEY *key;
    char kid[HASH_TEXT]; /* RFC 7638. */
} PublicKey;

typedef struct {
    const unsigned char *start;
    size_t length;
} Bytes;

void encode_base64url(char *to, const unsigned char *raw, size_t length);
void hash_text(char to[HASH_TEXT], const char *text);

/* Load PEM, or Base64 of SPKI DER; false if it is not an RSA key of at least 2048 bits. */
bool load_public_key(PublicKey *key, const char *text);

/* The header of a token of so many parts; NULL if it has none. Verifies nothing. */
const Json *token_header(Bytes token, int parts);

/* The claims of a token that one of the keys signed as this type; NULL if none did. */
const Json *verify_token(Bytes token, const PublicKey *keys, int count, const char *typ,
                         bool must_name_key);

/* Whether this is the encrypted form, and the token inside; false if the key does not open it. */
bool is_protected(Bytes file);
bool open_protected(Bytes file, const char *normal_key, Bytes *token);

#endif
