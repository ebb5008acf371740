package dev.stowage.cli.command;

import dev.stowage.cli.option.AllocatorOptions;
import dev.stowage.cli.option.NodeCountConverter;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.CommonAnswer;
import dev.stowage.cli.report.TuningAnswer;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.TuningAllocator;
import dev.stowage.cli.tune.TuningInput;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningRunner;
import dev.stowage.console.ByteCountConverter;
import dev.stowage.console.ExitCode;
import dev.stowage.console.SecondsConverter;
import dev.stowage.console.ShortHelp;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.CommonSettings;
import dev.stowage.trace.tune.SettingsSpace;
import dev.stowage.trace.tune.TraceTuning;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage tune}: searches for the settings with which an allocator needs least memory. */
@Command(
    name = "tune",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Finds the settings with which an allocator needs least memory for each TRACE.",
      "The command replays the trace with many settings on a simulated device. The best settings",
      "have the fewest failures and then the smallest peak of reserved bytes. For several traces",
      "with the same allocator, the command also finds the settings with the smallest maximum",
      "regret: the share by which the peak of a trace exceeds its peak with its own best settings.",
      "stowage replay --help lists the formats of traces."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"4:requests fail under a --limit with all settings"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  With which settings would a training have needed less memory?",
      "    stowage tune snapshot.pickle",
      "  With which settings would it have fitted into 20 GiB?",
      "    stowage tune snapshot.pickle --limit 20GiB",
      "  Which options of a BFC allocator are good for two programs?",
      "    stowage tune first.csv second.csv.gz"
    })
public final class TuneCommand implements Callable<Integer> {

  /** The number of best results that are complete, for one trace. */
  private static final int KEPT = 10;

  @Parameters(
      arity = "1..*",
      paramLabel = "TRACE",
      description = {
        "A trace. Several traces with the same allocator are also tuned in",
        "common."
      })
  private List<String> traces = List.of();

  @Option(
      names = "--allocator",
      paramLabel = "A",
      description = {
        "The allocator: pytorch (PyTorch's caching allocator, the default for",
        "its snapshots), bfc (best fit with coalescing, the default for other",
        "traces) or rmm (the pool of RAPIDS Memory Manager)."
      })
  private Optional<TuningAllocator> allocator = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = "The memory of the device, such as 64MiB or 2GiB (default: no limit).")
  private Optional<Long> limit = Optional.empty();

  @Option(
      names = "--empty-cache",
      order = ShortHelp.RARE,
      description = {
        "pytorch: release cached memory before the first event, so that the",
        "settings alone determine the segments that are added."
      })
  private boolean emptyCache;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = {
        "Limit of the search for each TRACE, which keeps the results so far",
        "(default: no limit)."
      })
  private Optional<Duration> timeLimit = Optional.empty();

  @Option(
      names = "--node-limit",
      order = ShortHelp.RARE,
      paramLabel = "N",
      converter = NodeCountConverter.class,
      description = {
        "Limit of the nodes of the plan with hindsight (default: 20000, and 5",
        "seconds). With this option, the plan has no limit of time of its own."
      })
  private Optional<Long> nodeLimit = Optional.empty();

  @Mixin private TraceInputOptions input = new TraceInputOptions();

  @Mixin private TableJsonCsv format = new TableJsonCsv();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write an .html page with all settings of the report as tables, and the",
        "peak of each as a chart."
      })
  private Optional<String> output = Optional.empty();

  @Spec private CommandSpec spec;

  private final long startNanos = System.nanoTime();
  private final Interruption interruption;

  public TuneCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    TraceOptions options = input.toOptions();
    checkOptions();
    Optional<PageOutput> page = PageOutput.of(output, traces, spec);
    interruption.expect();
    List<TuningInput> inputs = new ArrayList<>();
    int exitCode =
        EachFile.run(
            spec,
            traces,
            "tuned",
            (_, trace) -> {
              inputs.add(read(trace, options));
              return ExitCode.DONE;
            });
    if (interruption.isInterrupted()) {
      return exitCode;
    }
    List<TuningAllocator> allocators =
        inputs.stream().map(input -> allocator.orElseGet(input::usualAllocator)).toList();
    boolean isCommon = inputs.size() > 1 && allocators.stream().distinct().count() == 1;
    if (inputs.size() > 1 && !isCommon) {
      diagnostics()
          .report(
              "note: the traces have different allocators, so that they share no settings;"
                  + " --allocator selects one for all");
    }
    return ExitCode.graver(exitCode, tune(inputs, allocators, isCommon, page));
  }

  private void checkOptions() {
    limit.ifPresent(bytes -> AllocatorOptions.checkLimit(bytes, spec));
    if (emptyCache && allocator.isPresent() && allocator.get() != TuningAllocator.pytorch) {
      throw usage(
          "--empty-cache is an option of --allocator pytorch, but the allocator is "
              + allocator.get());
    }
  }

  private TuningInput read(String trace, TraceOptions options) throws IOException {
    TuningInput read = interruption.run(() -> TuningInput.read(trace, options));
    input.note(trace, read.summary());
    return read;
  }

  private int tune(
      List<TuningInput> inputs,
      List<TuningAllocator> allocators,
      boolean isCommon,
      Optional<PageOutput> page)
      throws IOException {
    AnswerPrinter printer = format.printer();
    List<Candidate> common =
        isCommon
            ? space(allocators.getFirst())
                .candidates(inputs.stream().map(TuningInput::trace).toList())
            : List.of();
    List<TuningReport> reports = new ArrayList<>();
    int exitCode =
        EachFile.run(
            spec,
            inputs.stream().map(TuningInput::input).toList(),
            "tuned",
            (index, _) -> {
              TuningReport report =
                  tune(index, inputs.size(), inputs.get(index), allocators.get(index), common);
              reports.add(report);
              print(TuningAnswer.of(report), printer);
              return report.best().result().failures() > 0 ? ExitCode.NO_PLAN : ExitCode.DONE;
            });
    Optional<CommonReport> all = Optional.empty();
    if (isCommon && reports.size() == inputs.size()) {
      all =
          Optional.of(
                  new CommonReport(
                      reports,
                      CommonSettings.of(
                          common, reports.stream().map(TuningReport::tuning).toList())))
              .filter(report -> !report.settings().isEmpty());
    }
    if (all.isPresent()) {
      print(CommonAnswer.of(all.get()), printer);
    }
    if (page.isPresent() && !reports.isEmpty()) {
      exitCode =
          ExitCode.graver(
              exitCode,
              page.get()
                  .write(
                      FigurePages.of(
                          reports, all, RunFacts.none().withFacts(CommandFacts.of(spec)))));
    }
    return exitCode;
  }

  private TuningReport tune(
      int index, int count, TuningInput input, TuningAllocator kind, List<Candidate> common) {
    SettingsSpace space = space(kind);
    TraceTuning tuning =
        common.isEmpty()
            ? new TraceTuning(input.trace(), space, space.candidates(List.of(input.trace())), KEPT)
            // The regret of settings needs the results of all of them.
            : new TraceTuning(input.trace(), space, common, Integer.MAX_VALUE);
    TuningRunner runner =
        new TuningRunner(
            interruption, Runtime.getRuntime().availableProcessors(), timeLimit, nodeLimit);
    String label =
        count == 1 ? "Tuning" : String.format(Locale.ROOT, "Tuning %d of %d", index + 1, count);
    long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;
    TuningRunner.Result result;
    try (TerminalProgress progress =
        new TerminalProgress(label, tuning.replayCount(), elapsedMillis)) {
      result = runner.run(input, tuning, progress::replayed);
    }
    if (result.isCut()) {
      diagnostics()
          .note(
              input.input(),
              String.format(
                  Locale.ROOT,
                  "the search was cut after %d of %s; better settings may exist",
                  tuning.doneCount(),
                  Numbers.count(tuning.replayCount(), "replay")));
    }
    return new TuningReport(
        input,
        new TuningReport.Conditions(kind, limitBytes(), emptyCache),
        tuning,
        result.rows(),
        result.hindsight(),
        result.isCut());
  }

  private SettingsSpace space(TuningAllocator kind) {
    return kind.space(limitBytes(), emptyCache);
  }

  private OptionalLong limitBytes() {
    return limit.map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  private void print(Answer answer, AnswerPrinter printer) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    printer.print(answer, out);
    out.flush();
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
