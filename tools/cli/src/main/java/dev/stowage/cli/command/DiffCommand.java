package dev.stowage.cli.command;

import dev.stowage.cli.option.EventOption;
import dev.stowage.cli.option.GroupingOption;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.output.FigurePages;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.report.DiffAnswer;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.console.ByteCountConverter;
import dev.stowage.console.ExitCode;
import dev.stowage.pages.DiffReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage diff}: compares the memory of two traces. */
@Command(
    name = "diff",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Compares the memory in use in two traces, each at its peak of requested bytes.",
      "Memory that is older than a recording is included. The table shows groups of allocations that",
      "are new in B, grown, gone or shrunk, those with the largest difference first.",
      "stowage replay --help lists the formats of traces."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Which lines of code hold more memory than before?",
      "    stowage diff before.pickle after.pickle --by line",
      "  In a script, does the peak grow by more than 16 MiB? Exit code 4 means that it does.",
      "    stowage diff before.pickle after.pickle --fail-above 16MiB",
      "  Which memory is in use after the first 1,000 events?",
      "    stowage diff a.csv b.csv --by size --at 1000"
    })
public final class DiffCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "A", description = "The first trace.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "B", description = "The second trace.")
  private String second = "";

  @Mixin private GroupingOption by = new GroupingOption();

  @Mixin private EventOption at = new EventOption();

  @Option(
      names = "--fail-above",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Exit with 4 if the requested bytes in use in B exceed those in A by",
        "more than BYTES, such as 0 or 16MiB. Groups that shrink count against",
        "those that grow."
      })
  private Optional<Long> failAbove = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write an .html page with all groups as a table, and flame graphs of",
        "both traces if they have call stacks."
      })
  private Optional<String> output = Optional.empty();

  @Mixin private TraceInputOptions input = new TraceInputOptions();

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    TraceOptions options = input.toOptions();
    OptionalLong event = at.event();
    Optional<PageOutput> page = PageOutput.of(output, List.of(first, second), spec);
    List<ComparedTrace> traces = new ArrayList<>();
    int exitCode =
        EachFile.run(
            spec,
            List.of(first, second),
            "compared",
            (_, trace) -> {
              ComparedTrace read = ComparedTrace.read(trace, options, event);
              input.note(trace, read.summary());
              traces.add(read);
              return ExitCode.DONE;
            });
    if (traces.size() < 2) {
      return exitCode;
    }
    DiffReport report = traces.getFirst().compare(traces.getLast(), by.grouping(), event.isEmpty());
    format.printer().print(DiffAnswer.of(report), spec.commandLine().getOut());
    int written = page.isEmpty() ? ExitCode.DONE : page.get().write(page(report, traces));
    return ExitCode.graver(written, exitCode(report));
  }

  private WholeFile.Content page(DiffReport report, List<ComparedTrace> traces) {
    return FigurePages.of(
        report, traces.getFirst().stacks(traces.getLast()), CommandFacts.run(spec));
  }

  private int exitCode(DiffReport report) {
    long growth = report.diff().growthBytes();
    if (growth <= failAbove.orElse(Long.MAX_VALUE)) {
      return ExitCode.DONE;
    }
    Diagnostics.of(spec)
        .report(
            "%s: has %s more in use than %s, expected at most %s",
            second, ByteUnit.exact(growth), first, ByteUnit.exact(failAbove.orElseThrow()));
    return ExitCode.NO_PLAN;
  }
}
