package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.Calibration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** The options of {@code stowage budget} on which the memory of a service depends. */
public final class ServiceOptions {

  @Mixin private ServiceDimensions dimensions = new ServiceDimensions();

  @Mixin private ProcessOptions process = new ProcessOptions();

  @Mixin private MachineOptions machine = new MachineOptions();

  /** {@return the options for the machine} */
  public MachineOptions machine() {
    return machine;
  }

  /**
   * Checks the options.
   *
   * @throws ParameterException if a number is out of range, or there are too many shapes
   */
  public void check() {
    process.check();
    dimensions.check();
  }

  /** {@return the names of the dimensions with sizes} */
  public List<String> dimensionNames() {
    return dimensions.names();
  }

  /** {@return true if a dimension has several sizes} */
  boolean hasRange(String name) {
    return dimensions.hasRange(name);
  }

  /**
   * {@return the service}
   *
   * @param calibration the constants of the machine
   * @param tasks the limit and the questions
   */
  public BudgetRequest request(Calibration calibration, BudgetTaskOptions tasks) {
    return new BudgetRequest(
        dimensions.sizes(),
        process.size(tasks.limit()),
        tasks.fit(),
        tasks.isMeasured(),
        machine.machine(calibration));
  }

  /**
   * Adds the options.
   *
   * @param calibration the constants in use
   */
  public void addTo(RecordedOptions recorded, Calibration calibration) {
    dimensions.addTo(recorded);
    process.addTo(recorded);
    machine.addTo(recorded, calibration);
  }
}
