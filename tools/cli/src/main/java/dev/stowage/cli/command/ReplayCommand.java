package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.ReplayConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.option.AllocatorOptions;
import dev.stowage.cli.option.EventOption;
import dev.stowage.cli.option.ReplayOutputOptions;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.output.ReplayFile;
import dev.stowage.cli.output.ReplayPages;
import dev.stowage.cli.replay.AllocatorChoice;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.HtmlPrinter;
import dev.stowage.cli.report.ReplayAnswer;
import dev.stowage.cli.report.ReplaysAnswer;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.CommandLineWords;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.InputPaths;
import dev.stowage.cli.run.InputRun;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Fact;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage replay}: replays recorded allocations with the allocator. */
@Command(
    name = "replay",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Replays the allocations and frees of each TRACE with an allocator.",
      "The device is simulated and needs no memory. A TRACE is a file of one of these formats, which",
      "the command detects from its content. All but .jfr may be compressed (.gz, .zip).",
      "  a CSV file (op,id,bytes,stream,t), such as one of a TraceRecorder",
      "  a memory snapshot of PyTorch (.pickle, or as JSON)",
      "  a recording of JDK Flight Recorder (.jfr) with the events of Stowage's or Netty's allocators",
      "  a log of XLA's BFC allocator or of RAPIDS Memory Manager"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"4:requests fail under a --limit, or as in the recording"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory would the allocator reserve for a program?",
      "    stowage replay trace.csv.gz",
      "  Would all requests fit into one region of 4 GiB?",
      "    stowage replay trace.csv.gz --no-growth --limit 4GiB",
      "  Where are the chunks over time, and which code allocated them?",
      "    stowage replay snapshot.pickle --output replay.html",
      "  Would PyTorch have needed less memory with other settings?",
      "    stowage replay snapshot.pickle --settings max_split_size_mb:128",
      "  How much memory would JAX reserve without preallocation?",
      "    stowage replay jax.log.gz --settings XLA_PYTHON_CLIENT_PREALLOCATE=false",
      "  How much memory do all recordings in a folder need, with two settings?",
      "    stowage replay recordings/ --settings max_split_size_mb:128 \\",
      "        --settings expandable_segments:True",
      "  Which lines of code hold the memory at the peak?",
      "    stowage replay snapshot.pickle --explain"
    })
public final class ReplayCommand extends InputCommand {

  @Parameters(
      arity = "1..*",
      paramLabel = "TRACE",
      description = {
        "A trace, or a folder with traces, also in subfolders. Several traces",
        "give one table with a line for each."
      })
  private List<String> traces = List.of();

  @Mixin private AllocatorOptions allocator = new AllocatorOptions();

  @Option(
      names = "--allow-failures",
      order = ShortHelp.RARE,
      description = "Exit with 0 instead of 4 if requests fail.")
  private boolean allowFailures;

  @Option(
      names = "--explain",
      description = {
        "Print the holders of memory at the peak of requested bytes, or --at an",
        "event, by line of code, stack, tag and stream; the blocks that keep",
        "regions from being released; and the largest holes at the worst",
        "failure."
      })
  private boolean explain;

  @Mixin private EventOption at = new EventOption();

  @Mixin private ReplayOutputOptions outputs = new ReplayOutputOptions();

  @Mixin private TraceInputOptions input = new TraceInputOptions();

  @Mixin private TableJsonCsv format = new TableJsonCsv();

  private List<ReplayFile> files = List.of();

  @Override
  public Integer call() throws IOException {
    List<AllocatorChoice> allocators = allocator.toAllocators();
    boolean isOne =
        traces.size() == 1 && allocators.size() == 1 && !InputPaths.isFolder(traces.getFirst());
    files = outputs.files(traces, isOne, allocator.limitBytes());
    allocator.notes().forEach(note -> Diagnostics.of(spec).report("note: " + note));
    boolean isExplained = explain || at.event().isPresent();
    if (isExplained && format.isCsv()) {
      throw Usage.error(spec, "--explain prints tables or JSON, but --format is csv");
    }
    boolean isDrawn = pages().filter(ReplayPages::hasMaps).isPresent();
    List<ReplayRunner> runners = new ArrayList<>();
    for (AllocatorChoice choice : allocators) {
      runners.add(
          new ReplayRunner(
              input.toOptions(),
              choice,
              outputs.writesPlacements(),
              isDrawn,
              isExplained,
              at.event()));
    }
    try {
      return replay(runners, !isOne && !isExplained && format.isTable());
    } finally {
      for (ReplayFile file : files) {
        file.close();
      }
    }
  }

  /** Replays the traces with each runner, and {@return the gravest exit code} */
  private int replay(List<ReplayRunner> runners, boolean isTogether) throws IOException {
    TraceOptions options = input.toOptions();
    InputPaths found =
        InputPaths.of(
            traces,
            path ->
                Files.isRegularFile(Path.of(path)) && TraceReader.isTrace(Path.of(path), options),
            "has no traces, expected snapshots of PyTorch (.pickle), logs of XLA, recordings of JDK Flight Recorder (.jfr) or .csv files",
            Diagnostics.of(spec));
    ReplaysAnswer all = new ReplaysAnswer(tuneOptions());
    InputRun run = newRun(format.printer(), "Replaying", "replayed");
    if (isTogether) {
      run.together();
    }
    run.ending(() -> writeIndex(all));
    int exitCode =
        run.run(
            found.paths(),
            (trace, bar) -> {
              int ofTrace = ExitCode.DONE;
              boolean isFirst = true;
              for (ReplayRunner runner : runners) {
                ReplayReport report = interruption().run(() -> runner.run(trace, this::started));
                bar.close();
                Outcome outcome = outcome(report, all, isFirst, isTogether);
                isFirst = false;
                ofTrace = ExitCode.graver(ofTrace, run.finish(trace, outcome));
              }
              return Outcome.none().exiting(ofTrace);
            });
    if (isTogether) {
      run.print(all.answer(!interruption().isInterrupted()));
    }
    return ExitCode.graver(exitCode, found.exitCode());
  }

  /** Writes the index of pages, if there is one, and {@return the exit code} */
  private int writeIndex(ReplaysAnswer all) {
    Optional<String> path = pages().flatMap(ReplayPages::indexPath);
    if (path.isEmpty()) {
      return ExitCode.DONE;
    }
    Answer index = all.answer(!interruption().isInterrupted());
    List<Fact> facts = CommandFacts.of(spec, List.of());
    return Diagnostics.of(spec)
        .write(
            path.get(),
            () -> pages().orElseThrow().complete(out -> HtmlPrinter.print(index, facts, out)));
  }

  private Optional<ReplayPages> pages() {
    return files.stream()
        .filter(ReplayPages.class::isInstance)
        .map(ReplayPages.class::cast)
        .findFirst();
  }

  private EventConsumer started(TraceReplay replay) {
    return files.stream().flatMap(file -> file.start(replay).stream()).findFirst().orElse(replay);
  }

  private Outcome outcome(
      ReplayReport report, ReplaysAnswer all, boolean isFirst, boolean isTogether) {
    Conclusion conclusion =
        ReplayConclusion.of(
            report,
            CommandLineWords.wordsWithout(
                spec, Set.of("--explain", "--at", "--format", "--output", "--placements")),
            tuneOptions());
    Answer answer = ReplayAnswer.of(report, conclusion);
    Outcome outcome =
        Outcome.of(answer)
            .leadingTo(conclusion)
            .writing(() -> write(report, answer, all))
            .noting(isFirst ? notes(report) : List.of());
    if (isTogether && report.isState()) {
      outcome.noting("has no history: replay it alone to see who holds its memory");
    }
    return allowFailures || !hasFailed(report.result())
        ? outcome
        : outcome.exiting(ExitCode.NO_PLAN);
  }

  private List<String> tuneOptions() {
    return CommandLineWords.words(
        spec, Set.of("--allocator", "--engine", "--empty-cache", "--limit", "--device"));
  }

  /** {@return the notes on a trace and its replay} */
  private List<String> notes(ReplayReport report) {
    List<String> notes = new ArrayList<>(report.summary().notes());
    input.otherDevicesNote(report).ifPresent(notes::add);
    notes.addAll(allocator.notes(report.allocator()));
    return notes;
  }

  /** Writes a replay and {@return the exit code} */
  private int write(ReplayReport report, Answer answer, ReplaysAnswer all) {
    List<String> notes = Stream.concat(allocator.notes().stream(), notes(report).stream()).toList();
    List<Fact> facts = CommandFacts.of(spec, report.input(), report.summary().format(), notes);
    int exitCode = ExitCode.DONE;
    for (ReplayFile file : files) {
      try {
        if (file.write(report, out -> HtmlPrinter.print(answer, facts, out))) {
          Diagnostics.of(spec).report("wrote " + file.path());
        }
      } catch (IOException e) {
        exitCode = Diagnostics.of(spec).reportUnwritten(file.path(), e);
      }
    }
    all.add(report, pages().map(ReplayPages::address).orElse(""));
    return exitCode;
  }

  /** {@return true if requests fail under a limit, or as in the recording} */
  private boolean hasFailed(ReplayResult result) {
    return result.recordedFailures().reproduced() > 0
        || (allocator.limitBytes().isPresent()
            && result.failures() > result.recordedFailures().asRecorded());
  }
}
