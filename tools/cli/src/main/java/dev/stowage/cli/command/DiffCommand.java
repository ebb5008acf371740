package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.DiffConclusion;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.diff.ComparedKind;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.ReleaseDiff;
import dev.stowage.cli.gate.BaselineReader;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.option.ComparedPlanOptions;
import dev.stowage.cli.option.EventOption;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.PlanNotes;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.DiffAnswer;
import dev.stowage.cli.report.PlanDiffAnswer;
import dev.stowage.cli.report.ReleaseDiffAnswer;
import dev.stowage.cli.run.CommandLineWords;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputRun;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.format.TraceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage diff}: compares two recordings, two plans or two baselines. */
@Command(
    name = "diff",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Compares two recordings, two plans or two baselines, and lists what became larger.",
      "  recordings (as for stowage replay): the memory in use, each at its peak of requested bytes",
      "  models and problems (as for stowage plan): their best plans, and the tensors; the plan in a",
      "  problem whose records all have offsets is compared as it is",
      "  baselines (of plan and budget --update-baseline): the memory of each model"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Which lines of code hold more memory than before?",
      "    stowage diff before.pickle after.pickle --by line --output diff.html",
      "  Which tensors make the arena of a model larger?",
      "    stowage diff before.tflite after.tflite --output diff.html",
      "  Which models need more memory in a release?",
      "    stowage diff memory-1.0.json memory-1.1.json",
      "  In a script, does the peak grow by more than 16 MiB? Exit code 4 means that it does.",
      "    stowage diff before.pickle after.pickle --fail-above 16MiB",
      "  Which memory is in use after the first 1,000 events?",
      "    stowage diff a.csv b.csv --by size --at 1000"
    })
public final class DiffCommand implements Callable<Integer> {

  private static final Set<String> OF_PLANS =
      Set.of("--dim", "--io", "--runtime", "--kernels", "--no-scratch");
  private static final Set<String> OF_RECORDINGS = Set.of("--by", "--at", "--device", "--lenient");

  @Parameters(index = "0", paramLabel = "A", description = "The first file.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "B", description = "The second file, of the same kind.")
  private String second = "";

  @Option(
      names = "--by",
      paramLabel = "KEY",
      description = {
        "Group allocations by stack, by line of the user's code, by tag or by",
        "size (default: stack if both traces have call stacks, otherwise tag if",
        "both have tags, otherwise size)."
      })
  private Optional<By> by = Optional.empty();

  @Mixin private EventOption at = new EventOption();

  @Option(
      names = "--fail-above",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Exit with 4 if B needs more than A by more than BYTES, such as 0 or",
        "16MiB. Of recordings, the requested bytes in use count; of plans, the",
        "arenas; of baselines, the sums. Parts that shrink count against those",
        "that grow."
      })
  private Optional<Long> failAbove = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = "Write an .html page with both side by side, and a table of all differences.")
  private Optional<String> output = Optional.empty();

  @Mixin private TraceInputOptions input = new TraceInputOptions();

  @Mixin private ComparedPlanOptions plans = new ComparedPlanOptions();

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  private final Interruption interruption;

  private enum By {
    stack(Grouping.STACK),
    line(Grouping.LINE),
    tag(Grouping.TAG),
    size(Grouping.SIZE);

    private final Grouping grouping;

    By(Grouping grouping) {
      this.grouping = grouping;
    }
  }

  /** The work on one of the files. */
  private interface Reader<T> {

    /** {@return the content of a file, whose notes are added to an outcome} */
    T read(String file, TerminalProgress bar, Outcome outcome) throws Exception;
  }

  /** The work on both files. */
  private interface Comparison<T> {

    Outcome of(T a, T b) throws MalformedFileException;
  }

  public DiffCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws Exception {
    Optional<PageOutput> page = PageOutput.of(output, List.of(first, second), spec);
    TraceOptions options = input.toOptions();
    Optional<ComparedKind> ofFirst = ComparedKind.of(first, options);
    Optional<ComparedKind> ofSecond = ComparedKind.of(second, options);
    if (ofFirst.isPresent() && ofSecond.isPresent() && !ofFirst.equals(ofSecond)) {
      Diagnostics.of(spec)
          .report(
              "%s: is %s, but %s is %s; expected two files of one kind: recordings, models or problems, or baselines",
              second, ofSecond.get().description(), first, ofFirst.get().description());
      return ExitCode.BAD_INPUT;
    }
    // Without an existing file, reading them reports that both do not exist.
    ComparedKind kind = ofFirst.or(() -> ofSecond).orElse(ComparedKind.RECORDING);
    if (ofFirst.isPresent() || ofSecond.isPresent()) {
      String known = ofFirst.isPresent() ? first : second;
      checkOptions(known, kind, ComparedKind.RECORDING, "recordings", OF_RECORDINGS);
      checkOptions(known, kind, ComparedKind.PLAN, "models and problems", OF_PLANS);
    }
    return switch (kind) {
      case RECORDING ->
          compare(
              (file, _, outcome) -> {
                ComparedTrace trace =
                    ComparedTrace.read(file, options, at.event(), page.isPresent());
                outcome.noting(input.notes(trace.summary()));
                return trace;
              },
              (a, b) -> recordings(a, b, page));
      case PLAN -> comparePlans(page);
      case RELEASE ->
          compare(
              (file, _, _) -> BaselineReader.read(ExistingFile.of(file).toString()),
              (a, b) -> releases(ReleaseDiff.of(first, a, second, b), page));
    };
  }

  /** Checks that options apply to the kind of the files. */
  private void checkOptions(
      String file, ComparedKind kind, ComparedKind needed, String inputs, Set<String> options) {
    for (String option : options) {
      if (kind != needed && spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw Usage.error(
            spec,
            "%s is for %s, but '%s' is %s; omit it",
            option,
            inputs,
            file,
            kind.description());
      }
    }
  }

  /** Reads both files, compares them and {@return the exit code} */
  private <T> int compare(Reader<T> reader, Comparison<T> comparison) throws Exception {
    InputRun run = new InputRun(spec, interruption, format.printer(), "Comparing", "compared");
    List<T> both = new ArrayList<>();
    int exitCode =
        run.run(
            List.of(first, second),
            (file, bar) -> {
              Outcome outcome = Outcome.none();
              both.add(interruption.run(() -> reader.read(file, bar, outcome)));
              return outcome;
            });
    if (both.size() < 2) {
      return exitCode;
    }
    try {
      return run.finish(second, comparison.of(both.getFirst(), both.getLast()));
    } catch (MalformedFileException e) {
      return Diagnostics.of(spec).reportFailure(second, e);
    }
  }

  private Outcome recordings(ComparedTrace a, ComparedTrace b, Optional<PageOutput> page) {
    DiffReport report = DiffReport.of(a, b, by.map(key -> key.grouping), at.event().isEmpty());
    long growth = report.diff().growthBytes();
    Conclusion conclusion =
        DiffConclusion.of(
            report, CommandLineWords.words(spec, Set.of("--at", "--device", "--lenient")));
    return outcome(DiffAnswer.of(report, conclusion), conclusion, page)
        .failing(failure(growth, "has " + ByteUnit.exact(growth) + " more in use"));
  }

  private int comparePlans(Optional<PageOutput> page) throws Exception {
    InputReader reader = plans.reader(List.of(first, second));
    PlanSelection selection = plans.selection();
    return compare(
        (file, bar, outcome) -> {
          if (!(reader.read(file) instanceof PlanInput.Tensors tensors)) {
            throw new InputRefusedException(
                "has textures, which have no offsets; expected tensors with sizes in bytes");
          }
          outcome
              .noting(tensors.file().notes())
              .noting(PlanNotes.rangesNote(tensors).stream().toList());
          Optional<ComparedPlan> written = ComparedPlan.inFile(tensors);
          if (written.isPresent()) {
            return written.get();
          }
          bar.expect(selection.strategies().size());
          PlanReport report = new PlanRunner(selection).run(tensors, bar);
          outcome.noting(report.notes());
          return ComparedPlan.of(report);
        },
        (a, b) -> {
          PlanDiff diff = PlanDiff.of(a, b);
          Conclusion conclusion = DiffConclusion.of(diff, CommandLineWords.words(spec, OF_PLANS));
          return outcome(PlanDiffAnswer.of(diff, conclusion), conclusion, page)
              .failing(
                  failure(
                      diff.growthBytes(), "needs " + ByteUnit.exact(diff.growthBytes()) + " more"));
        });
  }

  private Outcome releases(ReleaseDiff diff, Optional<PageOutput> page) {
    Conclusion conclusion = DiffConclusion.of(diff);
    return outcome(ReleaseDiffAnswer.of(diff, conclusion), conclusion, page)
        .failing(
            failure(
                diff.growthBytes(),
                "needs " + ByteUnit.exact(diff.growthBytes()) + " more in all"));
  }

  private static Outcome outcome(Answer answer, Conclusion conclusion, Optional<PageOutput> page) {
    Outcome outcome = Outcome.of(answer).leadingTo(conclusion);
    page.ifPresent(file -> outcome.writing(() -> file.write(answer, "Compared", List.of())));
    return outcome;
  }

  /**
   * {@return the failure of a growth above the bound; empty if it is not above}
   *
   * @param excess the growth in a sentence: {@code needs 16 bytes more}
   */
  private Optional<String> failure(long growthBytes, String excess) {
    return failAbove
        .filter(bound -> growthBytes > bound)
        .map(bound ->
            Text.of("%s than %s, expected at most %s", excess, first, ByteUnit.exact(bound)));
  }
}
