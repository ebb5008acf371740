package dev.stowage.tflite.micro;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * A release of Espressif's kernels, ESP-NN, on a chip.
 *
 * <p>The sizes of scratch buffers are those that the kernels of esp-tflite-micro 1.4.0 request. The
 * release of ESP-NN is independent of it.
 */
public final class EspNn {

  /** The library whose kernels request the scratch buffers. */
  public static final String CALLER = "esp-tflite-micro 1.4.0";

  /** The releases of ESP-NN whose scratch buffers are not known. */
  public static final String UNKNOWN_RELEASES =
      "1.2.4 and later (builds of November 2026 take 1.5.0)";

  private static final String PREFIX = "esp-nn-";
  private static final String ANY = "any";
  private static final String FORM =
      "expected esp-nn-VERSION@TARGET or any@TARGET with TARGET ansi, esp32 (also for chips without kernels of their own), esp32s3 or esp32p4, such as esp-nn-1.2.1@esp32s3";

  private static final long HARD_SWISH_BYTES = 512;
  private static final long LOGISTIC_BYTES = 256;

  /** The variants of ESP-NN: {@code esp32} has the generic optimized kernels. */
  enum Target {
    ansi,
    esp32,
    esp32s3,
    esp32p4
  }

  private final EspNnVersion version;
  private final Target target;

  private EspNn(EspNnVersion version, Target target) {
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
    int at = name.indexOf('@');
    String library = at < 0 ? name : name.substring(0, at);
    if (!library.equals(ANY) && !library.startsWith(PREFIX)) {
      throw new IllegalArgumentException(unknown(name) + FORM);
    }
    List<Target> targets =
        Arrays.stream(Target.values())
            .filter(it -> at >= 0 && it.name().equals(name.substring(at + 1)))
            .toList();
    List<EspNnVersion> versions =
        Arrays.stream(EspNnVersion.values())
            .filter(it -> library.equals(ANY) || library.equals(PREFIX + it.text))
            .toList();
    if (at >= 0 && versions.isEmpty()) {
      throw new IllegalArgumentException(
          unknown(name)
              + "expected one of "
              + Arrays.stream(EspNnVersion.values())
                  .map(it -> it.text)
                  .collect(Collectors.joining(", ")));
    }
    if (targets.isEmpty()) {
      throw new IllegalArgumentException(unknown(name) + FORM);
    }
    return versions.stream().map(it -> new EspNn(it, targets.getFirst())).toList();
  }

  private static String unknown(String name) {
    return String.format(
        Locale.ROOT,
        "the scratch buffers of '%s' are unknown; log them on the device and use --scratch FILE; ",
        name);
  }

  /** {@return the name of this release, such as {@code esp-nn-1.2.1@esp32s3}} */
  public String name() {
    return PREFIX + version.text + "@" + target;
  }

  /**
   * {@return the bytes that a function of ESP-NN returns for an operator, 0 to 2^31 - 1}
   *
   * @param builtinCode the operator
   */
  long bytes(int builtinCode, EspNnShape shape) {
    long bytes =
        switch (builtinCode) {
          case BuiltinOperator.CONV_2D -> EspNnConvolution.bytes(version, target, shape);
          case BuiltinOperator.DEPTHWISE_CONV_2D ->
              target == Target.esp32s3 ? EspNnDepthwise.bytes(version, shape) : 0;
          case BuiltinOperator.SOFTMAX -> target == Target.ansi ? 0 : 4 * shape.input().width();
          // No kernel up to 1.4.0 requests these two.
          case BuiltinOperator.HARD_SWISH ->
              target == Target.esp32s3 && version.isFrom(EspNnVersion.V1_2_2)
                  ? HARD_SWISH_BYTES
                  : 0;
          case BuiltinOperator.LOGISTIC -> version.isFrom(EspNnVersion.V1_2_3) ? LOGISTIC_BYTES : 0;
          default -> 0;
        };
    return Math.clamp(bytes, 0, Integer.MAX_VALUE);
  }
}
