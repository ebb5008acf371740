package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.Calibration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** The options of {@code stowage budget} on which the memory of a service depends. */
public final class ServiceOptions {

  @Mixin private ServiceDimensions dimensions = new ServiceDimensions();

  @Mixin private ProcessOptions process = new ProcessOptions();

  @Mixin private MachineOptions machine = new MachineOptions();

  @Mixin private ProfileInOption profileIn = new ProfileInOption();

  /** {@return the options for the machine} */
  public MachineOptions machine() {
    return machine;
  }

  /** {@return the option for a profile} */
  public ProfileInOption profileIn() {
    return profileIn;
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

  /** {@return true if a dimension has several sizes} */
  boolean hasRange(String name) {
    return dimensions.hasRange(name);
  }

  /**
   * {@return the service}
   *
   * @param calibration the constants of the machine
   * @param limit the limit, if there is one
   * @param fit the name of the size to search, if requested
   * @param isMeasured true to measure each shape
   */
  BudgetRequest request(
      Calibration calibration, Optional<Long> limit, Optional<String> fit, boolean isMeasured) {
    return new BudgetRequest(
        dimensions.sizes(),
        process.size(limit),
        fit,
        isMeasured,
        machine.machine(calibration),
        Optional.empty());
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
    profileIn.addTo(recorded);
  }
}
