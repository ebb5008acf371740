package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.rewrite.RewriteOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code stowage rewrite} for the plan in a .tflite model. */
public final class MicroPlanOptions {

  @Option(
      names = "--alias",
      description = {
        "RESHAPE and DYNAMIC_UPDATE_SLICE may write their results over their",
        "inputs, as the interpreter's reference kernels support."
      })
  private boolean alias;

  @Option(
      names = "--replace-plan",
      order = ShortHelp.RARE,
      description = {
        "Replace a plan in the MODEL also if it needs less, or if live tensors",
        "overlap in it."
      })
  private boolean replacePlan;

  @Option(
      names = "--force",
      order = ShortHelp.RARE,
      description = "Write a plan also if the MODEL as it is needs less memory.")
  private boolean force;

  @Mixin private RuntimeOption runtime = new RuntimeOption();

  /**
   * {@return the options of a rewrite}
   *
   * @param isReordered true to search for a better order of the operators
   * @param timeLimit the limit of each search
   * @throws picocli.CommandLine.ParameterException if options contradict each other
   */
  public RewriteOptions toOptions(String model, boolean isReordered, Duration timeLimit) {
    return new RewriteOptions(
        isReordered, alias, replacePlan, force, runtime.ofModel(model), timeLimit);
  }
}
