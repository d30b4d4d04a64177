#include "CPNG.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct output {
  uint8_t *bytes;
  size_t count;
  size_t room;
  char *problem;
};

static void report(png_structp png, png_const_charp message) {
  struct output *output = png_get_error_ptr(png);
  snprintf(output->problem, 128, "%s", message);
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {}

static void append(png_structp png, png_bytep data, size_t count) {
  struct output *output = png_get_io_ptr(png);
  if (output->room - output->count < count) {
    size_t room = 2 * output->room + count;
    uint8_t *bytes = realloc(output->bytes, room);
    if (!bytes) png_error(png, "out of memory");
    output->bytes = bytes;
    output->room = room;
  }
  memcpy(output->bytes + output->count, data, count);
  output->count += count;
}

static void flush(png_structp png) {}

// The caller owns the output, because a function must not read after longjmp what it changed after setjmp.
static int write_image(struct output *output, const uint8_t *pixels, uint32_t width, uint32_t height, int channels,
                       int depth) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, output, report, ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  png_set_write_fn(png, output, append, flush);
  png_set_IHDR(png, info, width, height, depth, channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_GRAY,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  // Measured on a picture of 728x340 colours: level 4 takes 1.5 ms more than 3, and files are a sixth smaller. Level 6
  // takes 3 ms more, and files are a fortieth smaller. Filters make files of flat colours larger.
  png_set_compression_level(png, 4);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_write_info(png, info);
  png_set_packing(png);
  size_t stride = (size_t)width * channels;
  for (uint32_t row = 0; row < height; row++) png_write_row(png, pixels + row * stride);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return 1;
}

int cpng_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int depth, uint8_t **bytes,
                size_t *count, char problem[128]) {
  struct output output = {.problem = problem};
  snprintf(problem, 128, "out of memory");
  int is_written = write_image(&output, pixels, width, height, channels, depth);
  if (!is_written) {
    free(output.bytes);
    return 0;
  }
  *bytes = output.bytes;
  *count = output.count;
  return 1;
}
