package dev.stowage.cli.command;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.diff.ComparedKind;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.option.EventOption;
import dev.stowage.cli.option.LimitOptions;
import dev.stowage.cli.option.ModelOptions;
import dev.stowage.cli.option.RuntimeOption;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.PlanNotes;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.DiffAnswer;
import dev.stowage.cli.report.PlanDiffAnswer;
import dev.stowage.cli.run.CommandLineWords;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.InputRun;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage diff}: compares two recordings or two plans. */
@Command(
    name = "diff",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Compares two recordings or two plans, and lists what became larger.",
      "  recordings (as for stowage replay): the memory in use, each at its peak of requested bytes",
      "  models and problems (as for stowage plan): their best plans, and the tensors; the plan in a",
      "  problem with an offset for each record is compared as it is"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Which lines of code hold more memory than before?",
      "    stowage diff before.pickle after.pickle --by line --output diff.html",
      "  Which tensors make the arena of a model larger?",
      "    stowage diff before.tflite after.tflite --output diff.html",
      "  In a script, does the peak grow by more than 16 MiB? Exit code 4 means that it does.",
      "    stowage diff before.pickle after.pickle --fail-above 16MiB",
      "  Which memory is in use after the first 1,000 events?",
      "    stowage diff a.csv b.csv --by size --at 1000"
    })
public final class DiffCommand extends InputCommand {

  private static final Set<String> OF_PLANS =
      Set.of("--dim", "--io", "--runtime", "--kernels", "--no-scratch");
  private static final Set<String> OF_RECORDINGS = Set.of("--by", "--at", "--device");

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
        "arenas."
      })
  private Optional<Long> failAbove = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = "Write an .html page with both side by side, and a table of all differences.")
  private Optional<String> output = Optional.empty();

  @Mixin private TraceInputOptions input = new TraceInputOptions();

  @Mixin private ModelOptions model = new ModelOptions();

  @Mixin private RuntimeOption runtime = new RuntimeOption();

  @Mixin private TableOrJson format = new TableOrJson();

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

    /** {@return the content of a file; its notes are added to an outcome} */
    T read(String file, TerminalProgress bar, Outcome outcome) throws Exception;
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
              "%s: is %s, but %s is %s; expected two recordings, or two models or problems",
              second, ofSecond.get().description(), first, ofFirst.get().description());
      return ExitCode.BAD_INPUT;
    }
    // Without an existing file, reading them reports that both do not exist.
    ComparedKind kind = ofFirst.or(() -> ofSecond).orElse(ComparedKind.RECORDING);
    if (kind == ComparedKind.PLAN) {
      Usage.reject(spec, OF_RECORDINGS, "is for recordings, but the files have plans");
      return comparePlans(page);
    }
    if (ofFirst.isPresent() || ofSecond.isPresent()) {
      Usage.reject(spec, OF_PLANS, "is for models and problems, but the files are recordings");
    }
    return compareRecordings(options, page);
  }

  /** Reads both files, compares them and {@return the exit code} */
  private <T> int compare(Reader<T> reader, BiFunction<T, T, Outcome> comparison)
      throws IOException {
    InputRun run = newRun(format.printer(), "Comparing", "compared");
    List<T> both = new ArrayList<>();
    int exitCode =
        run.run(
            List.of(first, second),
            (file, bar) -> {
              Outcome outcome = Outcome.none();
              both.add(interruption().run(() -> reader.read(file, bar, outcome)));
              return outcome;
            });
    return both.size() < 2
        ? exitCode
        : run.conclude(second, comparison.apply(both.getFirst(), both.getLast()));
  }

  private int compareRecordings(TraceOptions options, Optional<PageOutput> page)
      throws IOException {
    List<String> words = CommandLineWords.words(spec, Set.of("--at", "--device"));
    return compare(
        (file, _, outcome) -> {
          ComparedTrace trace = ComparedTrace.read(file, options, at.event());
          outcome.noting(trace.summary().notes());
          return trace;
        },
        (a, b) -> {
          DiffReport report =
              DiffReport.of(a, b, by.map(key -> key.grouping), at.event().isEmpty());
          long growth = report.diff().growthBytes();
          return outcome(DiffAnswer.of(report, words), page)
              .failing(failure(growth, "has " + ByteUnit.exact(growth) + " more in use"));
        });
  }

  private int comparePlans(Optional<PageOutput> page) throws IOException {
    InputReader reader =
        runtime.reader(
            new InputReader(
                model.toOptions(), Optional.empty(), InputStream.nullInputStream(), model.given()),
            List.of(first, second));
    PlanSelection selection =
        new PlanSelection(
            Set.of(),
            true,
            Set.of(AssignmentKind.OFFSETS),
            runtime.alignment(Optional.empty()),
            LimitOptions.shortSearch(),
            false);
    List<String> words = CommandLineWords.words(spec, OF_PLANS);
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
          long growth = diff.growthBytes();
          return outcome(PlanDiffAnswer.of(diff, words), page)
              .failing(failure(growth, "needs " + ByteUnit.exact(growth) + " more"));
        });
  }

  private static Outcome outcome(Answer answer, Optional<PageOutput> page) {
    Outcome outcome = Outcome.of(answer).leadingTo(answer.conclusion().orElseThrow());
    page.ifPresent(file -> outcome.writing(() -> file.write(answer, List.of())));
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
