/* Asking the server for a signed verdict. */

#ifndef LICET_ONLINE_H
#define LICET_ONLINE_H

#include "license.h"

/* Where the server is, and what it is told of the application. */
typedef struct {
    const char *host, *port, *path; /* Of an http address on this computer. */
    const char *api_key;
    const char *username, *password, *device_name;
    double timeout_seconds;
} Server;

/* Why there is no answer; code NULL if there is one. */
typedef struct {
    const char *code;
    const char *error_code; /* Of the server. */
    int http_status;
} Failure;

/* Read an address; false if it is none that this client may use. */
bool read_address(Server *server, const char *address);

Failure validate_online(const Server *server, const Terms *terms, Clock now, Result *result);

#endif
