#include "online.h"

#include <errno.h>
#include <netdb.h>
#include <openssl/rand.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LONGEST_REPLY ((size_t)2 << 20)
#define MOST_ATTEMPTS 3
#define FIRST_PAUSE 0.5
#define DAY 86400.0

typedef struct {
    int status; /* 0: no complete response. */
    const char *type, *body;
    size_t length;
    double retry_after;
} Reply;

static double monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void wait_seconds(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static const char *random_text(void)
{
    unsigned char raw[16];
    char *text = keep(24);
    if (RAND_bytes(raw, sizeof raw) != 1)
        abort();
    encode_base64url(text, raw, sizeof raw);
    return text;
}

bool read_address(Server *server, const char *address)
{
    static const char *const own[] = {"http://127.0.0.1:", "http://localhost:"};
    for (size_t at = 0; at < sizeof own / sizeof *own; at++) {
        size_t length = strlen(own[at]);
        if (strncmp(address, own[at], length) != 0)
            continue;
        const char *port = address + length;
        size_t digits = strspn(port, "0123456789");
        server->host = keep_text(own[at] + 7, length - 8);
        server->port = keep_text(port, digits);
        server->path = keep_text(port + digits, strlen(port + digits));
        return digits > 0;
    }
    return false;
}

/* One exchange. */

static int connect_to(const Server *server)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(server->host, server->port, &hints, &found) != 0)
        return -1;
    int connection = -1;
    for (const struct addrinfo *to = found; to != NULL && connection < 0; to = to->ai_next) {
        connection = socket(to->ai_family, to->ai_socktype, to->ai_protocol);
        if (connection >= 0 && connect(connection, to->ai_addr, to->ai_addrlen) != 0) {
            close(connection);
            connection = -1;
        }
    }
    freeaddrinfo(found);
    return connection;
}

static bool send_all(int connection, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(connection, text, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* All that the server sends until it closes; false at the deadline. */
static bool receive_all(int connection, double deadline, char *reply, size_t *length)
{
    for (*length = 0; *length < LONGEST_REPLY;) {
        struct pollfd ready = {connection, POLLIN, 0};
        double left = deadline - monotonic();
        if (left <= 0 || poll(&ready, 1, (int)(left * 1000) + 1) <= 0)
            return false;
        ssize_t got = recv(connection, reply + *length, LONGEST_REPLY - *length, 0);
        if (got <= 0)
            return got == 0;
        *length += (size_t)got;
    }
    return false;
}

static const char *header_of(const char *head, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            const char *start = line + 3 + length;
            start += strspn(start, " ");
            return keep_text(start, strcspn(start, "\r"));
        }
    return NULL;
}

/* Seconds, or a date such as Sun, 01 Mar 2026 12:00:01 GMT. */
static double read_retry_after(const char *text, Clock now)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char month[4], written[32];
    int day, year, hour, minute, second;
    double offset;
    if (text == NULL)
        return NAN;
    if (sscanf(text, "%*3s, %2d %3s %4d %2d:%2d:%2d GMT", &day, month, &year, &hour, &minute,
               &second) != 6)
        return strspn(text, "0123456789") == strlen(text) ? strtod(text, NULL) : NAN;
    const char *found = strstr(months, month);
    if (found == NULL)
        return NAN;
    int length = snprintf(written, sizeof written, "%04d-%02d-%02dT%02d:%02d:%02dZ", year,
                          (int)(found - months) / 3 + 1, day, hour, minute, second);
    return fmax(read_time(written, (size_t)length, &offset) - now.at, 0);
}

static Reply read_reply(const char *reply, size_t length, Clock now)
{
    Reply read = {0, "", "", 0, NAN};
    const char *end = strstr(reply, "\r\n\r\n");
    int status = 0;
    if (end == NULL || sscanf(reply, "HTTP/1.%*1d %3d", &status) != 1)
        return read;
    const char *head = keep_text(reply, (size_t)(end + 2 - reply));
    const char *promised = header_of(head, "Content-Length"), *type = header_of(head, "Content-Type");
    read.body = end + 4;
    read.length = length - (size_t)(read.body - reply);
    if (promised != NULL && strtoul(promised, NULL, 10) != read.length)
        return read;
    read.status = status;
    read.type = type == NULL ? "" : type;
    read.retry_after = read_retry_after(header_of(head, "Retry-After"), now);
    return read;
}

/* HTTP/1.0 ends a response where the connection ends, so there are no chunks to put together. */
static Reply post(const Server *server, const char *body, double deadline, Clock now)
{
    char *head = NULL, *reply = keep(LONGEST_REPLY + 1);
    size_t head_length = 0, length = 0;
    FILE *out = open_memstream(&head, &head_length);
    fprintf(out, "POST %s/licenses/validate HTTP/1.0\r\nHost: %s:%s\r\nX-API-KEY: %s\r\n",
            server->path, server->host, server->port, server->api_key);
    fprintf(out, "Content-Type: application/json\r\nAccept: application/json\r\n");
    fprintf(out, "User-Agent: licet-c/1\r\nX-Request-Id: %s\r\n", random_text());
    fprintf(out, "Content-Length: %zu\r\n\r\n", strlen(body));
    fclose(out);
    int connection = connect_to(server);
    bool is_complete = connection >= 0 && send_all(connection, head, head_length)
        && send_all(connection, body, strlen(body))
        && receive_all(connection, deadline, reply, &length);
    if (connection >= 0)
        close(connection);
    free(head);
    return read_reply(reply, is_complete ? length : 0, now);
}

/* Until there is an answer. */

static const char *body_of(const Server *server, const Terms *terms, const char *nonce)
{
    const char *const fields[][2] = {
        {"hardwareId", terms->hardware_id}, {"appVersion", terms->app_version},
        {"username", server->username},     {"password", server->password},
        {"deviceName", server->device_name}, {"nonce", nonce},
    };
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs("{\"signed\":true,\"licenseKey\":", out);
    json_quote(out, terms->normal_key);
    for (size_t at = 0; at < sizeof fields / sizeof *fields; at++)
        if (fields[at][1] != NULL) {
            fprintf(out, ",\"%s\":", fields[at][0]);
            json_quote(out, fields[at][1]);
        }
    putc('}', out);
    fclose(out);
    const char *kept = keep_text(text, length);
    free(text);
    return kept;
}

static bool may_pass(const Reply *reply)
{
    int status = reply->status;
    return status == 0 || status == 429 || (status >= 502 && status <= 504);
}

static Reply ask(const Server *server, const char *body, Clock now)
{
    double deadline = monotonic() + server->timeout_seconds, pause = FIRST_PAUSE;
    for (int attempt = 1;; attempt++, pause *= 2) {
        Reply reply = post(server, body, deadline, now);
        unsigned char random = 0;
        RAND_bytes(&random, 1);
        double jittered = pause * (0.5 + random / 512.0);
        if (!isnan(reply.retry_after))
            jittered = reply.retry_after + jittered / 4;
        if (!may_pass(&reply) || attempt == MOST_ATTEMPTS || monotonic() + jittered >= deadline)
            return reply;
        wait_seconds(jittered);
    }
}

static Failure failure_of(const Reply *reply, const Json *content)
{
    Failure failure = {NULL, json_text(content, "errorCode"), reply->status};
    if (reply->status == 0)
        failure.code = "Network";
    else if ((reply->status >= 300 && reply->status < 400)
             || strncmp(reply->type, "text/html", 9) == 0)
        failure.code = "CaptivePortal";
    else if (reply->status == 401)
        failure.code = "ApiKeyRefused";
    else if (reply->status == 429)
        failure.code = "RateLimited";
    else if (reply->status >= 500)
        failure.code = "ServerUnavailable";
    else if (reply->status >= 400 && failure.error_code != NULL)
        failure.code = "RequestRefused";
    else if (reply->status != 200 || content == NULL || content->kind != JSON_OBJECT)
        failure.code = "UnexpectedReply";
    return failure;
}

Failure validate_online(const Server *server, const Terms *terms, Clock now, Result *result)
{
    const char *nonce = random_text();
    Reply reply = ask(server, body_of(server, terms, nonce), now);
    const Json *content = json_read(reply.body, reply.length);
    Failure failure = failure_of(&reply, content);
    if (failure.code != NULL)
        return failure;
    *result = evaluate_verdict(json_get(content, "token"), terms, nonce, now);
    /* The nonce shows that the answer is new, so the time in it is right. */
    if (result->clock_offset != 0 && fabs(result->clock_offset) <= DAY) {
        result->status = "Valid";
        result->clock_warning = true;
    }
    return failure;
}
