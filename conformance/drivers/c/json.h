/* JSON, read strictly. What is read or kept lives until release_all(). */

#ifndef LICET_JSON_H
#define LICET_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum {
    JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT
} JsonKind;

typedef struct Json {
    JsonKind kind;
    double number;
    const char *text; /* A string, ended by a null; a number, as it is written. */
    size_t length;
    const char *name; /* Of a member of an object. */
    size_t name_length;
    struct Json *first, *next;
} Json;

void *keep(size_t size);
char *keep_text(const char *text, size_t length);
void release_all(void);

/* Read a text as a whole; NULL if it is not JSON. */
const Json *json_read(const char *text, size_t length);

/* The member of an object; NULL if it is missing or null. The last one counts. */
const Json *json_get(const Json *object, const char *name);
bool json_has(const Json *object, const char *name); /* Also if it is null. */
const char *json_text(const Json *object, const char *name);
bool json_is(const Json *value, const char *text);

void json_write(FILE *out, const Json *value);
void json_quote(FILE *out, const char *text);

#endif
