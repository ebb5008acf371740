package dev.stowage.tflite.micro;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * A release of Espressif's kernels, ESP-NN, on a chip.
 *
 * <p>The kernels of esp-tflite-micro 1.4.0 ask it for the sizes of their scratch buffers. A program
 * can combine them with any release of ESP-NN.
 */
public final class EspNn {

  /** The library with the kernels that request the scratch buffers. */
  public static final String CALLER = "esp-tflite-micro 1.4.0";

  /** The releases of ESP-NN with unknown scratch buffers. */
  public static final String UNKNOWN_RELEASES =
      "1.2.4 and later (builds of November 2026 take 1.5.0)";

  /** The releases with known scratch buffers, in their order. */
  private static final List<String> VERSIONS =
      List.of(
          "1.0-beta",
          "1.0.0-rc1",
          "1.0.0",
          "1.0.1",
          "1.0.2",
          "1.1.0",
          "1.1.1",
          "1.1.2",
          "1.2.0",
          "1.2.1",
          "1.2.2",
          "1.2.3");

  /**
   * A name: the version, maybe with a revision of the component registry such as {@code ~1}, and
   * the variant; the variant {@code esp32} has the generic kernels.
   */
  private static final Pattern NAME =
      Pattern.compile("(?:any|esp-nn-(.+?)(?:~\\d+)?)@(ansi|esp32|esp32s3|esp32p4)");

  private static final String FORM =
      "esp-nn-VERSION@TARGET or any@TARGET with TARGET ansi, esp32 (also for chips without kernels of their own), esp32s3 or esp32p4, such as esp-nn-1.2.1@esp32s3";

  private static final long HARD_SWISH_BYTES = 512;
  private static final long LOGISTIC_BYTES = 256;

  private final String version;
  private final String target;

  private EspNn(String version, String target) {
    this.version = version;
    this.target = target;
  }

  /**
   * {@return the release of a name, such as {@code esp-nn-1.2.1@esp32s3}; all known releases, in
   * their order, of a name such as {@code any@esp32s3}}
   *
   * @throws IllegalArgumentException if the kernels are not known
   */
  public static List<EspNn> named(String name) {
    Matcher fields = NAME.matcher(name);
    if (!fields.matches()) {
      throw unknown(name, FORM);
    }
    List<EspNn> releases =
        VERSIONS.stream()
            .filter(version -> name.startsWith("any@") || version.equals(fields.group(1)))
            .map(version -> new EspNn(version, fields.group(2)))
            .toList();
    if (releases.isEmpty()) {
      throw unknown(name, "one of " + String.join(", ", VERSIONS));
    }
    return releases;
  }

  private static IllegalArgumentException unknown(String name, String expected) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "the scratch buffers of '%s' are unknown; log them on the device and use --scratch FILE; expected %s",
            name,
            expected));
  }

  /** {@return the name of this release, such as {@code esp-nn-1.2.1@esp32s3}} */
  public String name() {
    return "esp-nn-" + version + "@" + target;
  }

  boolean isFrom(String first) {
    return VERSIONS.indexOf(version) >= VERSIONS.indexOf(first);
  }

  boolean isOn(String chip) {
    return target.equals(chip);
  }

  /**
   * {@return the bytes that a function of ESP-NN returns for an operator, 0 to 2^31 - 1}
   *
   * @param builtinCode the operator
   */
  long bytes(int builtinCode, EspNnShape shape) {
    long bytes =
        switch (builtinCode) {
          case BuiltinOperator.CONV_2D -> EspNnConvolution.bytes(this, shape);
          case BuiltinOperator.DEPTHWISE_CONV_2D ->
              isOn("esp32s3") ? EspNnDepthwise.bytes(this, shape) : 0;
          case BuiltinOperator.SOFTMAX -> isOn("ansi") ? 0 : 4 * shape.input().width();
          // No kernel up to 1.4.0 requests these two.
          case BuiltinOperator.HARD_SWISH ->
              isOn("esp32s3") && isFrom("1.2.2") ? HARD_SWISH_BYTES : 0;
          case BuiltinOperator.LOGISTIC -> isFrom("1.2.3") ? LOGISTIC_BYTES : 0;
          default -> 0;
        };
    return Math.clamp(bytes, 0, Integer.MAX_VALUE);
  }
}
