package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CpuChoice;
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

  /**
   * {@return the machine}
   *
   * @param calibration its constants
   */
  BudgetRequest.Machine machine(Calibration calibration) {
    return new BudgetRequest.Machine(
        cpu.orElseGet(CpuChoice::ofThisMachine), calibration.constants());
  }

  /**
   * Adds the options.
   *
   * @param calibration the constants in use
   */
  void addTo(RecordedOptions recorded, Calibration calibration) {
    cpu.ifPresent(choice -> recorded.add(BudgetFigures.CPU, choice.name()));
    recorded.add(BudgetFigures.CONSTANTS, calibration.identity());
  }
}
