package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.DiffConclusion;
import dev.stowage.cli.diff.ComparedKind;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.ReleaseDiff;
import dev.stowage.cli.gate.Baseline;
import dev.stowage.cli.gate.BaselineReader;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.replay.AllocatorChoice;
import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.DiffAnswer;
import dev.stowage.cli.report.PlanDiffAnswer;
import dev.stowage.cli.report.ReleaseDiffAnswer;
import dev.stowage.cli.run.ComparedFiles;
import dev.stowage.cli.run.ComparedPlanning;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.format.TraceOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The run of {@code stowage diff} on two files of a kind. */
final class DiffRun {

  private static final Set<String> OF_PLANS =
      Set.of(
          "--dim",
          "--io",
          "--alignment",
          "--time-limit",
          "--runtime",
          "--kernels",
          "--no-scratch",
          "--decompression-memory");
  private static final Set<String> OF_RECORDINGS = Set.of("--by", "--at", "--device", "--lenient");

  private final CommandSpec spec;
  private final ComparedFiles files;

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

  DiffRun(CommandSpec spec, ComparedFiles files) {
    this.spec = spec;
    this.files = files;
  }

  /**
   * Checks the options.
   *
   * @throws ParameterException if an option does not apply to the kind
   */
  void checkOptions(ComparedKind kind) {
    files.checkOptions(kind, ComparedKind.RECORDING, "recordings", OF_RECORDINGS);
    files.checkOptions(kind, ComparedKind.PLAN, "models and problems", OF_PLANS);
  }

  /** {@return the comparison of two recordings; empty if one of them cannot be read} */
  Optional<Result> recordings(
      TraceInputOptions input, Optional<Grouping> grouping, OptionalLong event, boolean isDrawn) {
    TraceOptions options = input.toOptions();
    Optional<AllocatorChoice> allocator =
        isDrawn ? Optional.of(ReplayedAllocator::ofRecording) : Optional.empty();
    List<ComparedTrace> traces =
        files.readBoth((_, file) -> {
          ComparedTrace trace = ComparedTrace.read(file, options, event, allocator);
          input.note(file, trace.summary());
          return trace;
        });
    if (traces.size() < 2) {
      return Optional.empty();
    }
    DiffReport report = traces.getFirst().compare(traces.getLast(), grouping, event.isEmpty());
    long growth = report.diff().growthBytes();
    Conclusion conclusion =
        DiffConclusion.of(
            report, GivenOptions.words(spec, Set.of("--at", "--device", "--lenient")));
    return Optional.of(
        new Result(
            DiffAnswer.of(report, conclusion),
            conclusion,
            run -> FigurePages.of(report, traces.getFirst(), traces.getLast(), run),
            growth,
            "has " + ByteUnit.exact(growth) + " more in use"));
  }

  /** {@return the comparison of two plans; empty if one of them cannot be made} */
  Optional<Result> plans(ComparedPlanning planning) {
    List<ComparedPlan> plans = files.readBoth(planning);
    if (plans.size() < 2) {
      return Optional.empty();
    }
    PlanDiff diff = PlanDiff.of(plans.getFirst(), plans.getLast());
    Conclusion conclusion = DiffConclusion.of(diff, GivenOptions.words(spec, OF_PLANS));
    return Optional.of(
        new Result(
            PlanDiffAnswer.of(diff, conclusion),
            conclusion,
            run -> FigurePages.of(diff, run),
            diff.growthBytes(),
            "needs " + ByteUnit.exact(diff.growthBytes()) + " more"));
  }

  /** {@return the comparison of two baselines; empty if one of them cannot be read} */
  Optional<Result> releases() {
    List<Baseline> releases =
        files.readBoth((_, file) -> BaselineReader.read(ExistingFile.of(file).toString()));
    if (releases.size() < 2) {
      return Optional.empty();
    }
    ReleaseDiff diff;
    try {
      diff = ReleaseDiff.of(files.first(), releases.getFirst(), files.second(), releases.getLast());
    } catch (MalformedFileException e) {
      files.fail(e);
      return Optional.empty();
    }
    Conclusion conclusion = DiffConclusion.of(diff);
    return Optional.of(
        new Result(
            ReleaseDiffAnswer.of(diff, conclusion),
            conclusion,
            run -> FigurePages.of(diff, run),
            diff.growthBytes(),
            "needs " + ByteUnit.exact(diff.growthBytes()) + " more in all"));
  }
}
