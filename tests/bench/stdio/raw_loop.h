// The yardstick: the least a program can do and still answer MCP correctly over pipes. Finds line ends, the id and the
// echoed text by searching for bytes; parses no JSON, checks nothing, knows revision 2025-06-18 only. Not a server to
// build on.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Bytes {
  char* at;
  size_t used;
  size_t room;
};

static inline void make_room(struct Bytes* bytes, size_t more) {
  if (bytes->room - bytes->used >= more) return;
  while (bytes->room - bytes->used < more) bytes->room = bytes->room ? bytes->room * 2 : 65536;
  bytes->at = realloc(bytes->at, bytes->room);
  if (!bytes->at) abort();
}

static inline void append(struct Bytes* out, const char* bytes, size_t count) {
  make_room(out, count);
  memcpy(out->at + out->used, bytes, count);
  out->used += count;
}

#define APPEND(out, literal) append(out, literal, sizeof literal - 1)
#define FIND(from, count, literal) ((const char*)memmem(from, count, literal, sizeof literal - 1))

// The first quote at or after `from` that no backslash escapes; `end` when there is none.
static inline const char* closing_quote(const char* from, const char* end) {
  const char* quote = from;
  while ((quote = memchr(quote, '"', (size_t)(end - quote)))) {
    const char* back = quote;
    while (back > from && back[-1] == '\\') --back;
    if ((quote - back) % 2 == 0) return quote;
    ++quote;
  }
  return end;
}

static inline void append_other(struct Bytes* out, const char* line, size_t length) {
  if (FIND(line, length, "\"initialize\"")) {
    APPEND(out,
           "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
           "\"serverInfo\":{\"name\":\"raw\",\"version\":\"1\"}}");
  } else if (FIND(line, length, "\"tools/list\"")) {
    APPEND(out,
           "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\","
           "\"properties\":{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]}}]}");
  } else {
    APPEND(out, "{}");
  }
}

// Appends the answer to one line; nothing for a notification.
static inline void answer(struct Bytes* out, const char* line, size_t length) {
  const char* end = line + length;
  const char* id = FIND(line, length, "\"id\":");
  if (!id) return;
  id += 5;
  const char* id_end = id;
  while (id_end < end && *id_end != ',' && *id_end != '}') ++id_end;
  APPEND(out, "{\"jsonrpc\":\"2.0\",\"id\":");
  append(out, id, (size_t)(id_end - id));
  APPEND(out, ",\"result\":");
  const char* text = FIND(line, length, "\"text\":\"");
  if (text) {
    text += 8;
    APPEND(out, "{\"content\":[{\"type\":\"text\",\"text\":\"");
    append(out, text, (size_t)(closing_quote(text, end) - text));
    APPEND(out, "\"}]}");
  } else {
    append_other(out, line, length);
  }
  APPEND(out, "}\n");
}

static inline void flush(struct Bytes* out) {
  for (size_t done = 0; done < out->used;) {
    const ssize_t count = write(STDOUT_FILENO, out->at + done, out->used - done);
    if (count < 0 && errno != EINTR) exit(0);
    if (count > 0) done += (size_t)count;
  }
  out->used = 0;
}

// Answers every whole line of `in` and moves what remains to its front. Bytes before `fresh` hold no line end.
static inline void answer_lines(struct Bytes* in, size_t fresh, struct Bytes* out, bool write_each) {
  const char* line = in->at;
  const char* end = in->at + in->used;
  const char* stop = in->at + fresh;
  while ((stop = memchr(stop, '\n', (size_t)(end - stop)))) {
    answer(out, line, (size_t)(stop - line));
    if (write_each) flush(out);
    line = ++stop;
  }
  flush(out);
  in->used = (size_t)(end - line);
  if (line != in->at) memmove(in->at, line, in->used);
}

static inline int serve(bool write_each) {
  struct Bytes in = {0}, out = {0};
  for (;;) {
    make_room(&in, 65536);
    const ssize_t count = read(STDIN_FILENO, in.at + in.used, in.room - in.used);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    const size_t fresh = in.used;
    in.used += (size_t)count;
    answer_lines(&in, fresh, &out, write_each);
  }
}
