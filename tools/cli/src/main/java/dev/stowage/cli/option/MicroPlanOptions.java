package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.ScratchReader;
import dev.stowage.cli.rewrite.RewriteOptions;
import dev.stowage.cli.run.Usage;
import dev.stowage.tflite.micro.ScratchBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
      names = "--scratch",
      paramLabel = "FILE",
      description = {
        "A .csv file with the columns subgraph, operator and bytes: the",
        "buffers that operators need while they run. TensorFlow Lite Micro",
        "places them around the plan."
      })
  private Optional<String> scratch = Optional.empty();

  @Option(
      names = "--no-scratch",
      order = ShortHelp.RARE,
      description = "State that no operator needs scratch buffers.")
  private boolean noScratch;

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

  @Mixin private DecompressionOption decompression = new DecompressionOption();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Checks the options.
   *
   * @throws ParameterException if they contradict each other
   */
  public void check() {
    if (noScratch && scratch.isPresent()) {
      throw Usage.error(spec, "--scratch and --no-scratch contradict each other; omit one");
    }
  }

  /**
   * {@return the options of a rewrite}
   *
   * @param isReordered true to search for a better order of the operators
   * @param timeLimit the limit of each search
   * @throws IOException if the file of scratch buffers cannot be read
   */
  public RewriteOptions toOptions(boolean isReordered, Duration timeLimit) throws IOException {
    Optional<List<ScratchBuffer>> buffers =
        scratch.isPresent()
            ? Optional.of(ScratchReader.read(scratch.get()))
            : noScratch ? Optional.of(List.of()) : Optional.empty();
    return new RewriteOptions(
        isReordered, alias, replacePlan, force, buffers, decompression.regionBytes(), timeLimit);
  }
}
