package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CalibrationReader;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.console.ShortHelp;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for the machine that will run a service. */
public final class MachineOptions {

  @Option(
      names = "--cpu",
      paramLabel = "CLASS",
      converter = CpuConverter.class,
      description = {
        "The processor that will run the service: baseline, avx2, avx512,",
        "avx512-vnni, amx, arm64, or any for the largest figures of all",
        "classes for x86-64 (default: that of the entry in --baseline, or of",
        "this machine)."
      })
  private Optional<CpuChoice> cpu = Optional.empty();

  @Option(
      names = "--constants",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Use the constants of a machine in a FILE of --calibrate (default:",
        "constants that are part of Stowage)."
      })
  private Optional<String> constants = Optional.empty();

  /** {@return the processor, if it is given} */
  public Optional<CpuChoice> cpu() {
    return cpu;
  }

  /**
   * {@return the processor of the option, else of a baseline, else of this machine}
   *
   * @param recorded the processor in the baseline, if there is one
   */
  public CpuChoice cpu(Optional<String> recorded) {
    return cpu.or(() -> recorded.flatMap(CpuChoice::of)).orElseGet(CpuChoice::ofThisMachine);
  }

  /** {@return the file of constants; empty if they are part of Stowage} */
  public Optional<String> constants() {
    return constants;
  }

  /**
   * {@return the constants of the file, or those that are part of Stowage}
   *
   * @param isOfEngine true if ONNX Runtime runs a model
   * @throws IOException if the file cannot be read
   */
  public Calibration calibration(boolean isOfEngine) throws IOException {
    return constants.isPresent()
        ? CalibrationReader.read(constants.get())
        : isOfEngine ? Calibration.ofEngine() : Calibration.shipped();
  }

  /**
   * {@return the machine}
   *
   * @param calibration its constants
   */
  BudgetRequest.Machine machine(Calibration calibration) {
    return new BudgetRequest.Machine(
        cpu.orElseGet(CpuChoice::ofThisMachine), calibration.constants(), calibration.workspaces());
  }

  /**
   * Adds the options.
   *
   * @param calibration the constants in use
   */
  void addTo(RecordedOptions recorded, Calibration calibration) {
    cpu.ifPresent(choice -> recorded.add(BudgetFigures.CPU, choice.name()));
    recorded.add("--constants", calibration.identity());
  }
}
