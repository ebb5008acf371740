package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.InputFormat;
import dev.stowage.cli.option.ModelOptions;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.WholeNumberConverter;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.report.VerifyAnswer;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage verify}: runs models in planned memory. */
@Command(
    name = "verify",
    sortOptions = false,
    description = {
      "Runs each MODEL in planned memory and compares its outputs.",
      "They must equal the outputs of ONNX Runtime in its own memory, bit for bit.",
      "For the plan in a .tflite model, see stowage check."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Does a model compute the same outputs in planned memory? Exit code 0 means yes.",
      "    stowage verify model.onnx",
      "  If the model leaves dimensions open, set them:",
      "    stowage verify model.onnx --dim batch=1 --dim sequence=128",
      "  Exit code 1 means that an output differs, or that --time-limit ended the verification."
    })
public final class VerifyCommand extends InputCommand {

  @Parameters(arity = "1..*", paramLabel = "MODEL", description = "The .onnx model.")
  private List<String> files = List.of();

  @Mixin private ModelOptions model = new ModelOptions();

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

  @Mixin private TableOrJson format = new TableOrJson();

  @Override
  public Integer call() throws IOException {
    if (model.hasRanges()) {
      throw Usage.error(
          spec, "verify runs one shape, but --dim sets a range; set each dimension to one size");
    }
    OnnxOptions options = model.toOptions().withAliases();
    return newRun(format.printer(), "Verifying", "verified")
        .run(files, (file, progress) -> verify(file, options, progress));
  }

  private Outcome verify(String file, OnnxOptions options, TerminalProgress progress)
      throws Exception {
    if (InputFormat.of(file).equals(Optional.of(InputFormat.TFLITE))) {
      throw new InputRefusedException(
          "verify runs .onnx models in ONNX Runtime; stowage check tests the plan in a .tflite model");
    }
    long begunNanos = System.nanoTime();
    long limitNanos = timeLimit.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    BooleanSupplier stop = () -> System.nanoTime() - begunNanos >= limitNanos;
    // An abandoned verification may still add notes.
    List<String> notes = new CopyOnWriteArrayList<>();
    progress.expect(1);
    try {
      VerifyRunner runner =
          new VerifyRunner(options, strategy, timeLimit, seed, progress, stop, notes::add);
      VerifyRunner.Result result = interruption().run(() -> runner.run(file));
      Outcome outcome = Outcome.of(VerifyAnswer.of(result)).noting(notes);
      if (!result.report().isIdentical()) {
        outcome.failing(
            ExitCode.FAILED,
            "the outputs in planned memory differ from ONNX Runtime's; do not use the plan, and report the model");
      }
      return outcome;
    } catch (CancellationException e) {
      return Outcome.none()
          .noting(notes)
          .failing(ExitCode.FAILED, "not verified: " + e.getMessage() + overTime());
    }
  }

  private String overTime() {
    return timeLimit
        .map(limit -> BigDecimal.valueOf(limit.toNanos(), 9).stripTrailingZeros().toPlainString())
        .map(seconds -> Text.of("; the time limit is %s s (--time-limit)", seconds))
        .orElse("");
  }
}
