package dev.stowage.tflite.micro;

import static dev.stowage.tflite.micro.EspNnShape.roundedUp;

/**
 * The bytes of the scratch buffers of depthwise convolutions on an ESP32-S3.
 *
 * <p>Source: {@code esp_nn_depthwise_conv_s8_esp32s3.c} of ESP-NN.
 */
final class EspNnDepthwise {

  private static final long VECTOR = 16;

  /** Releases 1.2.1 and later pad the whole input up to this size in bytes. */
  private static final long PADDED_BYTES = 40_960;

  /** Releases 1.2.1 and later convert the whole input to 16 bits up to this size in bytes. */
  private static final long CONVERTED_BYTES = 49_152;

  private EspNnDepthwise() {}

  static long bytes(EspNn kernels, EspNnShape s) {
    return kernels.isFrom("1.2.1")
        ? sinceV121(s)
        : beforeV121(s, kernels.isFrom("1.2.0") ? 32 : 16);
  }

  /** 1.0-beta to 1.2.0; 1.2.0 has twice the reserve. */
  private static long beforeV121(EspNnShape s, long reserve) {
    if (is3x3(s) && s.channels() % VECTOR == 0) {
      return filter(s) + 16 + (margin(s).is(0) ? 0 : extended(s).area() * s.channels());
    }
    boolean isHalf = is3x3(s) && s.channels() % VECTOR == 8;
    return isHalf || s.multiplier() % 4 == 0 ? converted(s) + reserve : 32;
  }

  /** 1.2.1 to 1.2.3. */
  private static long sinceV121(EspNnShape s) {
    long channels = s.channels();
    if (is3x3(s) && channels % VECTOR == 0) {
      long bytes = margin(s).is(0) ? 0 : extended(s).area() * channels;
      return filter(s) + 16 + (bytes <= PADDED_BYTES ? bytes : 3 * extended(s).width() * channels);
    }
    if (is3x3(s) && channels % VECTOR == 8 && channels > 8) {
      EspNnShape.Size more = s.overhang().notNegative();
      long elements = s.filter().area() + s.padded().plus(more).area() + s.output().area();
      return elements * roundedUp(channels, VECTOR) + 64;
    }
    if (s.multiplier() == 1 && channels % 8 == 0) {
      return converted(s) <= CONVERTED_BYTES || is3x3(s)
          ? converted(s) + 32
          : 2 * filter(s) + 2 * s.input().width() * s.filter().height() * channels + 32;
    }
    if (s.multiplier() == 1 && channels > 3) {
      long padded = roundedUp(channels, 8);
      long filter = roundedUp(2 * s.filter().area() * padded, VECTOR);
      long input = roundedUp(filter + 2 * s.input().area() * padded, VECTOR);
      return roundedUp(input + s.output().area() * padded, VECTOR) + 12 * padded + 16;
    }
    return s.multiplier() % 4 == 0 ? converted(s) + 32 : 32;
  }

  private static boolean is3x3(EspNnShape s) {
    return s.multiplier() == 1 && s.filter().is(3);
  }

  private static long filter(EspNnShape s) {
    return s.window() * s.multiplier();
  }

  /** {@return the bytes of the filter and the input in 16 bits} */
  private static long converted(EspNnShape s) {
    return 2 * (filter(s) + s.input().area() * s.channels());
  }

  private static EspNnShape.Size extended(EspNnShape s) {
    return s.input().plus(margin(s));
  }

  private static EspNnShape.Size margin(EspNnShape s) {
    return s.isPadded() ? s.padding().twice() : s.overhang();
  }
}
