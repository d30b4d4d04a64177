#pragma once

#include <stddef.h>
#include <stdint.h>

/// Encodes an image as PNG, without times and texts, by libpng, which reports errors by longjmp: Swift cannot be jumped over.
///
/// depth 8 means four bytes a pixel (red, green, blue, alpha, not premultiplied); 1, 2 and 4 mean one byte a pixel with the
/// grey from 0 (black) to 2^depth - 1 (white). Rows follow one another without gaps.
///
/// Returns 1, with bytes that the caller frees; or 0, with the reason in problem.
int cpng_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int depth, uint8_t **bytes, size_t *count,
                char problem[128]);
