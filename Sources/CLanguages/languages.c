#include "CLanguages.h"

#include <string.h>

// Swift compiles C as C17, where clang has this as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char names[] = {
#embed "Names.json"
};
static const char en_US_texts[] = {
#embed "Texts/en-US.json"
};
static const char en_US_formats[] = {
#embed "Formats/en-US.json"
};
static const char en_GB_texts[] = {
#embed "Texts/en-GB.json"
};
static const char en_GB_formats[] = {
#embed "Formats/en-GB.json"
};
static const char de_texts[] = {
#embed "Texts/de.json"
};
static const char de_formats[] = {
#embed "Formats/de.json"
};
static const char fr_texts[] = {
#embed "Texts/fr.json"
};
static const char fr_formats[] = {
#embed "Formats/fr.json"
};
static const char es_texts[] = {
#embed "Texts/es.json"
};
static const char es_formats[] = {
#embed "Formats/es.json"
};
static const char it_texts[] = {
#embed "Texts/it.json"
};
static const char it_formats[] = {
#embed "Formats/it.json"
};
static const char nl_texts[] = {
#embed "Texts/nl.json"
};
static const char nl_formats[] = {
#embed "Formats/nl.json"
};
static const char pt_BR_texts[] = {
#embed "Texts/pt-BR.json"
};
static const char pt_BR_formats[] = {
#embed "Formats/pt-BR.json"
};
static const char pl_texts[] = {
#embed "Texts/pl.json"
};
static const char pl_formats[] = {
#embed "Formats/pl.json"
};
static const char sv_texts[] = {
#embed "Texts/sv.json"
};
static const char sv_formats[] = {
#embed "Formats/sv.json"
};
static const char da_texts[] = {
#embed "Texts/da.json"
};
static const char da_formats[] = {
#embed "Formats/da.json"
};
static const char nb_texts[] = {
#embed "Texts/nb.json"
};
static const char nb_formats[] = {
#embed "Formats/nb.json"
};
static const char fi_texts[] = {
#embed "Texts/fi.json"
};
static const char fi_formats[] = {
#embed "Formats/fi.json"
};
static const char cs_texts[] = {
#embed "Texts/cs.json"
};
static const char cs_formats[] = {
#embed "Formats/cs.json"
};
static const char tr_texts[] = {
#embed "Texts/tr.json"
};
static const char tr_formats[] = {
#embed "Formats/tr.json"
};
static const char uk_texts[] = {
#embed "Texts/uk.json"
};
static const char uk_formats[] = {
#embed "Formats/uk.json"
};
static const char ja_texts[] = {
#embed "Texts/ja.json"
};
static const char ja_formats[] = {
#embed "Formats/ja.json"
};
static const char ko_texts[] = {
#embed "Texts/ko.json"
};
static const char ko_formats[] = {
#embed "Formats/ko.json"
};
static const char zh_Hans_texts[] = {
#embed "Texts/zh-Hans.json"
};
static const char zh_Hans_formats[] = {
#embed "Formats/zh-Hans.json"
};
static const char zh_Hant_texts[] = {
#embed "Texts/zh-Hant.json"
};
static const char zh_Hant_formats[] = {
#embed "Formats/zh-Hant.json"
};

struct clanguages_data clanguages_language(const char *tag) {
  // Comparisons in place of a table: the addresses in a table cost a page of every process.
#define LANGUAGE(text, name) \
  if (strcmp(tag, text) == 0) \
    return (struct clanguages_data){name##_texts, sizeof name##_texts, name##_formats, sizeof name##_formats};
  LANGUAGE("en-US", en_US)
  LANGUAGE("en-GB", en_GB)
  LANGUAGE("de", de)
  LANGUAGE("fr", fr)
  LANGUAGE("es", es)
  LANGUAGE("it", it)
  LANGUAGE("nl", nl)
  LANGUAGE("pt-BR", pt_BR)
  LANGUAGE("pl", pl)
  LANGUAGE("sv", sv)
  LANGUAGE("da", da)
  LANGUAGE("nb", nb)
  LANGUAGE("fi", fi)
  LANGUAGE("cs", cs)
  LANGUAGE("tr", tr)
  LANGUAGE("uk", uk)
  LANGUAGE("ja", ja)
  LANGUAGE("ko", ko)
  LANGUAGE("zh-Hans", zh_Hans)
  LANGUAGE("zh-Hant", zh_Hant)
  return (struct clanguages_data){0};
}

const char *clanguages_names(size_t *length) {
  *length = sizeof names;
  return names;
}
