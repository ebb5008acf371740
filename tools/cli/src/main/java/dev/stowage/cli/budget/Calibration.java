package dev.stowage.cli.budget;

import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.ModelService;
import dev.stowage.onnxbudget.memory.EngineVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The constants of the engine, which were measured on one machine.
 *
 * @param constants the constants
 */
public record Calibration(EngineConstants constants) {

  /** {@return the constants that are part of Stowage, for the newest version of the engine} */
  public static Calibration shipped() {
    return new Calibration(EngineConstants.shipped());
  }

  /** {@return the constants that are part of Stowage, for the engine in use, if there is one} */
  public static Calibration ofEngine() {
    try {
      return new Calibration(EngineConstants.shipped(EngineVersion.ofProcess()));
    } catch (LinkageError e) {
      return shipped(); // no engine in use; each model says so
    }
  }

  /** {@return the processor architecture, operating system and number of processors} */
  public static String thisMachine() {
    return String.format(
        Locale.ROOT,
        "%s %s, %d processors",
        System.getProperty("os.arch"),
        System.getProperty("os.name"),
        Runtime.getRuntime().availableProcessors());
  }

  /**
   * {@return a sentence on constants of another machine or engine; empty if they are those of this
   * one}
   *
   * @param engineVersion the version of the engine in use, if there is one
   */
  public Optional<String> otherMachine(Optional<String> engineVersion) {
    List<String> differences = new ArrayList<>();
    String machine = constants.origin().machine();
    if (!machine.equals(thisMachine())) {
      differences.add(
          String.format(
              Locale.ROOT,
              "are those of another machine (%s, this one is %s)",
              machine,
              thisMachine()));
    }
    String measured = constants.origin().engineVersion();
    engineVersion
        .filter(version -> !EngineVersion.isAlike(version, measured))
        .ifPresent(version ->
            differences.add(
                String.format(
                    Locale.ROOT,
                    "were measured with ONNX Runtime %s, this one is %s",
                    measured,
                    version)));
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the constants "
                + String.join(" and ", differences)
                + "; --measure compares the budget with this one");
  }

  /** {@return the version of the engine in use, if there is one} */
  public static Optional<String> engineVersion() {
    try {
      return Optional.of(ModelService.engineVersion());
    } catch (LinkageError e) {
      return Optional.empty();
    }
  }

  /**
   * {@return the version of the engine, the machine and a checksum of all constants, which differs
   * if one of them does}
   */
  public String identity() {
    CRC32 checksum = new CRC32();
    checksum.update(constants.toString().getBytes(StandardCharsets.UTF_8));
    return String.format(
        Locale.ROOT,
        "ONNX Runtime %s on %s, checksum %08x",
        constants.origin().engineVersion(),
        constants.origin().machine(),
        checksum.getValue());
  }
}
