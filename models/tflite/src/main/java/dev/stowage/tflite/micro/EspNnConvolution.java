package dev.stowage.tflite.micro;

import static dev.stowage.tflite.micro.EspNnShape.roundedUp;

/**
 * The bytes of the scratch buffers of convolutions.
 *
 * <p>Source: {@code esp_nn_get_conv_scratch_size_*} in {@code
 * src/convolution/esp_nn_conv_esp32s3.c} and {@code esp_nn_conv_esp32p4.c} of ESP-NN.
 */
final class EspNnConvolution {

  /** The input elements from which a pointwise convolution transposes blocks of them. */
  private static final long BLOCK = 8;

  private static final long VECTOR = 16;

  /** The bytes of fast memory that the input and the filter may take on an ESP32-P4. */
  private static final long P4_MEMORY_BYTES = 32 << 10;

  private EspNnConvolution() {}

  static long bytes(EspNnVersion version, EspNnTarget target, EspNnShape arguments) {
    EspNnShape shape = arguments.inUint16();
    return switch (target) {
      case ansi, esp32 -> 0;
      case esp32s3 ->
          switch (version) {
            case V1_0_BETA -> esp32s3Beta(shape);
            case V1_2_1, V1_2_2 -> esp32s3TwoFilters(shape, 32);
            case V1_2_3 -> esp32s3TwoFilters(shape, 64);
            default -> esp32s3OneFilter(shape);
          };
      case esp32p4 ->
          switch (version) {
            case V1_1_0, V1_1_1, V1_1_2, V1_2_0, V1_2_1, V1_2_2 -> esp32s3OneFilter(shape);
            case V1_2_3 -> esp32p4(shape);
            default -> 0;
          };
    };
  }

  /** esp_nn_conv_esp32s3.c, 1.0-beta. */
  private static long esp32s3Beta(EspNnShape s) {
    long blocks = s.inputArea() >= BLOCK ? VECTOR * s.inputChannels() : 0;
    return s.isPointwise() && s.inputChannels() % 8 == 0
        ? s.inputChannels() * s.outputChannels() + blocks + 32
        : 2 * (s.window() * s.outputChannels() + s.inputElements()) + blocks + 32;
  }

  /** esp_nn_conv_esp32s3.c, 1.0.0-rc1 to 1.2.0; esp_nn_conv_esp32p4.c, 1.1.0 to 1.2.2. */
  private static long esp32s3OneFilter(EspNnShape s) {
    return s.isPointwise()
        ? pointwise(s, 32)
        : s.paddedElements() + alignedFilters(s) + 4 * s.outputChannels() + 32;
  }

  /** esp_nn_conv_esp32s3.c, 1.2.1 to 1.2.3, which counts the filter twice. */
  private static long esp32s3TwoFilters(EspNnShape s, long reserve) {
    if (s.isPointwise()) {
      return pointwise(s, reserve);
    }
    long channels = s.outputChannels();
    if (s.filterRow() < VECTOR && s.window() >= VECTOR) {
      return 4 * channels + 32 + (channels + 1) * roundedUp(s.window(), VECTOR) + reserve;
    }
    long right =
        Math.max(0, s.outputWidth() * s.strideWidth() + s.filterWidth() - 1 - s.inputWidth());
    long below =
        Math.max(0, s.outputHeight() * s.strideHeight() + s.filterHeight() - 1 - s.inputHeight());
    long extended =
        right > 0 || below > 0
            ? (s.inputWidth() + right) * (s.inputHeight() + below) * s.inputChannels()
            : 0;
    return s.paddedElements()
        + alignedFilters(s)
        + roundedUp(s.filterRow(), VECTOR) * s.filterHeight() * channels
        + extended
        + 4 * channels
        + reserve;
  }

  /** esp_nn_conv_esp32p4.c, 1.2.3. */
  private static long esp32p4(EspNnShape s) {
    long channels = s.outputChannels();
    if (s.isPointwise()) {
      return s.inputChannels() < VECTOR ? 20 * channels + 64 : pointwise(s, 32);
    }
    if (!s.isPadded() && s.filterRow() >= VECTOR) {
      return alignedFilters(s) + 4 * channels + 32;
    }
    if (s.window() >= VECTOR) {
      return 4 * channels + s.window() + 32;
    }
    long filters = VECTOR * s.filterArea() * channels;
    if (!s.isPadded()) {
      return 4 * channels + filters + VECTOR * s.inputArea() + 32;
    }
    if (s.paddedElements() + 4 * channels <= P4_MEMORY_BYTES) {
      return s.paddedElements() + alignedFilters(s) + 4 * channels + 32;
    }
    long row = VECTOR * (s.inputWidth() + 2 * s.paddingWidth());
    long free = P4_MEMORY_BYTES - 4 * channels - filters;
    long step = s.strideHeight() * row;
    long rows =
        free > 0 && s.filterHeight() * row <= free && step > 0
            ? Math.min(s.outputHeight(), (free - s.filterHeight() * row) / step + 1)
            : 1;
    return ((rows - 1) * s.strideHeight() + s.filterHeight() + 2 * s.paddingHeight()) * row
        + filters
        + 4 * channels
        + 32;
  }

  /**
   * {@return the bytes of a pointwise convolution: its input and filters in blocks of 8 channels}
   */
  private static long pointwise(EspNnShape s, long reserve) {
    long channels = roundedUp(s.inputChannels(), 8);
    return (s.inputChannels() % 8 == 0 ? 0 : s.inputArea() * channels)
        + channels * s.outputChannels()
        + (s.inputArea() >= BLOCK ? VECTOR * channels : 0)
        + reserve;
  }

  private static long alignedFilters(EspNnShape s) {
    return s.filterArea() * roundedUp(s.inputChannels(), VECTOR) * s.outputChannels();
  }
}
