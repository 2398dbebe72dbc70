#include "json.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 64

typedef struct Block {
    struct Block *before;
    max_align_t content[];
} Block;

typedef struct {
    const char *at, *end;
    int depth;
} Reader;

static Block *last;

void *keep(size_t size)
{
    Block *block = calloc(1, sizeof(Block) + size);
    if (block == NULL)
        abort();
    block->before = last;
    last = block;
    return block->content;
}

char *keep_text(const char *text, size_t length)
{
    return memcpy(keep(length + 1), text, length);
}

void release_all(void)
{
    while (last != NULL) {
        Block *before = last->before;
        free(last);
        last = before;
    }
}

static Json *read_value(Reader *reader);

static void skip_space(Reader *reader)
{
    while (reader->at < reader->end && memchr(" \t\r\n", *reader->at, 4) != NULL)
        reader->at++;
}

static bool take(Reader *reader, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, text, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static size_t take_digits(Reader *reader)
{
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    return (size_t)(reader->at - start);
}

static bool read_number(Reader *reader, Json *value)
{
    const char *start = reader->at;
    take(reader, "-");
    if (!take(reader, "0") && take_digits(reader) == 0)
        return false;
    if (take(reader, ".") && take_digits(reader) == 0)
        return false;
    if (take(reader, "e") || take(reader, "E")) {
        if (!take(reader, "+"))
            take(reader, "-");
        if (take_digits(reader) == 0)
            return false;
    }
    value->length = (size_t)(reader->at - start);
    value->text = keep_text(start, value->length);
    value->number = strtod(value->text, NULL);
    return true;
}

static bool read_hex(Reader *reader, unsigned *code)
{
    *code = 0;
    for (int digit = 0; digit < 4; digit++, reader->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *found = reader->at < reader->end ? memchr(digits, *reader->at, 32) : NULL;
        if (found == NULL)
            return false;
        *code = *code << 4 | ((unsigned)(found - digits) & 15);
    }
    return true;
}

static char *add_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)((0xf00u >> (more + 1)) | code >> (6 * more));
    while (more-- > 0)
        *to++ = (char)(0x80 | (code >> (6 * more) & 0x3f));
    return to;
}

static bool read_escape(Reader *reader, char **to)
{
    static const char named[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (reader->at >= reader->end)
        return false;
    char symbol = *reader->at++;
    const char *found = memchr(named, symbol, 8);
    if (found != NULL) {
        *(*to)++ = meant[found - named];
        return true;
    }
    unsigned code, low;
    if (symbol != 'u' || !read_hex(reader, &code) || (code >= 0xdc00 && code < 0xe000))
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take(reader, "\\u") || !read_hex(reader, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *to = add_utf8(*to, code);
    return true;
}

static bool read_string(Reader *reader, const char **text, size_t *length)
{
    if (!take(reader, "\""))
        return false;
    const char *start = reader->at, *end = start;
    while (end < reader->end && *end != '"')
        end += *end == '\\' ? 2 : 1;
    if (end >= reader->end)
        return false;
    char *decoded = keep((size_t)(end - start) + 1), *to = decoded;
    while (reader->at < end) {
        char symbol = *reader->at++;
        if ((unsigned char)symbol < 0x20)
            return false;
        if (symbol != '\\')
            *to++ = symbol;
        else if (!read_escape(reader, &to))
            return false;
    }
    *text = decoded;
    *length = (size_t)(to - decoded);
    return take(reader, "\"");
}

static bool read_items(Reader *reader, Json *value, const char *close)
{
    Json **link = &value->first;
    skip_space(reader);
    if (take(reader, close))
        return true;
    do {
        const char *name = NULL;
        size_t length = 0;
        skip_space(reader);
        if (value->kind == JSON_OBJECT) {
            if (!read_string(reader, &name, &length))
                return false;
            skip_space(reader);
            if (!take(reader, ":"))
                return false;
        }
        Json *item = read_value(reader);
        if (item == NULL)
            return false;
        item->name = name;
        item->name_length = length;
        *link = item;
        link = &item->next;
    } while (take(reader, ","));
    return take(reader, close);
}

static Json *read_value(Reader *reader)
{
    Json *value = keep(sizeof *value);
    bool is_read = false;
    skip_space(reader);
    if (reader->at >= reader->end || reader->depth >= DEEPEST)
        return NULL;
    reader->depth++;
    switch (*reader->at) {
    case '"':
        value->kind = JSON_STRING;
        is_read = read_string(reader, &value->text, &value->length);
        break;
    case '{':
        value->kind = JSON_OBJECT;
        reader->at++;
        is_read = read_items(reader, value, "}");
        break;
    case '[':
        value->kind = JSON_ARRAY;
        reader->at++;
        is_read = read_items(reader, value, "]");
        break;
    case 'n':
        value->kind = JSON_NULL;
        is_read = take(reader, "null");
        break;
    case 't':
        value->kind = JSON_TRUE;
        is_read = take(reader, "true");
        break;
    case 'f':
        value->kind = JSON_FALSE;
        is_read = take(reader, "false");
        break;
    default:
        value->kind = JSON_NUMBER;
        is_read = read_number(reader, value);
    }
    reader->depth--;
    skip_space(reader);
    return is_read ? value : NULL;
}

const Json *json_read(const char *text, size_t length)
{
    Reader reader = {text, text + length, 0};
    Json *value = read_value(&reader);
    return reader.at == reader.end ? value : NULL;
}

static const Json *find(const Json *object, const char *name)
{
    const Json *found = NULL;
    if (object == NULL || object->kind != JSON_OBJECT)
        return NULL;
    for (const Json *item = object->first; item != NULL; item = item->next)
        if (item->name_length == strlen(name) && memcmp(item->name, name, item->name_length) == 0)
            found = item;
    return found;
}

const Json *json_get(const Json *object, const char *name)
{
    const Json *found = find(object, name);
    return found == NULL || found->kind == JSON_NULL ? NULL : found;
}

bool json_has(const Json *object, const char *name)
{
    return find(object, name) != NULL;
}

const char *json_text(const Json *object, const char *name)
{
    const Json *value = json_get(object, name);
    return value != NULL && value->kind == JSON_STRING ? value->text : NULL;
}

bool json_is(const Json *value, const char *text)
{
    return value != NULL && value->kind == JSON_STRING && text != NULL
        && value->length == strlen(text) && memcmp(value->text, text, value->length) == 0;
}

static void quote(FILE *out, const char *text, size_t length)
{
    putc('"', out);
    for (size_t at = 0; at < length; at++) {
        unsigned char symbol = (unsigned char)text[at];
        if (symbol < 0x20)
            fprintf(out, "\\u%04x", symbol);
        else
            fprintf(out, symbol == '"' || symbol == '\\' ? "\\%c" : "%c", symbol);
    }
    putc('"', out);
}

void json_quote(FILE *out, const char *text)
{
    if (text == NULL)
        fputs("null", out);
    else
        quote(out, text, strlen(text));
}

void json_write(FILE *out, const Json *value)
{
    static const char *const words[] = {"null", "false", "true"};
    if (value == NULL || value->kind <= JSON_TRUE) {
        fputs(words[value == NULL ? JSON_NULL : value->kind], out);
        return;
    }
    if (value->kind == JSON_NUMBER) {
        fputs(value->text, out);
        return;
    }
    if (value->kind == JSON_STRING) {
        quote(out, value->text, value->length);
        return;
    }
    putc(value->kind == JSON_ARRAY ? '[' : '{', out);
    for (const Json *item = value->first; item != NULL; item = item->next) {
        if (item->name != NULL) {
            quote(out, item->name, item->name_length);
            putc(':', out);
        }
        json_write(out, item);
        if (item->next != NULL)
            putc(',', out);
    }
    putc(value->kind == JSON_ARRAY ? ']' : '}', out);
}
