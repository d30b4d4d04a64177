#ifndef CACHESYNC_CRENAME_H
#define CACHESYNC_CRENAME_H

// renameat2(2), which Swift's Glibc module does not offer, because it hides behind _GNU_SOURCE. glibc 2.28.
extern int renameat2(int from, const char *name, int to, const char *new_name, unsigned int flags);

// linux/fs.h: RENAME_NOREPLACE.
static const unsigned int CRENAME_NOREPLACE = 1;

#endif
