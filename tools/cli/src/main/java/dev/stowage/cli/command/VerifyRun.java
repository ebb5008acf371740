package dev.stowage.cli.command;

import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.VerifyAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.verify.ShapesVerifyRunner;
import dev.stowage.cli.verify.VerifyResult;
import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.console.ExitCode;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Model.CommandSpec;

/** The verification of each model of {@code stowage verify}. */
final class VerifyRun {

  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);
  private static final Duration ORDER_LIMIT = Duration.ofSeconds(10);
  private static final int MAX_SHAPES = 1_000_000;

  private final Diagnostics diagnostics;
  private final PrintWriter out;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final Request request;
  private final long startNanos = System.nanoTime();

  /**
   * The options of the command.
   *
   * @param options the options of the reader of models
   * @param strategy the strategy for one shape
   * @param reorder true to search for an order of the operators
   * @param timeLimit the limit for a model, if there is one
   * @param inputs the inputs of the runs
   */
  record Request(
      OnnxOptions options,
      MemoryStrategy strategy,
      boolean reorder,
      Optional<Duration> timeLimit,
      Inputs inputs) {}

  /**
   * The inputs of the runs.
   *
   * @param ranges the ranges of dimensions, if there are any
   * @param randomShapes the number of random shapes
   * @param seed the seed of the values
   */
  record Inputs(Optional<DimensionRanges> ranges, long randomShapes, long seed) {}

  VerifyRun(CommandSpec spec, Interruption interruption, AnswerPrinter printer, Request request) {
    diagnostics = Diagnostics.of(spec);
    out = spec.commandLine().getOut();
    this.interruption = interruption;
    this.printer = printer;
    this.request = request;
  }

  /** Verifies a model, prints the result and {@return the exit code} */
  int verify(String file) throws Exception {
    List<VerifyResult> results;
    try {
      results = results(file);
    } catch (CancellationException e) {
      diagnostics.report(file + ": not verified: " + e.getMessage() + overTime());
      return ExitCode.FAILED;
    }
    int exitCode = ExitCode.DONE;
    for (VerifyResult result : results) {
      printer.print(VerifyAnswer.of(result), out);
      if (!result.report().isIdentical()) {
        diagnostics.report(file + ": the outputs in planned memory differ from ONNX Runtime's");
        exitCode = ExitCode.FAILED;
      }
    }
    return exitCode;
  }

  private String overTime() {
    String seconds =
        BigDecimal.valueOf(request.timeLimit.orElseThrow().toNanos(), 9)
            .stripTrailingZeros()
            .toPlainString();
    return String.format(Locale.ROOT, "; the time limit is %s s (--time-limit)", seconds);
  }

  private PlanSelection selection() {
    return new PlanSelection(
        EnumSet.of(request.strategy),
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
    return request.timeLimit.filter(shorter -> shorter.compareTo(limit) < 0).orElse(limit);
  }

  private Optional<OrderRunner> orders() {
    return request.reorder
        ? Optional.of(
            new OrderRunner(
                ModelVerification.ALIGNMENT_BYTES,
                PlanSelection.search(within(ORDER_LIMIT)),
                interruption))
        : Optional.empty();
  }

  private List<VerifyResult> results(String file) throws Exception {
    long begunNanos = System.nanoTime();
    long limitNanos = request.timeLimit.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    long elapsedMillis = (begunNanos - startNanos) / 1_000_000;
    // An abandoned verification may still add notes.
    List<String> notes = new CopyOnWriteArrayList<>();
    try (TerminalProgress progress = new TerminalProgress("Verifying", 1, elapsedMillis)) {
      BooleanSupplier stop = () -> System.nanoTime() - begunNanos >= limitNanos;
      if (request.inputs.ranges.isPresent()) {
        ShapesVerifyRunner runner =
            new ShapesVerifyRunner(
                request.options,
                request.inputs.ranges.get(),
                LayoutOptions.defaults().withTimeLimit(searchLimit()),
                Math.clamp(request.inputs.randomShapes, 0, MAX_SHAPES),
                progress,
                stop,
                notes::add);
        return interruption.run(() -> runner.run(file, request.inputs.seed));
      }
      VerifyRunner runner =
          new VerifyRunner(
              request.options, new PlanRunner(selection()), orders(), progress, stop, notes::add);
      return List.of(interruption.run(() -> runner.run(file, request.inputs.seed)));
    } finally {
      // After the progress bar, so that notes do not share its line.
      notes.forEach(note -> diagnostics.note(file, note));
    }
  }
}
