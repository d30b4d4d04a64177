#pragma once

#include <stddef.h>
#include <stdint.h>

/// Encodes an image as PNG with libpng, without times and texts.
///
/// This is in C because libpng reports errors by longjmp, which must not cross Swift's frames.
///
/// channels is 4 or 1. With 4 there are four bytes per pixel: red, green, blue and alpha, not premultiplied; depth is 8. With 1
/// there is one byte per pixel: the grey from 0 (black) to 2^depth - 1 (white); depth is 1, 2, 4 or 8. Rows follow each other
/// without gaps.
///
/// Returns 1, with bytes that the caller frees; or 0, with the reason in problem.
int cpng_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int depth, uint8_t **bytes,
                size_t *count, char problem[128]);
