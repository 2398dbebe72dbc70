/* What is valid: license.bin and signed verdicts. Pure: the time is passed in. */

#ifndef LICET_LICENSE_H
#define LICET_LICENSE_H

#include "token.h"

#include <math.h>

/* Seconds since 1970 in UTC; NAN is no time. */
typedef double Time;

/* What the application says, and what is known of this machine. */
typedef struct {
    const char *product_id;
    PublicKey keys[MOST_KEYS];
    int key_count;
    bool has_license_key;
    const char *normal_key; /* NULL if there is none, or the text cannot be one. */
    const char *hardware_id;
    const char *app_version;
    Time app_released_at;
    double grace_seconds;
    bool test_mode; /* Whether a license of a Test product is accepted. */
    const char *kept_verdict; /* The last confirmation, as the server signed it. */
} Terms;

typedef struct {
    const char *status;
    const char *source; /* file, server or none */
    const Json *license;
    Time expiration, updates_until, fallback_until;
    bool in_fallback;
    double clock_offset; /* The server's time minus the clock's; 0 if they agree. */
    bool clock_warning;
} Result;

typedef struct {
    Time at;
    double utc_offset; /* Of the machine, in seconds. */
} Clock;

/* Read a time of the form that the server writes. */
Time read_time(const char *text, size_t length, double *utc_offset);

/* The form in which license keys are compared and hashed; NULL if the text cannot be one. */
const char *normal_form(const char *text);

bool is_valid(const Result *result);
Result evaluate_file(Bytes file, const Terms *terms, Clock now);
Result evaluate_verdict(const Json *token, const Terms *terms, const char *nonce, Clock now);

#endif
