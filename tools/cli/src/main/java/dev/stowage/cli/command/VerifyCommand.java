package dev.stowage.cli.command;

import dev.stowage.cli.option.ModelOptions;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.WholeNumberConverter;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.VerifyAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.verify.ShapesVerifyRunner;
import dev.stowage.cli.verify.VerifyResult;
import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.console.ExitCode;
import dev.stowage.console.SecondsConverter;
import dev.stowage.console.ShortHelp;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage verify}: runs models in planned memory. */
@Command(
    name = "verify",
    sortOptions = false,
    description = {
      "Runs each MODEL in planned memory and compares its outputs with ONNX Runtime's.",
      "ONNX Runtime runs each operator separately, in one arena with the offsets of the plan. Every",
      "output is compared bit for bit with a run of the whole MODEL in ONNX Runtime."
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

  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);
  private static final Duration ORDER_LIMIT = Duration.ofSeconds(10);
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
      description = "The strategy that plans the arena (default: OPTIMAL, for 1 second).")
  private MemoryStrategy strategy = MemoryStrategy.OPTIMAL;

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

  private final long startNanos = System.nanoTime();
  private final Interruption interruption;

  public VerifyCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() {
    if (model.hasRanges() && spec.commandLine().getParseResult().hasMatchedOption("--strategy")) {
      throw new ParameterException(
          spec.commandLine(),
          "--strategy plans one shape, but --dim sets a range, which one layout covers; expected one of the two");
    }
    if (model.hasRanges() && reorder) {
      throw new ParameterException(
          spec.commandLine(),
          "--reorder needs one shape, but --dim sets a range; expected one of the two");
    }
    if (shapeCount < 0) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(Locale.ROOT, "--shapes is %d, expected 0 or more", shapeCount));
    }
    if (!model.hasRanges() && spec.commandLine().getParseResult().hasMatchedOption("--shapes")) {
      throw new ParameterException(
          spec.commandLine(),
          "--shapes needs ranges of dimensions, such as --dim batch=1..32; without them, a model has one shape");
    }
    OnnxOptions options = noSharing ? model.toOptions() : model.toOptions().withAliases();
    AnswerPrinter printer = format.printer();
    interruption.expect();
    return EachFile.run(
        spec, files, "verified", (_, file) -> verifyAndPrint(file, options, printer));
  }

  /** Verifies a model, prints the result and {@return the exit code} */
  private int verifyAndPrint(String file, OnnxOptions options, AnswerPrinter printer)
      throws Exception {
    List<VerifyResult> results;
    try {
      results = verify(file, options);
    } catch (CancellationException e) {
      diagnostics().report(file + ": not verified: " + e.getMessage() + overTime());
      return ExitCode.FAILED;
    }
    PrintWriter out = spec.commandLine().getOut();
    int exitCode = ExitCode.DONE;
    for (VerifyResult result : results) {
      printer.print(VerifyAnswer.of(result), out);
      out.flush();
      if (!result.report().isIdentical()) {
        diagnostics().report(file + ": the outputs in planned memory differ from ONNX Runtime's");
        exitCode = ExitCode.FAILED;
      }
    }
    return exitCode;
  }

  private String overTime() {
    String seconds =
        BigDecimal.valueOf(timeLimit.orElseThrow().toNanos(), 9)
            .stripTrailingZeros()
            .toPlainString();
    return String.format(Locale.ROOT, "; the time limit is %s s (--time-limit)", seconds);
  }

  private PlanSelection selection() {
    return new PlanSelection(
        EnumSet.of(strategy),
        false,
        EnumSet.of(AssignmentKind.OFFSETS),
        ModelVerification.ALIGNMENT_BYTES,
        PlanSelection.search(searchLimit()),
        false);
  }

  private Duration searchLimit() {
    return within(SEARCH_LIMIT);
  }

  /** {@return a limit, or the time limit of the user if it is shorter} */
  private Duration within(Duration limit) {
    return timeLimit.filter(shorter -> shorter.compareTo(limit) < 0).orElse(limit);
  }

  private Optional<OrderRunner> orders() {
    return reorder
        ? Optional.of(
            new OrderRunner(
                ModelVerification.ALIGNMENT_BYTES,
                PlanSelection.search(within(ORDER_LIMIT)),
                interruption))
        : Optional.empty();
  }

  private List<VerifyResult> verify(String file, OnnxOptions options) throws Exception {
    long begunNanos = System.nanoTime();
    long limitNanos = timeLimit.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    long elapsedMillis = (begunNanos - startNanos) / 1_000_000;
    // An abandoned verification may still add notes.
    List<String> notes = new CopyOnWriteArrayList<>();
    try (TerminalProgress progress = new TerminalProgress("Verifying", 1, elapsedMillis)) {
      BooleanSupplier stop = () -> System.nanoTime() - begunNanos >= limitNanos;
      if (model.hasRanges()) {
        ShapesVerifyRunner runner =
            new ShapesVerifyRunner(
                options,
                model.openRanges(),
                LayoutOptions.defaults().withTimeLimit(searchLimit()),
                Math.clamp(shapeCount, 0, MAX_SHAPES),
                progress,
                stop,
                notes::add);
        return interruption.run(() -> runner.run(file, seed));
      }
      VerifyRunner runner =
          new VerifyRunner(
              options, new PlanRunner(selection()), orders(), progress, stop, notes::add);
      return List.of(interruption.run(() -> runner.run(file, seed)));
    } finally {
      // After the progress bar, so that notes do not share its line.
      notes.forEach(note -> diagnostics().note(file, note));
    }
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }
}
