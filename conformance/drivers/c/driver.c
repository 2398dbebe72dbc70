/* The driver: operations of PROTOCOL.md in, results out. It decides nothing. */

#include "online.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_CLIENTS 64
#define DAY 86400.0

static const char HELLO[] =
    "{\"protocol\":1,\"sdk\":\"write-your-own\",\"language\":\"C\",\"version\":\"1\","
    "\"capabilities\":[\"offline\",\"protected\",\"clock\",\"grace\",\"verdicts\"]}";

typedef struct {
    const char *file;
    Terms terms;
    Server server;
} Client;

static Client clients[MOST_CLIENTS];
static int client_count;
static Clock set_clock = {NAN, 0};

static Clock read_clock(void)
{
    struct timespec now;
    if (!isnan(set_clock.at))
        return set_clock;
    clock_gettime(CLOCK_REALTIME, &now);
    return (Clock){(double)now.tv_sec + (double)now.tv_nsec / 1e9, 0};
}

static double number_or(const Json *object, const char *name, double otherwise)
{
    const Json *value = json_get(object, name);
    return value != NULL && value->kind == JSON_NUMBER ? value->number : otherwise;
}

/* Clients. */

static bool add_key(Terms *terms, const Json *key)
{
    return key->kind == JSON_STRING && terms->key_count < MOST_KEYS
        && load_public_key(&terms->keys[terms->key_count++], key->text);
}

static bool read_terms(Terms *terms, const Json *config, const Json *request)
{
    double offset;
    const char *key = json_text(request, "licenseKey");
    const Json *released = json_get(config, "appReleasedAt");
    const Json *one = json_get(config, "publicKey"), *list = json_get(config, "publicKeys");
    *terms = (Terms){
        .product_id = json_text(config, "productId"),
        .has_license_key = key != NULL,
        .normal_key = key == NULL ? NULL : normal_form(key),
        .hardware_id = json_text(request, "hardwareId"),
        .app_version = json_text(config, "appVersion"),
        .app_released_at =
            released == NULL ? NAN : read_time(released->text, released->length, &offset),
        .test_mode = json_get(config, "testMode") != NULL
            && json_get(config, "testMode")->kind == JSON_TRUE,
        .grace_seconds = number_or(config, "gracePeriodDays", 7) * DAY,
    };
    if (one != NULL && !add_key(terms, one))
        return false;
    for (const Json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next)
        if (!add_key(terms, item))
            return false;
    return terms->key_count > 0 && terms->product_id != NULL;
}

static void free_keys(Terms *terms)
{
    while (terms->key_count > 0)
        EVP_PKEY_free(terms->keys[--terms->key_count].key);
}

static bool read_server(Server *server, const Json *config)
{
    const char *address = json_text(config, "serverBaseEndpoint");
    *server = (Server){
        .api_key = json_text(config, "productApiKey"),
        .username = json_text(config, "username"),
        .password = json_text(config, "password"),
        .device_name = json_text(config, "deviceName"),
        .timeout_seconds = number_or(config, "timeoutSeconds", 10),
    };
    return address == NULL || read_address(server, address);
}

static Client *client_of(const Json *request)
{
    const char *name = json_text(request, "client");
    int number = name == NULL ? 0 : atoi(name);
    return number >= 1 && number <= client_count ? &clients[number - 1] : NULL;
}

/* Results. */

static void write_time(FILE *out, const char *name, Time time)
{
    char text[32] = "null";
    time_t seconds = (time_t)floor(time);
    struct tm parts;
    if (!isnan(time) && gmtime_r(&seconds, &parts) != NULL)
        strftime(text, sizeof text, "\"%Y-%m-%dT%H:%M:%SZ\"", &parts);
    fprintf(out, ",\"%s\":%s", name, text);
}

static void write_entitlements(FILE *out, const Json *values)
{
    fputs(",\"entitlements\":{", out);
    for (const Json *item = values == NULL ? NULL : values->first; item != NULL; item = item->next) {
        json_quote(out, item->name);
        putc(':', out);
        if (item->kind == JSON_NULL)
            fputs("true", out);
        else
            json_write(out, item);
        if (item->next != NULL)
            putc(',', out);
    }
    putc('}', out);
}

static void write_license(FILE *out, const Result *result)
{
    static const char *const texts[] = {"type", "status", "name", "activationMode"};
    fprintf(out, "{\"inFallback\":%s", result->in_fallback ? "true" : "false");
    write_time(out, "expirationDate", result->expiration);
    write_time(out, "updatesUntil", result->updates_until);
    write_time(out, "fallbackUntil", result->fallback_until);
    for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
        fprintf(out, ",\"%s\":", texts[at]);
        json_write(out, json_get(result->license, texts[at]));
    }
    fputs(",\"features\":", out);
    json_write(out, json_get(result->license, "features"));
    write_entitlements(out, json_get(result->license, "entitlements"));
    putc('}', out);
}

static void write_result(FILE *out, const Result *result)
{
    fprintf(out, "{\"valid\":%s,\"status\":", is_valid(result) ? "true" : "false");
    json_quote(out, result->status);
    fputs(",\"source\":", out);
    json_quote(out, result->source);
    fprintf(out, ",\"message\":\"The license is %s.\",\"warnings\":[%s]",
            is_valid(result) ? "valid" : "not valid",
            result->clock_warning ? "\"This computer's clock is wrong.\"" : "");
    fputs(",\"license\":", out);
    if (result->license == NULL)
        fputs("null", out);
    else
        write_license(out, result);
    putc('}', out);
}

/* Operations: each writes its result, or returns why there is none. */

static const Failure DONE = {NULL, NULL, 0};
static const Failure BAD_CONFIGURATION = {"Configuration", NULL, 0};
static const Failure BAD_REQUEST = {"BadRequest", NULL, 0};
static const Failure BAD_FILE = {"LicenseFile", NULL, 0};

static Failure op_set_clock(const Json *request, FILE *out)
{
    const Json *now = json_get(request, "now");
    set_clock.at = NAN;
    if (now != NULL)
        set_clock.at = read_time(now->text, now->length, &set_clock.utc_offset);
    fputs("{}", out);
    return DONE;
}

static Failure op_verify_verdict(const Json *request, FILE *out)
{
    const Json *asked = json_get(request, "request");
    Terms terms;
    if (!read_terms(&terms, json_get(request, "config"), asked) || terms.normal_key == NULL) {
        free_keys(&terms);
        return BAD_CONFIGURATION;
    }
    Result result = evaluate_verdict(json_get(request, "token"), &terms,
                                     json_text(asked, "nonce"), read_clock());
    free_keys(&terms);
    write_result(out, &result);
    return DONE;
}

static Failure op_create_client(const Json *request, FILE *out)
{
    const Json *config = json_get(request, "config");
    if (client_count == MOST_CLIENTS)
        return BAD_REQUEST;
    Client *client = &clients[client_count];
    client->file = json_text(config, "licenseFile");
    if (!read_terms(&client->terms, config, config) || !read_server(&client->server, config)) {
        free_keys(&client->terms);
        return BAD_CONFIGURATION;
    }
    fprintf(out, "{\"client\":\"%d\",\"hardwareId\":", ++client_count);
    json_quote(out, client->terms.hardware_id);
    putc('}', out);
    return DONE;
}

static Failure op_install_file(const Json *request, FILE *out)
{
    Client *client = client_of(request);
    const Json *text = json_get(request, "text");
    if (client == NULL || client->file == NULL)
        return BAD_REQUEST;
    if (text == NULL) {
        remove(client->file);
    } else {
        FILE *file = fopen(client->file, "wb");
        if (file == NULL)
            return BAD_FILE;
        bool is_written = fwrite(text->text, 1, text->length, file) == text->length;
        if (fclose(file) != 0 || !is_written)
            return BAD_FILE;
    }
    client->terms.kept_verdict = json_text(request, "keptVerdict");
    fputs("{}", out);
    return DONE;
}

static bool read_whole(const char *path, Bytes *content)
{
    enum { LONGEST_FILE = 1 << 20 };
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (file == NULL)
        return false;
    unsigned char *text = keep(LONGEST_FILE + 1);
    *content = (Bytes){text, fread(text, 1, LONGEST_FILE + 1, file)};
    fclose(file);
    return true;
}

static const Result NO_LICENSE = {"LicenseNotFound", "none", NULL, NAN, NAN, NAN, false, 0, false};

static bool has_hopeless_key(const Client *client)
{
    return client->terms.has_license_key && client->terms.normal_key == NULL;
}

static Failure op_verify_offline(const Json *request, FILE *out)
{
    Client *client = client_of(request);
    Result result = NO_LICENSE;
    Bytes file;
    if (client == NULL)
        return BAD_REQUEST;
    if (!has_hopeless_key(client) && read_whole(client->file, &file)) {
        if (is_protected(file) && client->terms.normal_key == NULL)
            return BAD_CONFIGURATION;
        result = evaluate_file(file, &client->terms, read_clock());
    }
    write_result(out, &result);
    return DONE;
}

static Failure op_validate_online(const Json *request, FILE *out)
{
    Client *client = client_of(request);
    Result result = NO_LICENSE;
    if (client == NULL)
        return BAD_REQUEST;
    if (!has_hopeless_key(client)) {
        if (client->terms.normal_key == NULL || client->server.host == NULL
            || client->server.api_key == NULL)
            return BAD_CONFIGURATION;
        Failure failure = validate_online(&client->server, &client->terms, read_clock(), &result);
        if (failure.code != NULL)
            return failure;
    }
    write_result(out, &result);
    return DONE;
}

static Failure op_close(const Json *request, FILE *out)
{
    fputs("{}", out);
    return client_of(request) == NULL ? BAD_REQUEST : DONE;
}

/* Everything that was kept lives until here, the requests included. */
static void reset(void)
{
    while (client_count > 0)
        free_keys(&clients[--client_count].terms);
    set_clock = (Clock){NAN, 0};
    release_all();
}

static const struct {
    const char *name;
    Failure (*perform)(const Json *request, FILE *out);
} OPERATIONS[] = {
    {"set_clock", op_set_clock},           {"verify_verdict", op_verify_verdict},
    {"create_client", op_create_client},   {"install_file", op_install_file},
    {"verify_offline", op_verify_offline}, {"validate_online", op_validate_online},
    {"close", op_close},
};

static Failure perform(const Json *request, FILE *out)
{
    for (size_t at = 0; at < sizeof OPERATIONS / sizeof *OPERATIONS; at++)
        if (json_is(json_get(request, "op"), OPERATIONS[at].name))
            return OPERATIONS[at].perform(request, out);
    return (Failure){"UnknownOp", NULL, 0};
}

static void answer(const Json *request)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool is_reset = json_is(json_get(request, "op"), "reset");
    Failure failure = is_reset ? DONE : perform(request, out);
    fclose(out);
    printf("{\"id\":%.0f,", number_or(request, "id", 0));
    if (failure.code == NULL) {
        printf("\"ok\":%s}\n", is_reset ? "{}" : text);
    } else {
        fputs("\"error\":{\"code\":", stdout);
        json_quote(stdout, failure.code);
        fputs(",\"errorCode\":", stdout);
        json_quote(stdout, failure.error_code);
        printf(",\"httpStatus\":%d}}\n", failure.http_status);
    }
    fflush(stdout);
    free(text);
    if (is_reset)
        reset();
}

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    puts(HELLO);
    fflush(stdout);
    while ((length = getline(&line, &capacity, stdin)) > 0)
        answer(json_read(line, (size_t)length));
    free(line);
    reset();
    return 0;
}
