package dev.stowage.cli.command;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.diff.ComparedKind;
import dev.stowage.cli.option.ComparedPlanOptions;
import dev.stowage.cli.option.EventOption;
import dev.stowage.cli.option.GroupingOption;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.ComparedFiles;
import dev.stowage.cli.run.ComparedPlanning;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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

  @Parameters(index = "0", paramLabel = "A", description = "The first file.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "B", description = "The second file, of the same kind.")
  private String second = "";

  @Mixin private GroupingOption by = new GroupingOption();

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

  @Override
  public Integer call() throws IOException {
    Optional<PageOutput> page = PageOutput.of(output, List.of(first, second), spec);
    ComparedFiles files = new ComparedFiles(spec, first, second);
    Optional<ComparedKind> kind = files.kind(input.toOptions());
    if (kind.isEmpty()) {
      return ExitCode.BAD_INPUT;
    }
    DiffRun run = new DiffRun(spec, files);
    run.checkOptions(kind.get());
    Optional<DiffRun.Result> made =
        switch (kind.get()) {
          case RECORDING -> run.recordings(input, by.grouping(), at.event(), page.isPresent());
          case PLAN ->
              run.plans(
                  new ComparedPlanning(
                      spec, plans.reader(List.of(first, second)), plans.selection()));
          case RELEASE -> run.releases();
        };
    if (made.isEmpty()) {
      return files.exitCode();
    }
    DiffRun.Result result = made.get();
    AnswerPrinter printer = format.printer();
    printer.print(result.answer(), spec.commandLine().getOut());
    RunFacts facts = CommandFacts.run(spec).withConclusion(result.conclusion());
    int written = page.isEmpty() ? ExitCode.DONE : page.get().write(result.page().apply(facts));
    int exitCode = ExitCode.graver(written, exitCode(result));
    if (printer.isTable()) {
      Diagnostics.of(spec).next(result.conclusion());
    }
    return exitCode;
  }

  private int exitCode(DiffRun.Result result) {
    if (result.growthBytes() <= failAbove.orElse(Long.MAX_VALUE)) {
      return ExitCode.DONE;
    }
    Diagnostics.of(spec)
        .report(
            "%s: %s than %s, expected at most %s",
            second, result.excess(), first, ByteUnit.exact(failAbove.orElseThrow()));
    return ExitCode.NO_PLAN;
  }
}
