// The data of the languages: the files of this directory, inside the program. A process that writes English alone
// reads no page of them.
#ifndef CACHESYNC_CLANGUAGES_H
#define CACHESYNC_CLANGUAGES_H

#include <stddef.h>

// JSON, without a byte 0 at its end.
struct clanguages_data {
  const char *texts;
  size_t texts_length;
  const char *formats;
  size_t formats_length;
};

// The data of a language by its tag, such as "pt-BR". For a tag without data, and for "en", everything is 0.
struct clanguages_data clanguages_language(const char *tag);

// The words of members' names in files of all languages, by what they say, as JSON without a byte 0 at its end.
const char *clanguages_names(size_t *length);

#endif
