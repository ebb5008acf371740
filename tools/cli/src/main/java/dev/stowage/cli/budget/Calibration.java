package dev.stowage.cli.budget;

import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.ModelService;
import dev.stowage.onnxbudget.memory.CpuClass;
import dev.stowage.onnxbudget.memory.EngineVersion;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The constants of a machine.
 *
 * @param constants the constants of the engine
 * @param workspaces the workspaces of its kernels
 * @param cpu the class of its processor, if the file has it
 */
public record Calibration(
    EngineConstants constants, WorkspaceCalibration workspaces, Optional<CpuClass> cpu) {

  /** {@return the constants that are part of Stowage, for the newest version of the engine} */
  public static Calibration shipped() {
    return of(EngineConstants.shipped());
  }

  /** {@return the constants that are part of Stowage, for the engine in use, if there is one} */
  public static Calibration ofEngine() {
    try {
      return of(EngineConstants.shipped(EngineVersion.ofProcess()));
    } catch (LinkageError e) {
      return shipped(); // no engine in use; each model says so
    }
  }

  private static Calibration of(EngineConstants constants) {
    return new Calibration(constants, WorkspaceCalibration.none(), Optional.empty());
  }

  /**
   * {@return the workspaces for a processor; none if they were measured on one of another class}
   */
  public WorkspaceCalibration workspacesFor(CpuChoice choice) {
    return isFor(choice) ? workspaces : WorkspaceCalibration.none();
  }

  /** {@return true if the workspaces are for a processor} */
  public boolean isFor(CpuChoice choice) {
    return cpu.isEmpty()
        || workspaces.workspaces().isEmpty()
        || choice.classes().equals(List.of(cpu.get()));
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
                + "; --calibrate FILE measures those of this one");
  }

  /** {@return the version of the engine in use, if there is one} */
  public static Optional<String> engineVersion() {
    try {
      return Optional.of(ModelService.engineVersion());
    } catch (LinkageError e) {
      return Optional.empty();
    }
  }

  /** Writes the constants as JSON. */
  public void write(Writer out) {
    CalibrationText.write(constants, workspaces, cpu, out);
  }

  /**
   * {@return the version of the engine, the machine and a checksum of all constants, which differs
   * if one of them does}
   */
  public String identity() {
    StringWriter text = new StringWriter();
    write(text);
    CRC32 checksum = new CRC32();
    checksum.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return String.format(
        Locale.ROOT,
        "ONNX Runtime %s on %s, checksum %08x",
        constants.origin().engineVersion(),
        constants.origin().machine(),
        checksum.getValue());
  }
}
