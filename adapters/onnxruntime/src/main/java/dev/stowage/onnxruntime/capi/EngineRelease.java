package dev.stowage.onnxruntime.capi;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A release of ONNX Runtime.
 *
 * @param major the first number of its version
 * @param minor the second number of its version
 */
public record EngineRelease(int major, int minor) {

  private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(\\D.*)?");

  /**
   * {@return the release of a version, or empty if the version does not start with two numbers}
   *
   * @param version the version, such as {@code 1.29.0} or {@code 1.30rc1}
   */
  public static Optional<EngineRelease> of(String version) {
    Matcher numbers = VERSION.matcher(version);
    return numbers.matches()
        ? Optional.of(
            new EngineRelease(
                Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))))
        : Optional.empty();
  }

  /** {@return true if this is release 1.{@code otherMinor} or a newer one} */
  public boolean isSince(int otherMinor) {
    return major > 1 || (major == 1 && minor >= otherMinor);
  }
}
