#include "license.h"

#include <ctype.h>
#include <float.h>
#include <string.h>

#define MINUTE 60.0
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define FIRST_TIME (-62135596800.0)  /* 0001-01-01 */
#define AFTER_LAST_TIME 253402300800.0 /* 10000-01-01 */
#define LARGEST_WHOLE 9007199254740991.0
#define CLOCK_TOLERANCE (5 * MINUTE)
#define VERDICT_LEEWAY (2 * MINUTE)
#define LONGEST_VERDICT (15 * MINUTE)

/* Times. */

static double days_since_1970(int year, int month, int day)
{
    year -= month <= 2;
    int era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097.0 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int days_of_month(int year, int month)
{
    bool leaps = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 ? 28 + leaps : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static int read_digits(const char *text, int count)
{
    int value = 0;
    while (count-- > 0)
        value = value * 10 + (*text++ - '0');
    return value;
}

/* Whether a text begins like a pattern, in which 0 stands for a digit. */
static bool looks_like(const char *text, size_t length, const char *pattern)
{
    for (; *pattern != '\0'; pattern++, text++, length--)
        if (length == 0 || (*pattern == '0' ? *text < '0' || *text > '9' : *text != *pattern))
            return false;
    return true;
}

Time read_time(const char *text, size_t length, double *utc_offset)
{
    if (!looks_like(text, length, "0000-00-00T00:00:00"))
        return NAN;
    int year = read_digits(text, 4), month = read_digits(text + 5, 2);
    int day = read_digits(text + 8, 2), hour = read_digits(text + 11, 2);
    int minute = read_digits(text + 14, 2), second = read_digits(text + 17, 2);
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_of_month(year, month)
        || hour > 23 || minute > 59 || second > 59)
        return NAN;
    const char *at = text + 19, *end = text + length;
    double fraction = 0, unit = 0.1;
    if (at < end && *at == '.') {
        const char *start = ++at;
        for (; at < end && isdigit((unsigned char)*at); at++, unit /= 10)
            fraction += (*at - '0') * unit;
        if (at == start || at - start > 9)
            return NAN;
    }
    *utc_offset = 0;
    if (end - at == 6 && (looks_like(at, 6, "+00:00") || looks_like(at, 6, "-00:00"))) {
        int hours = read_digits(at + 1, 2), minutes = read_digits(at + 4, 2);
        if (minutes > 59 || hours * 60 + minutes > 14 * 60)
            return NAN;
        *utc_offset = (*at == '-' ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
    } else if (end - at != 1 || *at != 'Z')
        return NAN;
    Time time = days_since_1970(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second
        + fraction - *utc_offset;
    return time >= FIRST_TIME && time < AFTER_LAST_TIME ? time : NAN;
}

/* License keys. */

static const char KEY_ALPHABET[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

static bool is_generated(const char *key)
{
    int sum = 0, factor = 2;
    if (strlen(key) != 25 || strspn(key, KEY_ALPHABET) != 25)
        return false;
    for (int at = 23; at >= 0; at--, factor = 3 - factor) {
        int addend = factor * (int)(strchr(KEY_ALPHABET, key[at]) - KEY_ALPHABET);
        sum += addend / 32 + addend % 32;
    }
    return key[24] == KEY_ALPHABET[(32 - sum % 32) % 32];
}

const char *normal_form(const char *text)
{
    static const char around[] = "\t \"'`<>,;:.";
    char *candidate = keep(strlen(text) + 1), *to = candidate;
    for (const char *at = text; *at != '\0'; at++)
        if (*at != ' ' && *at != '\t' && !ispunct((unsigned char)*at)) {
            char symbol = (char)toupper((unsigned char)*at);
            *to++ = symbol == 'I' || symbol == 'L' ? '1' : symbol == 'O' ? '0' : symbol;
        }
    if (is_generated(candidate))
        return candidate;
    size_t length = strlen(text += strspn(text, around));
    while (length > 0 && strchr(around, text[length - 1]) != NULL)
        length--;
    if (length < 8 || length > 128)
        return NULL;
    for (size_t at = 0; at < length; at++)
        if (text[at] < ' ' || text[at] > '~')
            return NULL;
    return keep_text(text, length);
}

/* Claims. The first that is of another form than the server writes makes the token void. */

static const Json *read_member(const Json *object, const char *name, JsonKind kind, bool *is_void)
{
    const Json *value = json_get(object, name);
    if (value != NULL && value->kind != kind)
        *is_void = true;
    return *is_void ? NULL : value;
}

static const char *read_text(const Json *object, const char *name, bool *is_void)
{
    const Json *value = read_member(object, name, JSON_STRING, is_void);
    if (value == NULL || value->length == 0)
        *is_void = true;
    return *is_void ? "" : value->text;
}

static Time read_seconds(const Json *object, const char *name, bool *is_void)
{
    const Json *value = read_member(object, name, JSON_NUMBER, is_void);
    if (value == NULL || !(value->number >= 0 && value->number < AFTER_LAST_TIME))
        *is_void = true;
    return *is_void ? NAN : value->number;
}

static Time read_time_claim(const Json *object, const char *name, bool *is_void)
{
    double offset;
    const Json *value = read_member(object, name, JSON_STRING, is_void);
    if (value == NULL)
        return NAN;
    Time time = read_time(value->text, value->length, &offset);
    *is_void |= isnan(time);
    return time;
}

static void check_items(const Json *list, JsonKind kind, bool *is_void)
{
    for (const Json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next)
        *is_void |= item->kind != kind;
}

static void check_entitlements(const Json *values, bool *is_void)
{
    for (const Json *item = values == NULL ? NULL : values->first; item != NULL; item = item->next)
        *is_void |= item->kind == JSON_ARRAY || item->kind == JSON_OBJECT
            || (item->kind == JSON_NUMBER && !(fabs(item->number) <= DBL_MAX));
}

static void read_license(const Json *license, Result *result, bool *is_void)
{
    read_text(license, "type", is_void);
    read_text(license, "status", is_void);
    read_member(license, "key", JSON_STRING, is_void);
    read_member(license, "name", JSON_STRING, is_void);
    read_member(license, "issuedTo", JSON_STRING, is_void);
    read_member(license, "issuer", JSON_STRING, is_void);
    read_member(license, "activationMode", JSON_STRING, is_void);
    check_items(read_member(license, "features", JSON_ARRAY, is_void), JSON_STRING, is_void);
    check_items(read_member(license, "metadata", JSON_OBJECT, is_void), JSON_STRING, is_void);
    check_entitlements(read_member(license, "entitlements", JSON_OBJECT, is_void), is_void);
    const Json *seats = read_member(license, "maxActiveUsersCount", JSON_NUMBER, is_void);
    if (seats != NULL && !(fabs(seats->number) <= LARGEST_WHOLE && fmod(seats->number, 1) == 0))
        *is_void = true;
    result->license = license;
    result->expiration = read_time_claim(license, "expirationDate", is_void);
    result->updates_until = read_time_claim(license, "updatesUntil", is_void);
    result->fallback_until = read_time_claim(license, "fallbackUntil", is_void);
    const Json *in_fallback = json_get(license, "inFallback");
    result->in_fallback = in_fallback != NULL && in_fallback->kind == JSON_TRUE;
}

/* Results. */

static Result refused(const char *status, const char *source)
{
    return (Result){status, source, NULL, NAN, NAN, NAN, false, 0, false};
}

/* Whether the license is of a Test product, and the application is not in test mode. */
static bool is_for_tests(const Result *result, const Terms *terms)
{
    const Json *test = json_get(result->license, "test");
    return !terms->test_mode && test != NULL && test->kind == JSON_TRUE;
}

bool is_valid(const Result *result)
{
    return strcmp(result->status, "Valid") == 0 || strcmp(result->status, "GracePeriod") == 0;
}

/* The status as this version knows it. */
static const char *known_status(const char *status)
{
    static const char *const known[] = {
        "Valid", "LicenseNotFound", "Expired", "Revoked", "Suspended", "HardwareIdRequired",
        "HardwareMismatch", "HardwareIdNotAccepted", "PendingApproval", "DeviceBlocked",
        "CredentialsRequired", "CredentialsInvalid", "ActivationRequired", "ReleaseNotAllowed",
        "TrialAlreadyUsed", "DeviceProofRequired",
    };
    for (size_t at = 0; at < sizeof known / sizeof *known; at++)
        if (strcmp(known[at], status) == 0)
            return known[at];
    return "Unknown";
}

/* Verdicts. */

typedef struct {
    const Json *claims;
    Result result;
    Time issued, expires;
} Verdict;

static bool read_verdict(const char *token, const Terms *terms, Verdict *verdict)
{
    bool is_void = false;
    Bytes bytes = {(const unsigned char *)token, strlen(token)};
    const Json *claims = verify_token(bytes, terms->keys, terms->key_count, "verdict+jwt", false);
    if (!json_is(json_get(claims, "aud"), terms->product_id))
        return false;
    const char *status = read_text(claims, "status", &is_void);
    const Json *valid = json_get(claims, "valid"), *license = json_get(claims, "license");
    *verdict = (Verdict){claims, refused(known_status(status), "server"),
                         read_seconds(claims, "iat", &is_void),
                         read_seconds(claims, "exp", &is_void)};
    Result *result = &verdict->result;
    double lifetime = verdict->expires - verdict->issued;
    if (is_void || !(lifetime > 0 && lifetime <= LONGEST_VERDICT) || valid == NULL
        || (valid->kind != JSON_TRUE && valid->kind != JSON_FALSE))
        return false;
    if (strcmp(result->status, "Unknown") != 0 && is_valid(result) != (valid->kind == JSON_TRUE))
        return false;
    if (license != NULL && license->kind == JSON_OBJECT)
        read_license(license, result, &is_void);
    if (!is_valid(result))
        return !is_void;
    return !is_void && json_is(json_get(result->license, "status"), "Active")
        && !(verdict->issued - result->expiration >= VERDICT_LEEWAY);
}

Result evaluate_verdict(const Json *token, const Terms *terms, const char *nonce, Clock now)
{
    Verdict verdict;
    char key_hash[HASH_TEXT];
    hash_text(key_hash, terms->normal_key);
    if (token == NULL || token->kind != JSON_STRING || !read_verdict(token->text, terms, &verdict)
        || !json_is(json_get(verdict.claims, "nonce"), nonce)
        || !json_is(json_get(verdict.claims, "licenseKeyHash"), key_hash)
        || !json_is(json_get(verdict.claims, "hardwareId"), terms->hardware_id))
        return refused("SignatureMismatch", "server");
    if (is_for_tests(&verdict.result, terms))
        verdict.result.status = "TestLicense";
    bool is_now = verdict.issued - now.at <= VERDICT_LEEWAY
        && now.at - verdict.expires <= VERDICT_LEEWAY;
    if (is_valid(&verdict.result) && !is_now) {
        verdict.result.status = "ClockTampered";
        verdict.result.clock_offset = verdict.issued - now.at;
    }
    return verdict.result;
}

/* license.bin. */

typedef struct {
    Result result;
    const char *key_hash; /* NULL if the file has no license key. */
    const char *type, *release;
    const Json *machines;
    bool is_online;
    Time issued, refresh_by;
} File;

static bool read_file(Bytes token, const Terms *terms, File *file)
{
    bool is_void = false;
    const Json *claims =
        verify_token(token, terms->keys, terms->key_count, "license+jwt", true);
    const Json *license = read_member(claims, "license", JSON_OBJECT, &is_void);
    if (!json_is(json_get(claims, "aud"), terms->product_id) || license == NULL)
        return false;
    *file = (File){.result = refused("Valid", "file"), .refresh_by = NAN};
    read_text(claims, "sub", &is_void);
    read_member(claims, "jti", JSON_STRING, &is_void);
    read_license(license, &file->result, &is_void);
    file->type = json_text(license, "type");
    const Json *release = read_member(claims, "release", JSON_OBJECT, &is_void);
    const Json *product = read_member(claims, "product", JSON_OBJECT, &is_void);
    read_member(release, "id", JSON_STRING, &is_void);
    read_member(release, "version", JSON_STRING, &is_void);
    read_member(product, "name", JSON_STRING, &is_void);
    file->release = json_text(release, "version");
    file->machines = read_member(claims, "hardwareIds", JSON_ARRAY, &is_void);
    check_items(file->machines, JSON_STRING, &is_void);
    file->issued = read_seconds(claims, "iat", &is_void);
    if (json_has(claims, "nbf"))
        file->issued = fmax(file->issued, read_seconds(claims, "nbf", &is_void));
    if (json_get(claims, "exp") != NULL)
        file->refresh_by = read_seconds(claims, "exp", &is_void);
    const char *mode = json_text(license, "activationMode"), *key = json_text(license, "key");
    file->is_online = mode == NULL || strcmp(mode, "Offline") != 0;
    const char *normal = key == NULL ? NULL : normal_form(key);
    if (normal != NULL)
        hash_text((char *)(file->key_hash = keep(HASH_TEXT)), normal);
    return !is_void;
}

static bool is_quarter_hours(double difference)
{
    double remainder = fmod(difference, 15 * MINUTE);
    return difference >= 15 * MINUTE - 90 && difference <= 14 * HOUR + 90
        && fmin(remainder, 15 * MINUTE - remainder) <= 90;
}

static bool names_this_machine(const Json *machines, const char *hardware_id)
{
    for (const Json *item = machines->first; item != NULL; item = item->next)
        if (json_is(item, hardware_id))
            return true;
    return false;
}

/* The first number of a version; NULL if versions like it have no order. */
static const char *major_of(const char *version, size_t *length)
{
    static const char digits[] = "0123456789";
    static const char symbols[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";
    const char *at = version + (*version == 'v'), *major = at + strspn(at, "0");
    *length = strspn(major, digits);
    int numbers = 0;
    do {
        size_t count = strspn(at, digits);
        if (count == 0)
            return NULL;
        numbers++;
        at += count;
    } while (*at == '.' && at++);
    for (const char *mark = "-+"; *mark != '\0'; mark++) {
        if (*at != *mark || (*mark == '-' && numbers < 2))
            continue;
        do {
            size_t count = strspn(++at, symbols);
            if (count == 0)
                return NULL;
            at += count;
        } while (*at == '.');
    }
    return *at == '\0' ? major : NULL;
}

static bool release_allows(const char *release, const char *application)
{
    size_t covered, own;
    if (release == NULL || application == NULL)
        return true;
    const char *left = major_of(release, &covered), *right = major_of(application, &own);
    if (left == NULL || right == NULL || own != covered)
        return left == NULL || right == NULL || own < covered;
    return strncmp(right, left, own) <= 0;
}

/* Whether the license covers for ever the release that the application is. */
static bool keeps_release(const Result *license, Time released_at)
{
    Time kept = license->fallback_until;
    if (isnan(kept) && isnan(license->expiration))
        kept = license->updates_until;
    return released_at <= kept;
}

static const char *check_file(File *file, const Terms *terms, Clock now)
{
    Result *license = &file->result;
    Time contact = NAN, bound = file->issued;
    char own_hash[HASH_TEXT];
    Verdict kept;
    if (terms->kept_verdict != NULL && read_verdict(terms->kept_verdict, terms, &kept)
        && is_valid(&kept.result)
        && json_is(json_get(kept.claims, "hardwareId"), terms->hardware_id)) {
        bound = fmax(bound, kept.issued);
        if (json_is(json_get(kept.claims, "licenseKeyHash"), file->key_hash))
            contact = kept.issued;
    }
    double behind = fmax(bound - now.at, 0);
    Time at = fmax(now.at, bound);
    bool is_zone = is_quarter_hours(behind)
        || (now.utc_offset != 0 && behind <= fabs(now.utc_offset) + CLOCK_TOLERANCE);
    bool needs_clock = !keeps_release(license, terms->app_released_at)
        || !isnan(file->refresh_by) || file->is_online;
    license->clock_warning = behind > CLOCK_TOLERANCE && is_zone;

    if (terms->normal_key != NULL && file->key_hash != NULL) {
        hash_text(own_hash, terms->normal_key);
        if (strcmp(own_hash, file->key_hash) != 0)
            return "LicenseNotFound";
    }
    if (is_for_tests(license, terms))
        return "TestLicense";
    const char *status = json_text(license->license, "status");
    if (strcmp(status, "Active") != 0) {
        status = known_status(status);
        return strcmp(status, "Valid") == 0 ? "Unknown" : status;
    }
    if (needs_clock && behind > CLOCK_TOLERANCE && !is_zone)
        return "ClockTampered";
    bool has_ended = at >= license->expiration;
    if (has_ended && !isnan(license->fallback_until) && !isnan(terms->app_released_at)) {
        license->in_fallback = true;
        license->expiration = NAN;
    } else if (has_ended)
        return "Expired";
    if (file->machines != NULL && file->machines->first != NULL) {
        if (!names_this_machine(file->machines, terms->hardware_id))
            return "HardwareMismatch";
    } else if (strcmp(file->type, "NodeLocked") == 0 || strcmp(file->type, "Concurrent") == 0)
        return "HardwareIdRequired";
    Time fallback = license->in_fallback ? license->fallback_until : NAN;
    if (terms->app_released_at > fmin(license->updates_until, fallback))
        return "ReleaseNotAllowed";
    bool is_dated = !isnan(terms->app_released_at) && !isnan(license->updates_until);
    if (!is_dated && !release_allows(file->release, terms->app_version))
        return "ReleaseNotAllowed";
    if (at >= file->refresh_by)
        return "RefreshRequired";
    if (!file->is_online)
        return "Valid";
    return at <= contact + terms->grace_seconds ? "GracePeriod" : "OnlineRequired";
}

/* A signed refusal may stand in the place of license.bin. */
static Result evaluate_kept_refusal(Bytes token, const Terms *terms)
{
    Verdict verdict;
    char own_hash[HASH_TEXT];
    if (!read_verdict(keep_text((const char *)token.start, token.length), terms, &verdict)
        || is_valid(&verdict.result)
        || !json_is(json_get(verdict.claims, "hardwareId"), terms->hardware_id))
        return refused("SignatureMismatch", "file");
    if (terms->normal_key != NULL) {
        hash_text(own_hash, terms->normal_key);
        if (!json_is(json_get(verdict.claims, "licenseKeyHash"), own_hash))
            return refused("LicenseNotFound", "file");
    }
    verdict.result.source = "file";
    return verdict.result;
}

Result evaluate_file(Bytes token, const Terms *terms, Clock now)
{
    File file;
    if (is_protected(token)
        && (terms->normal_key == NULL || !open_protected(token, terms->normal_key, &token)))
        return refused("SignatureMismatch", "file");
    if (json_is(json_get(token_header(token, 3), "typ"), "verdict+jwt"))
        return evaluate_kept_refusal(token, terms);
    if (!read_file(token, terms, &file))
        return refused("SignatureMismatch", "file");
    file.result.status = check_file(&file, terms, now);
    return file.result;
}
