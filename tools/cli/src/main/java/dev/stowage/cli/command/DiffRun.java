package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.DiffConclusion;
import dev.stowage.cli.diff.ComparedKind;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.ReleaseDiff;
import dev.stowage.cli.gate.Baseline;
import dev.stowage.cli.gate.BaselineReader;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.option.AllocatorOptions;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.replay.AllocatorChoice;
import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.DiffAnswer;
import dev.stowage.cli.report.PlanDiffAnswer;
import dev.stowage.cli.report.ReleaseDiffAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FileProgress;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The run of {@code stowage diff} on two files of a kind. */
final class DiffRun {

  private static final String[] PLAN_OPTIONS = {"--dim", "--io", "--alignment", "--time-limit"};

  private final CommandSpec spec;
  private final String first;
  private final String second;
  private int exitCode = ExitCode.DONE;

  /**
   * The result of a comparison.
   *
   * @param growthBytes the bytes that the second file has more; negative if it has fewer
   * @param excess the growth in a sentence: {@code needs 16 bytes more}
   */
  record Result(
      Answer answer,
      Conclusion conclusion,
      Function<RunFacts, WholeFile.Content> page,
      long growthBytes,
      String excess) {}

  /** The work on one of the files. */
  private interface Reader<T> {

    T read(int index, String file) throws IOException, InputRefusedException;
  }

  DiffRun(CommandSpec spec, String first, String second) {
    this.spec = spec;
    this.first = first;
    this.second = second;
  }

  /** {@return the exit code of a run without a result} */
  int exitCode() {
    return exitCode;
  }

  /**
   * {@return the kind of both files; empty, with a message, if their kinds differ}
   *
   * @throws ParameterException if an option does not apply to the kind
   */
  Optional<ComparedKind> kind(TraceOptions options) {
    Optional<ComparedKind> ofFirst = ComparedKind.of(first, options);
    Optional<ComparedKind> ofSecond = ComparedKind.of(second, options);
    if (ofFirst.isPresent() && ofSecond.isPresent() && !ofFirst.equals(ofSecond)) {
      Diagnostics.of(spec)
          .report(
              "%s: is %s, but %s is %s; expected two files of one kind: recordings, models or problems, or baselines",
              second, ofSecond.get().description(), first, ofFirst.get().description());
      return Optional.empty();
    }
    ComparedKind kind = ofFirst.or(() -> ofSecond).orElse(ComparedKind.RECORDING);
    checkOptions(
        kind, ComparedKind.RECORDING, "recordings", "--by", "--at", "--device", "--lenient");
    checkOptions(kind, ComparedKind.PLAN, "models and problems", PLAN_OPTIONS);
    return Optional.of(kind);
  }

  private void checkOptions(
      ComparedKind kind, ComparedKind needed, String inputs, String... options) {
    for (String option : options) {
      if (kind != needed && spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw Usage.error(
            spec,
            "%s is for %s, but '%s' is %s; omit it",
            option,
            inputs,
            first,
            kind.description());
      }
    }
  }

  /** {@return what both files have; less if one of them cannot be read} */
  private <T> List<T> readBoth(Reader<T> reader) {
    List<T> read = new ArrayList<>();
    exitCode =
        EachFile.run(
            spec,
            List.of(first, second),
            "compared",
            (index, file) -> {
              read.add(reader.read(index, file));
              return ExitCode.DONE;
            });
    return read;
  }

  /** {@return the comparison of two recordings; empty if one of them cannot be read} */
  Optional<Result> recordings(
      TraceInputOptions input, Optional<Grouping> grouping, OptionalLong event, boolean isDrawn) {
    TraceOptions options = input.toOptions();
    Optional<AllocatorChoice> allocator =
        isDrawn ? Optional.of(AllocatorOptions.ofRecordings()) : Optional.empty();
    List<ComparedTrace> traces =
        readBoth((_, file) -> {
          ComparedTrace trace = ComparedTrace.read(file, options, event, allocator);
          input.note(file, trace.summary());
          return trace;
        });
    if (traces.size() < 2) {
      return Optional.empty();
    }
    DiffReport report = traces.getFirst().compare(traces.getLast(), grouping, event.isEmpty());
    long growth = report.diff().growthBytes();
    return Optional.of(
        new Result(
            DiffAnswer.of(report),
            DiffConclusion.of(
                report, GivenOptions.words(spec, Set.of("--at", "--device", "--lenient"))),
            run -> FigurePages.of(report, traces.getFirst(), traces.getLast(), run),
            growth,
            "has " + ByteUnit.exact(growth) + " more in use"));
  }

  /** {@return the comparison of two plans; empty if one of them cannot be made} */
  Optional<Result> plans(InputReader reader, PlanSelection selection) {
    FileProgress progress = new FileProgress("Planning", 2);
    PlanRunner runner = new PlanRunner(selection);
    List<ComparedPlan> plans =
        readBoth((index, file) -> {
          PlanInput.Tensors tensors = tensors(reader, file);
          Optional<ComparedPlan> written = ComparedPlan.inFile(tensors);
          if (written.isPresent()) {
            return written.get();
          }
          PlanReport report;
          try (TerminalProgress bar = progress.of(index, selection.strategies().size())) {
            report = runner.run(tensors, bar);
          }
          report.notes().forEach(note -> Diagnostics.of(spec).note(file, note));
          return ComparedPlan.of(report);
        });
    if (plans.size() < 2) {
      return Optional.empty();
    }
    PlanDiff diff = PlanDiff.of(plans.getFirst(), plans.getLast());
    return Optional.of(
        new Result(
            PlanDiffAnswer.of(diff),
            DiffConclusion.of(diff, GivenOptions.words(spec, Set.of(PLAN_OPTIONS))),
            run -> FigurePages.of(diff, run),
            diff.growthBytes(),
            "needs " + ByteUnit.exact(diff.growthBytes()) + " more"));
  }

  private PlanInput.Tensors tensors(InputReader reader, String file)
      throws IOException, InputRefusedException {
    return switch (reader.read(file)) {
      case PlanInput.Tensors tensors -> {
        tensors.file().notes().forEach(note -> Diagnostics.of(spec).note(file, note));
        yield tensors;
      }
      case PlanInput.Textures _ ->
          throw new InputRefusedException(
              "has textures, which have no offsets; expected tensors with sizes in bytes");
      case ShapesInput _ ->
          throw new InputRefusedException(
              "has dimensions with ranges, expected one size of each, such as --dim batch=8");
    };
  }

  /** {@return the comparison of two baselines; empty if one of them cannot be read} */
  Optional<Result> releases() {
    List<Baseline> baselines =
        readBoth((_, file) -> {
          ExistingFile.of(file);
          return BaselineReader.read(file);
        });
    if (baselines.size() < 2) {
      return Optional.empty();
    }
    ReleaseDiff diff;
    try {
      diff = ReleaseDiff.of(first, baselines.getFirst(), second, baselines.getLast());
    } catch (MalformedFileException e) {
      exitCode = Diagnostics.of(spec).reportFailure(second, e);
      return Optional.empty();
    }
    return Optional.of(
        new Result(
            ReleaseDiffAnswer.of(diff),
            DiffConclusion.of(diff),
            run -> FigurePages.of(diff, run),
            diff.growthBytes(),
            "needs " + ByteUnit.exact(diff.growthBytes()) + " more in all"));
  }
}
