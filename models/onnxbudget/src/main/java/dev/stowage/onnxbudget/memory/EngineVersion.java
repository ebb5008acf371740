package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.engine.ServiceSessions;
import dev.stowage.onnxruntime.capi.EngineRelease;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The versions of ONNX Runtime whose rules for memory differ, with the differences.
 *
 * <p>Each constant has the rules of the version in its name, which were compared with the requests
 * of that version.
 */
public enum EngineVersion {
  /** Copies all weights into the arena of the session. */
  V1_20("1.20.0", Copies.ALL, false, false),
  /** Copies small weights and those in blocks of channels into the arena. */
  V1_23("1.23.2", Copies.SMALL_AND_BLOCKED, true, false),
  /** Reserves memory for small weights. */
  V1_26("1.26.0", Copies.RESERVED, true, false),
  /** Unfolds the images of a convolution one after the other. */
  V1_28("1.28.0", Copies.RESERVED, false, true),
  /** Has kernels for attention whose requests are known. */
  V1_29("1.29.0", Copies.RESERVED, false, true);

  /** The weights that a session copies before kernels pack weights. */
  enum Copies {
    /** All weights, into the arena. */
    ALL,
    /** Small weights and reordered weights of convolutions, into the arena. */
    SMALL_AND_BLOCKED,
    /** Small weights, into memory outside the arena. */
    RESERVED
  }

  private final String compared;
  private final Copies copies;
  private final boolean unfoldsImagesAtOnce;
  private final boolean convertsScalesTwice;

  EngineVersion(
      String compared, Copies copies, boolean unfoldsImagesAtOnce, boolean convertsScalesTwice) {
    this.compared = compared;
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
   * {@return the rules whose largest figures count for the engine of this process: its own ones, or
   * those of the next older and the next newer version}
   *
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static List<EngineVersion> candidatesOfProcess() {
    return candidates(ServiceSessions.version());
  }

  /**
   * {@return the rules whose largest figures count for a version}
   *
   * @param version the version, such as {@code 1.29.0}
   */
  public static List<EngineVersion> candidates(String version) {
    EngineVersion rules = of(version);
    Optional<EngineVersion> newer =
        Arrays.stream(values()).filter(next -> next.minor() > minor(version)).findFirst();
    return isCompared(version) || newer.isEmpty() || newer.get() == rules
        ? List.of(rules)
        : List.of(rules, newer.get());
  }

  /**
   * {@return true if two versions differ at most in their patches}
   *
   * @param one a version, such as {@code 1.29.0}
   * @param other another version
   */
  public static boolean isAlike(String one, String other) {
    return minor(one) == minor(other);
  }

  /**
   * {@return true if the rules were compared with a version}
   *
   * @param version the version, such as {@code 1.29.0}
   */
  public static boolean isCompared(String version) {
    return minor(version) == of(version).minor();
  }

  /** {@return the minor version; {@code Integer.MAX_VALUE} for a later or unknown major version} */
  private static int minor(String version) {
    return EngineRelease.of(version)
        .filter(release -> release.major() <= 1)
        .map(release -> release.major() == 1 ? release.minor() : 0)
        .orElse(Integer.MAX_VALUE);
  }

  private int minor() {
    return minor(compared);
  }

  /** {@return the version with which the rules were compared: {@code 1.29.0}} */
  public String compared() {
    return compared;
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

  /** {@return true if the requests of attention follow from the shapes by known rules} */
  boolean hasRulesOfAttention() {
    return this == V1_29;
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
