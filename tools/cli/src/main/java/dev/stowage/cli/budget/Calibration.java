package dev.stowage.cli.budget;

import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.memory.CpuClass;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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

  /** {@return the constants that are part of Stowage} */
  public static Calibration shipped() {
    return new Calibration(
        EngineConstants.shipped(), WorkspaceCalibration.none(), Optional.empty());
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
        // The JVM of a worker uses fewer processors than its machine has.
        Integer.getInteger("stowage.processors", Runtime.getRuntime().availableProcessors()));
  }

  /** {@return a sentence on constants of another machine; empty if they are those of this one} */
  public Optional<String> otherMachine() {
    String machine = constants.origin().machine();
    return machine.equals(thisMachine())
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the constants are those of another machine (%s, this one is %s); --calibrate FILE measures those of this one",
                machine,
                thisMachine()));
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
