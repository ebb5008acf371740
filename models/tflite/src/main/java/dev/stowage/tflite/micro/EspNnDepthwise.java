package dev.stowage.tflite.micro;

import static dev.stowage.tflite.micro.EspNnShape.roundedUp;

/**
 * The bytes of the scratch buffers of depthwise convolutions.
 *
 * <p>Source: {@code esp_nn_get_depthwise_conv_scratch_size_esp32s3} in {@code
 * src/convolution/esp_nn_depthwise_conv_s8_esp32s3.c} of ESP-NN.
 */
final class EspNnDepthwise {

  private static final long VECTOR = 16;

  /** The bytes up to which 1.2.1 and later pad the whole input. */
  private static final long PADDED_BYTES = 40_960;

  /** The bytes up to which 1.2.1 and later convert the whole input to 16 bits. */
  private static final long CONVERTED_BYTES = 49_152;

  private EspNnDepthwise() {}

  static long bytes(EspNnVersion version, EspNnTarget target, EspNnShape arguments) {
    if (target != EspNnTarget.esp32s3) {
      return 0;
    }
    EspNnShape shape = arguments.inUint16();
    return version.isFrom(EspNnVersion.V1_2_1)
        ? sinceV121(shape)
        : beforeV121(shape, version == EspNnVersion.V1_2_0 ? 32 : 16);
  }

  /** 1.0-beta to 1.2.0, with a constant that 1.2.0 doubles. */
  private static long beforeV121(EspNnShape s, long reserve) {
    if (is3x3(s) && s.inputChannels() % VECTOR == 0) {
      return filter(s) + (right(s) != 0 || below(s) != 0 ? extended(s) : 0) + 16;
    }
    boolean isHalf = is3x3(s) && s.inputChannels() % VECTOR == 8;
    return isHalf || s.multiplier() % 4 == 0 ? converted(s) + reserve : 32;
  }

  /** 1.2.1 to 1.2.3. */
  private static long sinceV121(EspNnShape s) {
    long channels = s.inputChannels();
    if (is3x3(s) && channels % VECTOR == 0) {
      return filter(s) + 16 + extendedInParts(s);
    }
    if (is3x3(s) && channels % VECTOR == 8) {
      return channels == 8 ? converted(s) + 32 : paddedChannels(s);
    }
    if (s.multiplier() == 1 && channels % 8 == 0) {
      return converted(s) <= CONVERTED_BYTES
          ? converted(s) + 32
          : 2 * filter(s) + 2 * s.inputWidth() * s.filterHeight() * channels + 32;
    }
    if (s.multiplier() == 1 && channels > 3) {
      long padded = roundedUp(channels, 8);
      long filter = roundedUp(2 * s.filterArea() * padded, VECTOR);
      long input = roundedUp(filter + 2 * s.inputArea() * padded, VECTOR);
      return roundedUp(input + outputArea(s) * padded, VECTOR) + 12 * padded + 16;
    }
    return s.multiplier() % 4 == 0 ? converted(s) + 32 : 32;
  }

  private static long extendedInParts(EspNnShape s) {
    if (right(s) == 0 && below(s) == 0) {
      return 0;
    }
    long rows = 3;
    return extended(s) <= PADDED_BYTES
        ? extended(s)
        : rows * (s.inputWidth() + right(s)) * s.inputChannels();
  }

  private static long paddedChannels(EspNnShape s) {
    long channels = roundedUp(s.inputChannels(), VECTOR);
    long width = s.inputWidth() + 2 * s.paddingWidth() + Math.max(0, overhangWidth(s));
    long height = s.inputHeight() + 2 * s.paddingHeight() + Math.max(0, overhangHeight(s));
    return s.filterArea() * channels + width * height * channels + outputArea(s) * channels + 64;
  }

  private static boolean is3x3(EspNnShape s) {
    return s.multiplier() == 1 && s.isFilter(3, 3);
  }

  private static long filter(EspNnShape s) {
    return s.window() * s.multiplier();
  }

  /** {@return the bytes of the filter and the input in 16 bits} */
  private static long converted(EspNnShape s) {
    return 2 * (filter(s) + s.inputElements());
  }

  private static long extended(EspNnShape s) {
    return (s.inputWidth() + right(s)) * (s.inputHeight() + below(s)) * s.inputChannels();
  }

  private static long right(EspNnShape s) {
    return s.isPadded() ? 2 * s.paddingWidth() : overhangWidth(s);
  }

  private static long below(EspNnShape s) {
    return s.isPadded() ? 2 * s.paddingHeight() : overhangHeight(s);
  }

  /** {@return the columns that the last position of the filter needs; negative with dilation} */
  private static long overhangWidth(EspNnShape s) {
    return (s.outputWidth() & 0xFFFF) * s.strideWidth() + 2 - s.inputWidth();
  }

  private static long overhangHeight(EspNnShape s) {
    return (s.outputHeight() & 0xFFFF) * s.strideHeight() + 2 - s.inputHeight();
  }

  private static long outputArea(EspNnShape s) {
    return (s.outputWidth() & 0xFFFF) * (s.outputHeight() & 0xFFFF);
  }
}
