#include "token.h"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <string.h>

#define LONGEST_TOKEN ((size_t)1 << 20)
#define FEWEST_BITS 2048
#define IV_BYTES 12
#define TAG_BYTES 16

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void encode_base64url(char *to, const unsigned char *raw, size_t length)
{
    unsigned bits = 0, waiting = 0;
    for (size_t at = 0; at < length; at++) {
        bits = bits << 8 | raw[at];
        for (waiting += 8; waiting >= 6; waiting -= 6)
            *to++ = ALPHABET[bits >> (waiting - 6) & 63];
    }
    if (waiting > 0)
        *to++ = ALPHABET[bits << (6 - waiting) & 63];
    *to = '\0';
}

/* Only the one spelling that encoding gives: whoever takes others takes edited signatures. */
static bool decode_base64url(Bytes text, Bytes *decoded)
{
    unsigned char *raw = keep(text.length + 1);
    unsigned bits = 0, waiting = 0;
    size_t length = 0;
    for (size_t at = 0; at < text.length; at++) {
        const char *found = memchr(ALPHABET, text.start[at], 64);
        if (found == NULL)
            return false;
        bits = bits << 6 | (unsigned)(found - ALPHABET);
        waiting += 6;
        if (waiting >= 8) {
            waiting -= 8;
            raw[length++] = (unsigned char)(bits >> waiting);
        }
    }
    *decoded = (Bytes){raw, length};
    return waiting < 6 && (bits & ((1u << waiting) - 1)) == 0;
}

void hash_text(char to[HASH_TEXT], const char *text)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    EVP_Digest(text, strlen(text), digest, &length, EVP_sha256(), NULL);
    encode_base64url(to, digest, length);
}

static char *number_of_key(const EVP_PKEY *key, const char *name)
{
    BIGNUM *number = NULL;
    if (!EVP_PKEY_get_bn_param(key, name, &number))
        return "";
    unsigned char *raw = keep((size_t)BN_num_bytes(number));
    size_t length = (size_t)BN_bn2bin(number, raw);
    BN_free(number);
    char *text = keep(length * 4 / 3 + 4);
    encode_base64url(text, raw, length);
    return text;
}

bool load_public_key(PublicKey *key, const char *text)
{
    size_t length = strlen(text);
    key->key = NULL;
    if (strstr(text, "-----BEGIN") != NULL) {
        BIO *in = BIO_new_mem_buf(text, (int)length);
        key->key = PEM_read_bio_PUBKEY(in, NULL, NULL, NULL);
        BIO_free(in);
    } else {
        unsigned char *der = keep(length + 3);
        int decoded = EVP_DecodeBlock(der, (const unsigned char *)text, (int)length);
        const unsigned char *at = der;
        if (decoded > 0)
            key->key = d2i_PUBKEY(NULL, &at, decoded);
    }
    if (key->key == NULL || EVP_PKEY_get_base_id(key->key) != EVP_PKEY_RSA
        || EVP_PKEY_get_bits(key->key) < FEWEST_BITS)
        return false;
    const char *e = number_of_key(key->key, OSSL_PKEY_PARAM_RSA_E);
    const char *n = number_of_key(key->key, OSSL_PKEY_PARAM_RSA_N);
    size_t size = strlen(e) + strlen(n) + 32;
    char *members = keep(size);
    snprintf(members, size, "{\"e\":\"%s\",\"kty\":\"RSA\",\"n\":\"%s\"}", e, n);
    hash_text(key->kid, members);
    return true;
}

/* Split at the points; false if there are not so many parts, or one is not base64url. */
static bool split(Bytes token, Bytes *parts, Bytes *decoded, int count)
{
    const unsigned char *start = token.start, *end = token.start + token.length;
    if (token.length > LONGEST_TOKEN)
        return false;
    for (int part = 0; part < count; part++) {
        const unsigned char *point = memchr(start, '.', (size_t)(end - start));
        if ((point == NULL) != (part == count - 1))
            return false;
        parts[part] = (Bytes){start, (size_t)((point == NULL ? end : point) - start)};
        if (!decode_base64url(parts[part], &decoded[part]))
            return false;
        start = point == NULL ? end : point + 1;
    }
    return true;
}

static const Json *read_object(Bytes raw)
{
    const Json *value = json_read((const char *)raw.start, raw.length);
    return value != NULL && value->kind == JSON_OBJECT ? value : NULL;
}

const Json *token_header(Bytes token, int count)
{
    Bytes parts[5], decoded[5];
    return split(token, parts, decoded, count) ? read_object(decoded[0]) : NULL;
}

static bool has_signed(EVP_PKEY *key, Bytes content, Bytes signature)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool is_good = EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestVerify(context, signature.start, signature.length, content.start,
                            content.length) == 1;
    EVP_MD_CTX_free(context);
    return is_good;
}

const Json *verify_token(Bytes token, const PublicKey *keys, int count, const char *typ,
                         bool must_name_key)
{
    Bytes parts[3], decoded[3];
    if (!split(token, parts, decoded, 3))
        return NULL;
    const Json *header = read_object(decoded[0]);
    if (!json_is(json_get(header, "alg"), "RS256") || !json_is(json_get(header, "typ"), typ)
        || json_has(header, "crit") || json_has(header, "b64"))
        return NULL;
    bool any_key = !must_name_key && !json_has(header, "kid");
    Bytes content = {token.start, parts[0].length + 1 + parts[1].length};
    for (int at = 0; at < count; at++)
        if ((any_key || json_is(json_get(header, "kid"), keys[at].kid))
            && has_signed(keys[at].key, content, decoded[2]))
            return read_object(decoded[1]);
    return NULL;
}

bool is_protected(Bytes file)
{
    int points = 0;
    for (size_t at = 0; at < file.length; at++)
        points += file.start[at] == '.';
    const unsigned char *first = points == 4 ? memchr(file.start, '.', file.length) : NULL;
    return first != NULL && first[1] == '.';
}

static bool derive_key(unsigned char key[32], const char *normal_key, Bytes salt)
{
    static const char info[] = "licet/license-file/v1";
    size_t length = 32;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
    bool is_derived = EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
        && EVP_PKEY_CTX_set1_hkdf_salt(context, salt.start, (int)salt.length) == 1
        && EVP_PKEY_CTX_set1_hkdf_key(context, (const unsigned char *)normal_key,
                                      (int)strlen(normal_key)) == 1
        && EVP_PKEY_CTX_add1_hkdf_info(context, (const unsigned char *)info, sizeof info - 1) == 1
        && EVP_PKEY_derive(context, key, &length) == 1;
    EVP_PKEY_CTX_free(context);
    return is_derived;
}

bool open_protected(Bytes file, const char *normal_key, Bytes *token)
{
    Bytes parts[5], decoded[5], salt;
    unsigned char key[32];
    if (!split(file, parts, decoded, 5))
        return false;
    const Json *header = read_object(decoded[0]), *text = json_get(header, "salt");
    Bytes iv = decoded[2], content = decoded[3], tag = decoded[4];
    if (!json_is(json_get(header, "alg"), "dir") || !json_is(json_get(header, "enc"), "A256GCM")
        || !json_is(json_get(header, "cty"), "license+jwt") || json_has(header, "zip")
        || json_has(header, "crit") || text == NULL || text->kind != JSON_STRING
        || !decode_base64url((Bytes){(const unsigned char *)text->text, text->length}, &salt)
        || salt.length < 16 || salt.length > 64 || parts[1].length != 0
        || iv.length != IV_BYTES || tag.length != TAG_BYTES || !derive_key(key, normal_key, salt))
        return false;
    unsigned char *opened = keep(content.length + 1);
    int length = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool is_good = EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, iv.start) == 1
        && EVP_DecryptUpdate(context, NULL, &length, parts[0].start, (int)parts[0].length) == 1
        && EVP_DecryptUpdate(context, opened, &length, content.start, (int)content.length) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, TAG_BYTES, (void *)tag.start) == 1
        && EVP_DecryptFinal_ex(context, opened + length, &length) == 1;
    EVP_CIPHER_CTX_free(context);
    *token = (Bytes){opened, content.length};
    return is_good;
}
