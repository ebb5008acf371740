package dev.stowage.tflite.micro;

import static dev.stowage.tflite.micro.EspNnShape.roundedUp;

/**
 * The bytes of the scratch buffers of convolutions.
 *
 * <p>Source: {@code esp_nn_get_conv_scratch_size_*} in {@code esp_nn_conv_esp32s3.c} and {@code
 * esp_nn_conv_esp32p4.c} of ESP-NN.
 */
final class EspNnConvolution {

  private static final long VECTOR = 16;

  /** The bytes of fast memory that the input and the filter may take on an ESP32-P4. */
  private static final long P4_MEMORY_BYTES = 32 << 10;

  private EspNnConvolution() {}

  static long bytes(EspNn kernels, EspNnShape shape) {
    if (kernels.isOn("esp32s3")) {
      return kernels.isFrom("1.2.1")
          ? esp32s3TwoFilters(shape, kernels.isFrom("1.2.3") ? 64 : 32)
          : kernels.isFrom("1.0.0-rc1") ? oneFilter(shape) : esp32s3Beta(shape);
    }
    if (kernels.isOn("esp32p4") && kernels.isFrom("1.1.0")) {
      return kernels.isFrom("1.2.3") ? esp32p4(shape) : oneFilter(shape);
    }
    return 0;
  }

  /** esp_nn_conv_esp32s3.c, 1.0-beta. */
  private static long esp32s3Beta(EspNnShape s) {
    return s.isPointwise() && s.channels() % 8 == 0
        ? s.channels() * s.outputChannels() + blocks(s, s.channels()) + 32
        : 2 * (s.window() * s.outputChannels() + s.input().area() * s.channels())
            + blocks(s, s.channels())
            + 32;
  }

  /** esp_nn_conv_esp32s3.c, 1.0.0-rc1 to 1.2.0; esp_nn_conv_esp32p4.c, 1.1.0 to 1.2.2. */
  private static long oneFilter(EspNnShape s) {
    return s.isPointwise()
        ? pointwise(s, 32)
        : padded(s) + alignedFilters(s) + 4 * s.outputChannels() + 32;
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
    EspNnShape.Size beyond = s.overhang().notNegative();
    return padded(s)
        + alignedFilters(s)
        + roundedUp(s.filterRow(), VECTOR) * s.filter().height() * channels
        + (beyond.is(0) ? 0 : s.input().plus(beyond).area() * s.channels())
        + 4 * channels
        + reserve;
  }

  /** esp_nn_conv_esp32p4.c, 1.2.3. */
  private static long esp32p4(EspNnShape s) {
    long multipliers = 4 * s.outputChannels();
    if (s.isPointwise()) {
      return s.channels() < VECTOR ? 5 * multipliers + 64 : pointwise(s, 32);
    }
    if (!s.isPadded() && s.filterRow() >= VECTOR) {
      return alignedFilters(s) + multipliers + 32;
    }
    if (s.window() >= VECTOR) {
      return multipliers + s.window() + 32;
    }
    long filters = VECTOR * s.filter().area() * s.outputChannels();
    if (!s.isPadded()) {
      return multipliers + filters + VECTOR * s.input().area() + 32;
    }
    if (padded(s) + multipliers <= P4_MEMORY_BYTES) {
      return padded(s) + alignedFilters(s) + multipliers + 32;
    }
    long row = VECTOR * s.padded().width();
    long free = P4_MEMORY_BYTES - multipliers - filters - s.filter().height() * row;
    long step = Math.max(1, s.stride().height() * row);
    long rows = free >= 0 ? Math.min(s.output().height(), free / step + 1) : 1;
    return ((rows - 1) * s.stride().height() + s.filter().height() + 2 * s.padding().height()) * row
        + filters
        + multipliers
        + 32;
  }

  /**
   * {@return the bytes of a pointwise convolution: its input and filters in blocks of 8 channels}
   */
  private static long pointwise(EspNnShape s, long reserve) {
    long channels = roundedUp(s.channels(), 8);
    return (channels == s.channels() ? 0 : s.input().area() * channels)
        + channels * s.outputChannels()
        + blocks(s, channels)
        + reserve;
  }

  private static long blocks(EspNnShape s, long channels) {
    return s.input().area() >= 8 ? VECTOR * channels : 0;
  }

  private static long padded(EspNnShape s) {
    return s.isPadded() ? s.padded().area() * s.channels() : 0;
  }

  private static long alignedFilters(EspNnShape s) {
    return s.filter().area() * roundedUp(s.channels(), VECTOR) * s.outputChannels();
  }
}
