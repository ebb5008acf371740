package dev.stowage.cli.command;

import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.option.ModelOptions;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.WholeNumberConverter;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.run.Usage;
import dev.stowage.cli.verify.VerifyRequest;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage verify}: runs models in planned memory. */
@Command(
    name = "verify",
    sortOptions = false,
    description = {
      "Runs each MODEL in planned memory and compares its outputs.",
      "The outputs must equal those of ONNX Runtime in its own memory, bit for bit.",
      "For the plan in a .tflite model, see stowage check."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Does a model compute the same outputs in planned memory? Exit code 0 means yes.",
      "    stowage verify model.onnx",
      "  If the model leaves dimensions open, set them:",
      "    stowage verify model.onnx --dim batch=1 --dim sequence=128",
      "  Does it compute the same in an order of its operators that needs less memory?",
      "    stowage verify model.onnx --reorder",
      "  Do the corners and some random shapes of ranges run in one layout?",
      "    stowage verify model.onnx --dim batch=1..32 --dim sequence=1..512",
      "  Exit code 1 means that an output differs, or that --time-limit ended the verification."
    })
public final class VerifyCommand implements Callable<Integer> {

  private static final int MAX_SHAPES = 1_000_000;

  @Parameters(arity = "1..*", paramLabel = "MODEL", description = "The .onnx model.")
  private List<String> files = List.of();

  @Mixin private ModelOptions model = new ModelOptions();

  @Option(
      names = "--no-sharing",
      order = ShortHelp.RARE,
      description = {
        "Give each tensor memory of its own, as stowage plan does. Otherwise,",
        "views share the memory of their inputs, and results of elementwise",
        "operators may be in place of an input, as with stowage plan --alias."
      })
  private boolean noSharing;

  @Option(
      names = "--reorder",
      description = {
        "Search for an order of the operators that needs less memory. The",
        "MODEL runs in that order in planned memory, and as a whole in ONNX",
        "Runtime; both must compute the outputs of the MODEL as it is."
      })
  private boolean reorder;

  @Option(
      names = "--strategy",
      paramLabel = "S",
      description = {"The strategy that plans the arena (default: OPTIMAL, for 1 second)."})
  private Optional<MemoryStrategy> strategy = Optional.empty();

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = {
        "End the verification of a MODEL after SECONDS, between two",
        "operators, with exit code 1 (default: no limit)."
      })
  private Optional<Duration> timeLimit = Optional.empty();

  @Option(
      names = "--seed",
      order = ShortHelp.RARE,
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The seed of the random inputs (default: 1).")
  private long seed = 1;

  @Option(
      names = "--shapes",
      order = ShortHelp.RARE,
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = {
        "The number of random shapes that run besides the corners of the",
        "ranges, if --dim sets ranges (default: 4)."
      })
  private long shapeCount = 4;

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  private final Interruption interruption;

  public VerifyCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() {
    if (model.hasRanges() && (strategy.isPresent() || reorder)) {
      String option = strategy.isPresent() ? "--strategy" : "--reorder";
      throw Usage.error(
          spec, "%s needs one shape, but --dim sets a range; expected one of the two", option);
    }
    if (shapeCount < 0) {
      throw Usage.error(spec, "--shapes is %d, expected 0 or more", shapeCount);
    }
    if (!model.hasRanges() && spec.commandLine().getParseResult().hasMatchedOption("--shapes")) {
      throw Usage.error(
          spec,
          "--shapes needs ranges of dimensions, such as --dim batch=1..32; without them, a model has one shape");
    }
    VerifyRequest request =
        new VerifyRequest(
            noSharing ? model.toOptions() : model.toOptions().withAliases(),
            strategy,
            reorder,
            timeLimit,
            new VerifyRequest.Inputs(
                model.hasRanges() ? Optional.of(model.openRanges()) : Optional.empty(),
                Math.clamp(shapeCount, 0, MAX_SHAPES),
                seed));
    interruption.expect();
    return new VerifyRun(spec, interruption, format.printer(), request).run(files);
  }
}
