// Comparisons of sixteen bytes at once, for which Swift has types (SIMD16) but makes one byte after the other of them: its
// comparisons and masks never become the processor's (Swift 6.2; the JSON reader took 206 us for a document with them, and
// takes 12 with these). Clang's vector types are the same source for every processor.
#ifndef CACHESYNC_CVECTORS_H
#define CACHESYNC_CVECTORS_H

#include <stdint.h>
#include <string.h>

// Which of the 16 bytes from BYTES on are not plain text of a JSON string (a quote, a backslash, a control character, or 0x80
// and more): a bit for each, that of the first the least. All 16 must exist.
static inline uint16_t cachesync_unplain_text(const uint8_t *bytes) {
  typedef int8_t text_type __attribute__((ext_vector_type(16)));
  typedef _Bool flag_type __attribute__((ext_vector_type(16)));
  text_type text;
  memcpy(&text, bytes, sizeof text);
  // As signed numbers, bytes of 0x80 or more are less than the control characters.
  flag_type found = __builtin_convertvector((text < 0x20) | (text == '"') | (text == '\\'), flag_type);
  uint16_t flags;
  memcpy(&flags, &found, sizeof flags);
  return flags;
}

#endif
