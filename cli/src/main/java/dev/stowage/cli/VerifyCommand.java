package dev.stowage.cli;

import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.report.VerifyFormat;
import dev.stowage.cli.verify.VerifyResult;
import dev.stowage.cli.verify.VerifyRunner;
import dev.stowage.core.MalformedInputException;
import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.MemoryStrategy;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OpenDimensionsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
      "Runs each MODEL in planned memory, and compares what it computes.",
      "ONNX Runtime runs operator by operator in one arena laid out by the plan; every output is",
      "compared with that of its own run of the whole MODEL, bit for bit."
    },
    footer = {
      "",
      "Examples:",
      "  Does a model compute the same in planned memory? Exit code 0 says yes.",
      "    stowage verify model.onnx",
      "  One that leaves dimensions open needs them fixed:",
      "    stowage verify model.onnx --dim batch=1 --dim sequence=128",
      "  Exit code 1 says that an output differs."
    })
final class VerifyCommand implements Callable<Integer> {

  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);

  @Parameters(arity = "1..*", paramLabel = "MODEL", description = "An .onnx model.")
  private List<String> files = List.of();

  @Mixin private ModelOptions model = new ModelOptions();

  @Option(
      names = "--no-sharing",
      description = {
        "Live tensors share nothing, as in stowage plan. Otherwise views share the",
        "memory of what they view, and activations and arithmetic write over an",
        "input that nothing reads later."
      })
  private boolean noSharing;

  @Option(
      names = "--strategy",
      paramLabel = "S",
      description = "What plans the arena (OPTIMAL, with 1 second).")
  private MemoryStrategy strategy = MemoryStrategy.OPTIMAL;

  @Option(names = "--seed", paramLabel = "N", description = "Of the model's random inputs (1).")
  private long seed = 1;

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "table (the default) or json (a line for each MODEL).")
  private Format format = Format.table;

  @Spec private CommandSpec spec;

  private final long startNanos = System.nanoTime();

  private enum Format {
    table,
    json
  }

  @Override
  public Integer call() throws IOException {
    if (!strategy.plans(AssignmentKind.OFFSETS)) {
      throw new ParameterException(
          spec.commandLine(), "--strategy %s makes no offsets".formatted(strategy));
    }
    OnnxOptions options = noSharing ? model.toOptions() : model.toOptions().withAliases();
    PlanRunner planner = new PlanRunner(selection());
    VerifyFormat verifyFormat =
        switch (format) {
          case table -> VerifyFormat.table();
          case json -> VerifyFormat.json();
        };
    PrintWriter out = spec.commandLine().getOut();
    int exitCode = ExitCode.DONE;
    for (String file : files) {
      Optional<VerifyResult> result = verify(file, options, planner);
      if (result.isEmpty()) {
        exitCode = ExitCode.graver(exitCode, ExitCode.BAD_INPUT);
        continue;
      }
      verifyFormat.print(result.get(), out);
      out.flush();
      if (!result.get().report().isIdentical()) {
        complaints().complain(file + ": its outputs in planned memory are not ONNX Runtime's own");
        exitCode = ExitCode.graver(exitCode, ExitCode.FAILED);
      }
    }
    return exitCode;
  }

  private PlanSelection selection() {
    return new PlanSelection(
        EnumSet.of(strategy),
        false,
        EnumSet.of(AssignmentKind.OFFSETS),
        ModelVerification.ALIGNMENT_BYTES,
        PlanSelection.search(SEARCH_LIMIT),
        false);
  }

  private Optional<VerifyResult> verify(String file, OnnxOptions options, PlanRunner planner) {
    long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;
    try (TerminalProgress progress = new TerminalProgress("Verifying", 1, elapsedMillis)) {
      VerifyRunner runner =
          new VerifyRunner(options, planner, progress, note -> complaints().note(file, note));
      return Optional.of(runner.run(file, seed));
    } catch (MalformedInputException e) {
      complaints().complain(String.valueOf(e.getMessage()));
    } catch (OpenDimensionsException e) {
      complaints().complain(Complaints.sentence(e));
    } catch (IOException e) {
      complaints().complain("%s: cannot be read: %s".formatted(file, Complaints.reason(e)));
    } catch (InputRefusedException e) {
      complaints().complain(file + ": " + e.getMessage());
    }
    return Optional.empty();
  }

  private Complaints complaints() {
    return new Complaints(spec.commandLine().getErr());
  }
}
