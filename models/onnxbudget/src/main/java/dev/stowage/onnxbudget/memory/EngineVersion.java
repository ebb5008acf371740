package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.engine.ServiceSessions;
import java.util.Locale;

/**
 * The versions of ONNX Runtime whose rules for memory differ, with the differences.
 *
 * <p>Each constant has the rules of the version in its name, which were compared with the requests
 * of that version. A version between two constants has the rules of the older one, which need more
 * memory.
 */
public enum EngineVersion {
  /** Copies all weights into the arena of the session. */
  V1_20(Copies.ALL, false, false),
  /** Copies small weights and those in blocks of channels into the arena. */
  V1_23(Copies.SMALL_AND_BLOCKED, true, false),
  /** Reserves memory for small weights. */
  V1_26(Copies.RESERVED, true, false),
  /** Unfolds the images of a convolution one after the other. */
  V1_28(Copies.RESERVED, false, true),
  /** Has other kernels for attention. */
  V1_29(Copies.RESERVED, false, true);

  /** The weights that a session copies before kernels pack weights. */
  enum Copies {
    /** All weights, into the arena. */
    ALL,
    /** Small weights and reordered weights of convolutions, into the arena. */
    SMALL_AND_BLOCKED,
    /** Small weights, into memory outside the arena. */
    RESERVED
  }

  private final Copies copies;
  private final boolean unfoldsImagesAtOnce;
  private final boolean convertsScalesTwice;

  EngineVersion(Copies copies, boolean unfoldsImagesAtOnce, boolean convertsScalesTwice) {
    this.copies = copies;
    this.unfoldsImagesAtOnce = unfoldsImagesAtOnce;
    this.convertsScalesTwice = convertsScalesTwice;
  }

  /**
   * {@return the rules for the engine of this process}
   *
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static EngineVersion ofProcess() {
    return of(ServiceSessions.version());
  }

  /**
   * {@return the rules for a version: those of the same version, else of the next older one, else
   * the oldest ones}
   *
   * @param version the version, such as {@code 1.29.0}
   */
  public static EngineVersion of(String version) {
    EngineVersion rules = V1_20;
    for (EngineVersion next : values()) {
      rules = next.minor() <= minor(version) ? next : rules;
    }
    return rules;
  }

  /**
   * {@return true if the rules were compared with a version}
   *
   * @param version the version, such as {@code 1.29.0}
   */
  public static boolean isCompared(String version) {
    return minor(version) == of(version).minor();
  }

  /** {@return the number after the first point; that of the newest version is a later major one} */
  private static int minor(String version) {
    String[] numbers = version.split("[.-]", -1);
    try {
      int major = Integer.parseInt(numbers[0]);
      int minor = numbers.length > 1 ? Integer.parseInt(numbers[1]) : 0;
      return major > 1 ? Integer.MAX_VALUE : major == 1 ? minor : 0;
    } catch (NumberFormatException _) {
      return Integer.MAX_VALUE; // an unknown version is a new one
    }
  }

  private int minor() {
    return Integer.parseInt(name().substring(name().indexOf('_') + 1));
  }

  Copies copies() {
    return copies;
  }

  /**
   * {@return true if each thread of a convolution unfolds a whole image, if there are several
   * images or groups}
   */
  boolean unfoldsImagesAtOnce() {
    return unfoldsImagesAtOnce;
  }

  /** {@return true if the engine reports to which operator a request belongs} */
  public boolean reportsOperators() {
    return compareTo(V1_26) >= 0;
  }

  /** {@return true if scales of 16 bits are converted once more to pack weights in blocks} */
  boolean convertsScalesTwice() {
    return convertsScalesTwice;
  }

  /** {@return the version without the number of the patch: {@code 1.29}} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "1.%d", minor());
  }
}
